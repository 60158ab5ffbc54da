import Barline
internal import Shared
internal import Testing

/// Values that no text has, and a program may make.
@Suite struct FarValueTests {
    private static func score(_ change: (inout Score) -> Void = { _ in }) -> Score {
        var score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(100)), Score.Bar(.milliseconds(50))])])
        change(&score)
        return score
    }

    @Test("a pan beyond its range is written as the nearest side, and one that is no number as the middle")
    func pan() throws {
        for (pan, written) in [(1e30, " R100"), (-.infinity, " L100"), (.nan, ""), (0.001, ""), (-0.25, " L25")] {
            let note = Score.Drone.Note(.b4, pan: pan)
            #expect(note.description == "B4" + written)
            let score = FarValueTests.score { $0.drone = Score.Drone(notes: [note]) }
            #expect(try Score(score.yaml).drone?.notes.count == 1)
        }
    }

    @Test("the beginning of a performance is one of its boundaries, whatever is wanted")
    func first() throws {
        var performance = try Performance(FarValueTests.score())
        for (wanted, first) in [(5, 1), (.max, 1), (-3, 0), (.min, 0), (1, 1)] {
            performance.first = wanted
            #expect(performance.first == first && performance.count == 2 - first)
            #expect(Marker.all(of: performance, rate: 48_000, .bars, limit: 9)?.count == 2 - first)
        }
        performance.passage = Passage(Timeline(Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1))])])))
        #expect(performance.first == 0 && performance.count == 1)
    }

    @Test("tonics and numbers of bars of any size are taken")
    func numbers() throws {
        for (tonic, name) in [(12, "C"), (-7, "F"), (.max, "G"), (.min, "E")] {
            #expect(FarValueTests.score { $0.tuning.tonic = tonic }.yaml.contains("tonic: \(name)"))
        }
        for first in [Int.min, .max, -1] {
            let timeline = Timeline(FarValueTests.score { $0.firstBar = first })
            #expect(throws: (any Error).self) { try Place("no. 3", in: timeline) }
        }
        #expect(Pitch.note(60, cents: 0).description == "C4" && Pitch.note(-1, cents: 0).description == "B-2")
        #expect(Pitch.note(.max, cents: 0).description == "G768614336404564649")
        #expect(Pitch.note(.min, cents: 0).description == "E-768614336404564652")
    }

    @Test("times of any size are taken or refused")
    func times() throws {
        let (first, last) = (Duration(attoseconds: .min), Duration(attoseconds: .max))
        #expect(throws: TextError.self) { try TappedScore([first, last], beats: 1) }
        let start = Timecode(hundredths: 5, rate: .fps25)
        #expect((0..<24).contains(start.after(last).fields.hours) && (0..<24).contains(start.after(first).fields.hours))
        #expect(start.after(.seconds(-86_400)) == start && start.after(.seconds(86_400)) == start)
    }

    @Test("a marker far beyond the end is written, and no unfinished file stays behind")
    func marker() throws {
        let folder = TemporaryFolder()
        for name in ["a.flac", "a.wav", "a.ogg"] {
            try Renderer(FarValueTests.score()).write(to: folder(name), markers: [Marker(frame: .max, name: "x")])
        }
        #expect(folder.contents == ["a.flac", "a.ogg", "a.wav"])
    }
}
