import Barline
internal import Shared
internal import Testing

@Suite struct RenderTests {
    @Test("one line renders a score, in the file type that the name determines")
    func oneLine() throws {
        let folder = TemporaryFolder()
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(100))])])
        try Renderer(score, a4: 442).write(to: folder("study.flac"))
        #expect(folder.bytes("study.flac").prefix(4) == Array("fLaC".utf8)[...])
        try Renderer(score).write(to: folder("study.wav"))
        #expect(folder.bytes("study.wav").prefix(4) == Array("RIFF".utf8)[...])
    }

    @Test("impossible sound formats are errors", arguments: [(0, 2), (-1, 2), (.max, 2), (48000, 0), (48000, .max)])
    func formats(rate: Int, channels: Int) throws {
        let folder = TemporaryFolder()
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(10))])])
        var renderer = try Renderer(score, format: SoundFormat(rate: rate, channels: channels))
        renderer.blockFrames = .min
        #expect(renderer.frames == nil)
        #expect(throws: RenderError.engine(.invalidFormat)) { try renderer.write(to: folder("a.wav")) }
        #expect(folder.contents == [])
    }

    @Test("a piece that is too long for any file is an error")
    func tooLong() throws {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(80_000))])])
        let excess = TextError("this would last more than 100 000 h", hint: "play less of it, or fewer times")
        #expect(throws: PerformanceError.tooLong(excess)) { _ = try Performance(score, times: 1_000_000) }
        let passage = Passage(Timeline(score), passes: .max)
        let renderer = Renderer(Performance(of: score, passage: passage), format: SoundFormat())
        #expect(renderer.frames == nil)
        #expect(throws: RenderError.tooLong(excess)) { try renderer.stream(to: 1) }
    }
}

/// Values that readers refuse, but that a program can create.
@Suite struct HandMadeTests {
    private static let longest = Duration(attoseconds: .max)
    private static let shortest = Duration(attoseconds: .min)

    private static func bars() -> [Score.Bar] {
        var held = Score.Bar(.seconds(1))
        held.details.holds = [Hold(longest, at: .offset(shortest)), Hold(shortest, at: .beat(.min), waits: true)]
        held.details.grid = .parts(0)
        var metered = Score.Bar(Meter([]))
        metered.details.ramp = Ramp(to: Tempo(Fraction(-1), Fraction(0)), over: .bars(.min))
        metered.details.beats = []
        var marked = Score.Bar(Meter([Meter.Term([], over: Fraction(0, 0))]))
        marked.details.beats = [Beat(.beat, Fraction(.min, .min))]
        marked.details.jump = Jump(to: .label("nowhere"), on: [])
        var grid = Score.Bar(.seconds(600))
        grid.details.grid = .perMinute(.max)
        var change = Score.Bar(.zero)
        change.details.drone = DroneChange(notes: [], fade: longest)
        return [Score.Bar(.zero), Score.Bar(shortest), Score.Bar(longest), held, metered, marked, grid, change]
    }

    static let scores: [Score] = {
        var scores = [
            Score(lines: []), Score(lines: [Score.Line(bars: [])]), Score(sections: [Score.Section(parts: [])]),
        ]
        scores += bars().map { Score(lines: [Score.Line(bars: [$0])]) }
        scores.append(Score(lines: [Score.Line(passes: .max, bars: bars()), Score.Line(passes: .min, bars: bars())]))
        let line = Score.Part.line(Score.Line(bars: [Score.Bar(.seconds(1))]))
        let group = Score.Group(
            passes: .max, parts: [line], endings: [Score.Ending(passes: [.min ... .max], parts: [line])])
        scores.append(Score(sections: [Score.Section(parts: [.group(group), .use(Score.Use("a", passes: .max))])]))
        let endings = [[0 ... .max], [.min...0], []].map { Score.Ending(passes: $0, parts: [line]) }
        let ended = Score.Part.group(Score.Group(passes: 3, parts: [line], endings: endings))
        var loud = Score(sections: [Score.Section(parts: [ended])])
        loud.voice = Score.VoiceMark("a", click: BarClick(decibels: -.infinity))
        scores.append(loud)
        var silent = Score.Bar(.seconds(4))
        silent.details.click = BarClick(.bar, decibels: .nan)
        silent.details.click?.decibels = .nan
        scores.append(Score(lines: [Score.Line(bars: [Score.Bar(.zero), silent, Score.Bar(.zero)])]))
        scores.append(Score(lines: [Score.Line(bars: [Score.Bar(.nanoseconds(1)), silent])]))
        var circle = Score(sections: [Score.Section(parts: [.use(Score.Use("a"))])])
        circle.fragments = [Score.Fragment(name: "a", parts: [.use(Score.Use("a")), line])]
        circle.firstBar = .max
        circle.pickup = .min
        circle.order = "no order"
        scores.append(circle)
        var brackets = Score(lines: [])
        brackets.brackets = [Bracket(start: shortest...longest, end: .zero ... .zero)]
        brackets.total = Score.Total(longest)
        scores.append(brackets)
        brackets.realization = 1
        scores.append(brackets)
        return scores
    }()

