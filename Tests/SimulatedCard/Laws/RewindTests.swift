internal import CALSA
internal import Foundation
internal import SimulatedCardSupport
internal import Testing

@Suite struct RewindTests {
    @Test("a rewound frame is heard as it was written last")
    func rewind() throws {
        let folder = try Folder()
        let (card, player, old) = try ClockTests.started(["step_frames": 48], in: folder)
        try player.waitUntilPlayed(4800)
        try player.avail()
        let back = try player.rewindable() - 4800
        let from = 96000 - back
        try player.rewind(back)
        let new = noise(frames: 19200, seed: 2)
        try player.write(new)
        let written = monotonicNow()
        try player.waitUntilPlayed(from + 9600)
        player.drop()
        let recording = try card.recording()
        // A machine that was slow to write has let old frames pass; those after the write are new whatever it did.
        for frame in 0..<recording.frameCount {
            let heard = Array(recording.bytes[frame * 4..<frame * 4 + 4])
            let before = Array(old[frame * 4..<frame * 4 + 4])
            let place = (frame - from) * 4
            let end = try #require(recording.nanoseconds(ofPlayedFrame: Double(frame), after: written)) + 30000
            if frame < from {
                #expect(heard == before)
            } else if end > 0, place < new.count {
                #expect(heard == Array(new[place..<place + 4]))
            }
        }
        let rewind = try #require(card.happenings().first { $0.name == "rewind" })
        #expect(rewind.values["frames"] == Int64(back))
    }

    @Test("a card that cannot be rewound appends")
    func appending() throws {
        let folder = try Folder()
        let (card, player, old) = try ClockTests.started(["rewindable": false], in: folder, frames: 48000)
        try player.waitUntilPlayed(480)
        try player.rewind(4800)
        let new = noise(frames: 4800, seed: 2)
        try player.write(new)
        try player.waitUntilPlayed(50000)
        player.drop()
        let heard = try card.recording().bytes
        #expect(heard.count > old.count)
        #expect(isHeard(heard, of: old + new))
    }

    @Test("what is forwarded over is silent, and what follows is heard in its place")
    func forward() throws {
        let folder = try Folder()
        let (card, player, _) = try ClockTests.started([:], in: folder, frames: 9600)
        try player.waitUntilPlayed(480)
        try player.waitUntilPlayed(9600 + 480)
        // The application is late by now; it goes on well ahead of the pointer.
        let avail = try player.avail()
        try player.forward(avail - 9600 + 4800)
        let place = 9600 + avail - 9600 + 4800
        let new = noise(frames: 2400, seed: 2)
        let late = monotonicNow()
        try player.write(new)
        try player.waitUntilPlayed(avail + 9600)
        player.drop()
        let recording = try card.recording()
        for frame in 9600..<recording.frameCount {
            let heard = Array(recording.bytes[frame * 4..<frame * 4 + 4])
            let after = try #require(recording.nanoseconds(ofPlayedFrame: Double(frame), after: late))
            if frame >= place, frame < place + 2400 {
                if after > 1e6 { #expect(heard == Array(new[(frame - place) * 4..<(frame - place) * 4 + 4])) }
            } else if frame < place {
                #expect(heard == [0, 0, 0, 0])
            }
        }
    }
}
