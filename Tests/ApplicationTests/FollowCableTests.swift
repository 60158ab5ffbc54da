import Application
import Cables
import Foundation
import Shared
import Testing

extension LiveTests.FollowTests {
    @Test("a follower opens the cables of its settings, and tells by them what is heard here")
    func cables() async throws {
        let (leader, follower, receiver) = (Home(), Home(), try DatagramSocket())
        let score = try leader.write("even.yaml", "timecode: 01:00:00:00 @ 23.976\nbars: [0.25]\nrepeat: 12000\n")
        try await whileServing(score, bars: 2, in: leader) { address in
            var request = FollowRequest(address)
            request.device = .null
            let wanted = request
            async let code = follower.run(["BARLINE_OSC": "\(receiver.port)", "BARLINE_MTC": "on"]) {
                try await wanted.follow()
            }
            try await follower.wait(for: "2 bars") { follower.bars.count >= 2 }
            #expect(try await follower.ask(.statusJSON).contains(#"{"cable": "osc", "direction": "out""#))
            #expect(follower.errors.contains("note: MIDI timecode has no rate of 23.976"), "\(follower.errors)")
            #expect(try await follower.ask(.stop) == "stopped")
            #expect(try await code == 0, "\(follower.errors)")
        }
        let told = receiver.datagrams().flatMap { OSCMessage.read($0) ?? [] }
        #expect(told.contains { $0.address == "/barline/bar" }, "\(told)")
        #expect(told.last == OSCMessage("/barline/state", [.string("ended")]), "\(told)")
    }
}