    @Test("a score that a program builds never traps, whatever its values", arguments: scores.indices)
    func score(index: Int) throws {
        let score = Self.scores[index]
        let timeline = Timeline(score)
        #expect(timeline.barCount > 0)
        for bar in [Int.min, -1, 0, timeline.barCount - 1, timeline.barCount, .max] {
            #expect(timeline[bar].duration >= .zero)
            #expect((.zero...timeline.total).contains(timeline.start(ofBar: bar)))
            for grid in [Grid.off, .parts(.max), .parts(.min), .perMinute(0), .clock]
            where timeline[bar].duration < .seconds(9) {
                var settings = InnerSettings(score)
                settings.grid = grid
                _ = timeline.moments(inBar: bar, settings)
                _ = timeline.beats(inBar: bar, settings)
            }
        }
        for passage in Self.passages(timeline) {
            for n in [Int.min, -1, 0, 1, .max] {
                #expect(passage.position(of: n) >= .zero)
                _ = (
                    passage.bar(of: n), passage.stretch(of: n), passage.passNumber(of: n),
                    passage.boundaries(aroundBoundary: n)
                )
                _ = passage.boundary(ofBar: n, near: n)
            }
            for position in [Self.shortest, .zero, passage.pass, Self.longest] {
                #expect(passage.boundary(at: position) >= 0)
            }
        }
    }

    @Test("a score that a program builds never traps when it is written in any format", arguments: scores.indices)
    func formats(index: Int) throws {
        let score = Self.scores[index]
        let timeline = Timeline(score)
        guard timeline.barCount < 10_000 else { return }
        let played = PlayedScore(score, passage: Passage(timeline), speed: .asWritten)
        for format in Format.allCases where format.canWrite { _ = try? format.write(played) }
        #expect(played.bar(.max).start == played.bar(played.barCount - 1).start && played.bar(.min).start == .zero)
        let performance = Performance(of: score, passage: Passage(timeline))
        var speech = SpeechSettings()
        (speech.bars, speech.lines, speech.intervals, speech.durations) = (.min, .max, true, true)
        for n in [Int.min, 0, .max] { _ = speech.text(forBoundary: n, in: performance.passage) }
        for rate in [Int.min, 0, 48000, .max] { _ = Marker.all(of: performance, rate: rate, .bars, limit: 10) }
    }

    private static func passages(_ timeline: Timeline) -> [Passage] {
        [
            Passage(timeline), Passage(timeline, bars: .max - 1 ..< .max), Passage(timeline, passes: nil),
            Passage(timeline, passes: .max), Passage(timeline, passes: .min), Passage(timeline, []),
            Passage(timeline, [Passage.Stretch(.min ..< .max, speed: Speed(percent: 0))], passes: nil),
        ]
    }

    @Test("a performance that a program builds never traps, whatever its values")
    func performance() throws {
        let score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(20))])])
        var performance = Performance(of: score, passage: Passage(Timeline(score)))
        performance.countIn = .time(Self.shortest)
        #expect(performance.countIn == .off)
        performance.first = .max
        performance.a4 = .nan
        performance.cues.countdown = .max
        performance.clickLevel = Level(decibels: .nan)
        performance.tuning.tonic = .min
        performance.tuning.temperature = -.infinity
        var drone = Score.Drone(notes: [])
        drone.notes = Array(repeating: Score.Drone.Note(.note(.max, cents: .nan), pan: .infinity), count: 100)
        drone.fade = Self.longest
        performance.drone = drone
        var renderer = Renderer(performance, format: SoundFormat())
        renderer.blockFrames = 0
        // It is rendered, or refused.
        do throws(RenderError) { try renderer.render { _, _ in } } catch { #expect("\(error)" != "") }
    }

    @Test("numbers in meters and fractions that are not positive count as 1, and a meter without beats as a whole note")
    func meters() {
        #expect(Fraction(0, -5) == .one)
        #expect(Meter(.min, over: 0) == Meter(1, over: 1))
        #expect(Meter([]).beats == [Beat(.accent, .one)])
        #expect(Meter([]).length == .one)
    }
}
