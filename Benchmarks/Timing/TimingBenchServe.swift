import Foundation
import Glibc
import SimulatedCardSupport

/// Many pages of one server: some ask for the player's time and read everything, others never read.
private final class Crowd {
    private var readers: [Int32] = []
    private var deaf: [Int32] = []
    private let port: UInt16
    private let secret: String

    init?(_ address: String) {
        let parts = address.split(separator: "#")
        guard parts.count == 2,
            let port = parts[0].split(whereSeparator: { ":/".contains($0) }).last.flatMap({ UInt16($0) })
        else { return nil }
        (self.port, secret) = (port, String(parts[1]))
    }

    deinit { leave() }

    /// Connects pages; returns how many were let in.
    func come(readers: Int, deaf: Int) -> Int {
        self.readers = (0..<readers).compactMap { _ in page() }
        self.deaf = (0..<deaf).compactMap { _ in page() }
        return self.readers.count + self.deaf.count
    }

    /// Lets all pages ask and read for so many seconds; each asks every 800 ms. Returns the times until answers came, in s.
    func talk(for seconds: Double) -> [Double] {
        let end = Date().timeIntervalSinceReferenceDate + seconds
        var asked = [Double](repeating: 0, count: readers.count)
        var waits: [Double] = []
        var round = 0
        while Date().timeIntervalSinceReferenceDate < end {
            // One page after the other, so that they do not ask all at once.
            let turn = readers.indices.filter { $0 % 16 == round % 16 }
            for index in turn {
                asked[index] = Date().timeIntervalSinceReferenceDate
                send(Array(Crowd.frame("clock \(round)")), to: readers[index])
            }
            round += 1
            let next = Date().timeIntervalSinceReferenceDate + 0.05
            while case let left = next - Date().timeIntervalSinceReferenceDate, left > 0 {
                var waiting = readers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                guard poll(&waiting, nfds_t(waiting.count), Int32((left * 1000).rounded(.up))) > 0 else { continue }
                let now = Date().timeIntervalSinceReferenceDate
                for (index, one) in waiting.enumerated() where one.revents != 0 {
                    var room = [UInt8](repeating: 0, count: 65536)
                    let count = recv(one.fd, &room, room.count, Int32(MSG_DONTWAIT))
                    if count > 0, asked[index] > 0, room[..<count].contains(UInt8(ascii: "k")) {
                        waits.append(now - asked[index])
                        asked[index] = 0
                    }
                }
            }
        }
        return waits
    }

    func leave() {
        (readers + deaf).forEach { close($0) }
        (readers, deaf) = ([], [])
    }

    private func page() -> Int32? {
        let page = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(page, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(page)
            return nil
        }
        let place = "127.0.0.1:\(port)"
        let request =
            "GET /live HTTP/1.1\r\nHost: \(place)\r\nOrigin: http://\(place)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        send(Array(request.utf8), to: page)
        var room = [UInt8](repeating: 0, count: 1024)
        let count = recv(page, &room, room.count, 0)
        guard count > 0, String(decoding: room[..<count], as: UTF8.self).hasPrefix("HTTP/1.1 101 ") else {
            close(page)
            return nil
        }
        send(Array(Crowd.frame("hello \(secret)")), to: page)
        return page
    }

    private func send(_ bytes: [UInt8], to page: Int32) {
        _ = bytes.withUnsafeBytes { Glibc.send(page, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    /// A masked text frame of at most 125 bytes; the mask is zero.
    private static func frame(_ text: String) -> [UInt8] {
        [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    }
}

extension TimingBench {
    /// Boundaries, processor, memory and descriptors without pages, and with 250 pages of which 50 never read.
    func serve(_ table: inout Table) throws {
        let length = isMoment ? 36 : max(seconds, 60)
        let errors = folder + "/serve-errors"
        var without: Child.Use?
        var (begin, late, end): (Child.Use?, Child.Use?, Child.Use?)
        var (descriptors, after, letIn) = (0, 0, 0)
        var waits: [Double] = []
        var crowded = 0.0...0.0
        let play = try PlayedScore(
            "serve", card: Self.fine.with("skew_ppm", 200), policy: "rewind", seconds: length, serving: errors,
            in: folder
        ) { child, zero in
            guard let crowd = Self.address(in: errors).flatMap({ Crowd($0) }) else { return }
            func now() -> Double { Double(monotonicTime() - zero) * 1e-9 }
            Thread.sleep(forTimeInterval: max(10 - now(), 0))
            without = try child.use()
            descriptors = child.descriptors
            letIn = crowd.come(readers: 200, deaf: 50)
            let first = now()
            // The first seconds hand out the timelines.
            waits = crowd.talk(for: 10)
            begin = try child.use()
            waits = crowd.talk(for: Double(length) / 2 - 10)
            late = try child.use()
            waits += crowd.talk(for: max(Double(length) / 2 - 25, 2))
            end = try child.use()
            crowded = first...now()
            crowd.leave()
            Thread.sleep(forTimeInterval: 3)
            after = child.descriptors
        }
        guard let without, let begin, let late, let end else { return table.nothing("serve: nobody serves") }
        waits.sort()
        table.row("serve: pages let in, of 250", Double(letIn), "", .exactly(250))
        let (alone, crowd) = (
            play.spread(after: 2, before: 10), play.spread(after: crowded.lowerBound, before: crowded.upperBound)
        )
        table.row("serve: rms without pages", alone.rms, "us", .atMost(8))
        table.row("serve: rms with 250 pages", crowd.rms, "us", .atMost(8))
        table.row("serve: furthest with 250 pages", crowd.max, "us", .atMost(30))
        table.row("serve: clicks lost with 250 pages", Double(play.lost), "", .exactly(0))
        let share = (end.busy - begin.busy) / (end.time - begin.time)
        table.row("serve: processor with 250 pages", share * 100, "%", .atMost(15))
        table.row(
            "serve: answers within, 95 %", (waits.isEmpty ? .nan : waits[waits.count * 95 / 100]) * 1e3, "ms",
            .atMost(50))
        table.row("serve: memory with pages, more", end.memory - without.memory, "MB", .atMost(32))
        table.row("serve: memory, growth in the second half", end.memory - late.memory, "MB", .atMost(1))
        table.row("serve: descriptors left behind", Double(after - descriptors), "", .exactly(0))
    }

    private func monotonicTime() -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
