import Cables
import Glibc
import Shared
import Synchronization
import Testing
import UserSettings

@Suite("A receiver of OSC whose host comes back")
struct OSCPortTests {
    /// Sends to another socket of this machine until that has got something; returns how often it was looked for.
    private func sends(_ attempts: Int) throws -> (reached: Bool, lookups: Int, failures: Int) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0, &ends) == 0)
        let (far, near) = (ends[0], ends[1])
        let lookups = Mutex(0)
        // The host is unknown at first, and found at the third look.
        let port = OSCPort(
            try OSCAddress("stage.invalid:9000"), lookingEvery: .zero, answeredWithin: .zero,
            find: { _ in
                lookups.withLock { count in
                    count += 1
                    return count == 3 ? near : nil
                }
            }, elsewhere: { $0() })
        #expect(port.isBroken)
        var (failures, bytes) = (0, [UInt8](repeating: 0, count: 16))
        for _ in 0..<attempts {
            if port.send([[1, 2, 3, 4]]) != nil { failures += 1 }
            if recv(far, &bytes, bytes.count, Int32(MSG_DONTWAIT)) == 4 {
                close(far)
                let count = lookups.withLock { $0 }
                #expect(!port.isBroken)
                // Said once.
                #expect(port.send([[1]]) != nil && port.send([[1]]) == nil && port.isBroken)
                return (true, count, failures)
            }
        }
        return (false, lookups.withLock { $0 }, failures)
    }

    @Test("the name is looked up again until it leads somewhere, and nothing is said meanwhile")
    func found() throws {
        let found = try sends(5)
        #expect(found.reached && found.lookups == 3 && found.failures == 0, "\(found)")
    }

    @Test("of a receiver that is not there is said once, also after its name has been looked up again")
    func once() throws {
        // A port of this machine that nobody has any more.
        let free = try OSCAddress("127.0.0.1:\(freePort())")
        let port = OSCPort(free, lookingEvery: .milliseconds(20), elsewhere: { $0() })
        var said = 0
        for _ in 0..<40 {
            if port.send([[1, 2, 3, 4]]) != nil { said += 1 }
            usleep(5000)
        }
        #expect(said == 1 && port.isBroken, "said \(said) times")
    }

    /// A UDP port of this machine on which nobody listens.
    private func freePort() throws -> Int {
        let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(probe) }
        return Int(try #require(bindToFreePort(probe)))
    }
}
