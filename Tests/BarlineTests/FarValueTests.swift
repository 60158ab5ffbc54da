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

    @Test("practice programs take bars, steps and numbers of times of any size")
    func programs() throws {
        let timeline = Timeline(FarValueTests.score())
        func stretches(_ program: PracticeProgram, _ bars: Range<Int> = 0..<2) throws -> [Passage.Stretch] {
            try program.stretches(of: timeline, bars: bars) { [.min, 1, .max] }
        }
        let twice = Speed(percent: 200)
        for few in [0, .min] {
            #expect(try stretches(.eachLine(times: few)).map(\.program) == ["each 1"])
            let speeds = try stretches(.faster(step: 500_000, every: few, to: twice)).map(\.speed.percent)
            #expect(speeds == [100, 150, 200])
            let ladder = try stretches(.ladder(from: Speed(percent: 50), step: Int64(few), to: .asWritten))
            #expect(ladder.count == 501 && ladder[0].program == "ladder 50% 0.1% 100%")
            #expect(try stretches(.faster(step: Int64(few), every: 1, to: twice)).count == 1001)
        }
        #expect(try stretches(.eachLine(times: .max)).count == 1000)
        #expect(try stretches(.ladder(from: .asWritten, step: .max, to: twice)).count == 2)
        #expect(try stretches(.column(1...1), 0..<3).map(\.bars) == [0..<1])
        #expect(throws: TextError("no line has a bar 1")) { try stretches(.column(1...1), 5..<9) }
        #expect(throws: TextError("no line has a bar 0")) { try stretches(.column(0 ... .max)) }
        #expect(PracticeProgram.column(0 ... .max).text == "column 0-\(Int.max)")
        #expect(try stretches(.weak, .min ..< .max).first?.bars == 0..<2)
    }

    @Test("scales and keyboard maps take numbers of any size")
    func scales() throws {
        var scale = try ScalaScale(scalaText: "x\n2\n600.0\n2/1\n")
        var performance = try Performance(FarValueTests.score { $0.drone = Score.Drone() })
        func hertz(_ map: ScalaMap) -> Double? {
            performance.tuning.scale = .scala(scale, map)
            return performance.droneHertz
        }
        for far in [Int.min, .max] {
            let map = ScalaMap(middle: far, reference: far, hertz: 440, octave: far, degrees: [0, far, nil])
            #expect(hertz(map).map { $0 >= 0 } ?? false)
        }
        scale.cents = []
        // Without notes, each key is an octave above the one below.
        #expect(hertz(.linear) == 1760)
    }

    @Test("rows of the log take times of any size")
    func rows() {
        for (time, seconds) in [(Duration(attoseconds: .max), 4e9), (Duration(attoseconds: .min), -4e9)] {
            let row = TimingRow(index: .min, nominal: time, heard: time, position: FramePosition(frame: .min))
            #expect(row.index == 1 && row.nominal == .seconds(seconds) && row.heard == row.nominal)
        }
    }

    @Test("levels have the nearest value in their range, and one that is no number is silent")
    func levels() throws {
        for (decibels, level) in [(Double.nan, "off"), (-.infinity, "off"), (-200, "-120 dB"), (.infinity, "0 dB")] {
            #expect("\(Level(decibels: decibels))" == level)
            let score = FarValueTests.score { $0.drone = Score.Drone(level: Level(decibels: decibels)) }
            guard decibels == -200 || decibels == .infinity else { continue }
            #expect(try Score(score.yaml) == score)
        }
        #expect(Level(percent: .nan).isSilent && Level(percent: 1e-9).decibels == -120)
        #expect(BarClick(decibels: .nan).decibels == 0 && BarClick(decibels: -.infinity).decibels == -60)
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
