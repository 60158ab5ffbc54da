import Formats
import Scores
import Testing
import Timing

struct SoapTests {
    private func read(_ text: String, file: String = "x.soap") -> Document {
        Score.read(Array(text.utf8), file: file, format: .soap)
    }

    private func distance(_ time: Duration, _ seconds: Double) -> Double {
        abs(Double(time.attoseconds) * 1e-18 - seconds)
    }

    @Test("bars, beats, fermatas and curves are where the rules of SO(a)P have them", arguments: SoapScores.all)
    func model(text: String) throws {
        let reading = read(text)
        let score = try #require(reading.score, "\(reading.diagnostics.map { $0.rendered() })")
        let model = SoapModel(text)
        let timeline = Timeline(score)
        try #require(timeline.barCount == model.numbers.count)
        #expect(score.firstBar == model.numbers.first)
        for (bar, boundary) in model.boundaries.enumerated() {
            #expect(distance(timeline.start(ofBar: bar), boundary) < 1e-9, "bar \(bar)")
        }
        for bar in model.numbers.indices {
            let start = timeline.start(ofBar: bar)
            var clicks = [SoapModel.Click(time: model.clicks[bar][0].time, kind: "first")]
            var times = [start]
            var waits: [Duration] = []
            for moment in timeline.moments(inBar: bar, InnerSettings(score)) {
                switch moment.kind {
                case .click(.silent): break
                case .click(let stress):
                    let kind = stress == .subdivision ? "before" : "beat"
                    clicks.append(SoapModel.Click(time: 0, kind: kind))
                    times.append(start + moment.offset)
                case .wait: waits.append(start + moment.offset)
                }
            }
            #expect(clicks.map(\.kind) == model.clicks[bar].map(\.kind), "bar \(bar)")
            for (time, click) in zip(times, model.clicks[bar]) {
                #expect(distance(time, click.time) < 1e-9, "bar \(bar), \(time) is not \(click.time)")
            }
            #expect(waits.count == model.waits[bar].count)
            for (wait, time) in zip(waits, model.waits[bar]) { #expect(distance(wait, time) < 1e-9) }
        }
        #expect(Score.read(Array(score.yaml.utf8), file: "y.yaml").score == score)
    }

    @Test("a tempo in the middle of a beat is heard from there on, and ends a curve there")
    func insideBeats() throws {
        let half = try #require(read("BAR 1 [4/4] TEMPO [1/4]=60\n|2.5 TEMPO [1/4]=120\nBAR 1 END").score)
        #expect(Timeline(half).total == .milliseconds(2750))
        let curve = try #require(
            read("BAR 1 [8/4] TEMPO [1/4]=60 curve 1\n|2.99 TEMPO [1/4]=120\nBAR 1 END").score)
        #expect(distance(Timeline(curve).total, 4.347579846) < 1e-9)
    }

    @Test("a tempo after the end of its bar, and one listed out of order, are read with a warning")
    func misplaced() {
        let late = read("BAR 1 [4/4] TEMPO [1/4]=60\n|6 TEMPO [1/4]=90\nBAR 2 END")
        #expect(
            late.diagnostics.map(\.message) == [
                "this tempo is after the end of its bar, where SO(a)P stops; it is read 0.01 beats before it"
            ])
        #expect(late.diagnostics.map(\.line) == [2])
        let unordered = read("BAR 1 [4/4] TEMPO [1/4]=60\n|3 TEMPO [1/4]=90\n|2 TEMPO [1/4]=120\nBAR 2 END")
        #expect(
            unordered.diagnostics.map(\.message) == [
                "this tempo is listed after one at a later beat; both are read in the order of their beats"
            ])
        #expect(unordered.diagnostics.map(\.line) == [3])
        #expect(read("BAR 1 [4/4] TEMPO [1/4]=60\n|5 TEMPO [1/4]=90\nBAR 2 END").diagnostics.isEmpty)
    }

    @Test("there are at least sixty scores, and the model gives the times of the documentation's examples")
    func examples() {
        #expect(SoapScores.all.count >= 60)
        // The tempi are 72, 84, 96, 108 and 120.
        let curve = SoapModel("BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 TEMPO [1/4]=120\nBAR 3 END")
        let times = [0, 60.0 / 72, 60.0 / 72 + 60.0 / 84, 60.0 / 72 + 60.0 / 84 + 60.0 / 96]
        for (click, time) in zip(curve.clicks[0], times) { #expect(abs(click.time - time) < 1e-12) }
        #expect(abs(curve.boundaries[2] - curve.boundaries[1] - 2) < 1e-12)
        // 90, 120 and 140 dotted quarters a minute; the second and third beat are quarters.
        let uneven = SoapModel("BAR 1 [3+2+2/8] TEMPO [3/8]=60 curve 1\nBAR 2 TEMPO [3/8]=160\nBAR 2 END")
        #expect(abs(uneven.boundaries[1] - (60.0 / 90 + 40.0 / 120 + 40.0 / 140)) < 1e-12)
    }

    @Test("steady bars keep meter, tempo and equivalence; labels begin lines; other labels are cues")
    func page() throws {
        let (score, warnings) = try sampleScore("study.soap")
        #expect(warnings.count == 1)
        #expect(
            warnings.first?.contains("study.soap:3:6: warning: a label inside a bar is shown when the bar begins")
                == true)
        #expect(score.lines.map(\.label) == ["A", "B", "C"])
        #expect(score.lines.map(\.bars.count) == [5, 7, 4])
        let first = score.lines[0].bars
        #expect(first[0].meter == Meter(4, over: 4))
        #expect(first[0].cue == "breathe")
        #expect(first[0].details.tempo == .tempo(Tempo(Fraction(1, 4), Fraction(60))))
        #expect(first[0].details.beats == nil)
        #expect(first[3].details.tempo == .modulation(old: Fraction(1, 4), new: Fraction(3, 8)))
        #expect(first[3].details.beats?.map(\.value) == [Fraction(3, 8), Fraction(1, 4), Fraction(1, 4)])
        #expect(first[4].details.tempo == nil)
        // The tempo after a curve and after bars of seconds is written where the next steady bar needs it.
        let second = score.lines[1].bars
        #expect(second[4].meter == nil)
        #expect(second[4].details.holds == [Hold(.seconds(7), at: .beat(3))])
        #expect(second[5].details.tempo == .tempo(Tempo(Fraction(1, 4), Fraction(120))))
        #expect(second[6].details.holds == [Hold(.zero, at: .beat(1), waits: true)])
        #expect(second[6].meter == Meter(4, over: 4))
        #expect(score.lines[2].bars[0] == Score.Bar(.milliseconds(7500)))
        #expect(score.lines[2].bars[3].details.tempo == nil)
    }

    @Test("bars that are not listed share their memory with the one before")
    func long() throws {
        let score = try #require(read("BAR 1 [7/8] TEMPO [1/8]=400\nBAR 1000000 END").score)
        #expect(score.lines[0].bars.count == 1_000_000)
        #expect(Timeline(score).start(ofBar: 1_000_000) == .milliseconds(1_050_000_000))
    }

    @Test("without END, a warning says where the piece ends")
    func endless() {
        let reading = read("BAR 1 [4/4] TEMPO [1/4]=60\nBAR 4 \"b\"\n")
        #expect(
            reading.diagnostics.map { $0.rendered().firstLine } == [
                "x.soap:2:1: warning: there is no END, so SO(a)P plays on for ever; here the piece ends with this bar; "
                    + "write BAR 4 END"
            ])
    }

    @Test("a curve that ends at a tempo of another note gives a warning, because this is rarely intended")
    func mixed() {
        let reading = read("BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 TEMPO [1/8]=200 END")
        #expect(reading.diagnostics.map(\.message).first?.hasPrefix("the curve before this tempo") == true)
        #expect(reading.diagnostics.map(\.line) == [2])
    }

    @Test("a SO(a)P score is recognized by its content")
    func recognition() throws {
        for text in SoapScores.all {
            #expect(Score.read(Array(text.utf8), file: "x.txt").score == read(text, file: "x.txt").score)
        }
        for name in ["tempo-map.klick", "etude-utf8.txt", "points.txt", "regions.txt"] {
            #expect(Format.fits(try sample(name), [.soap]).map(\.fit) == [0], "\(name)")
        }
        // One line in four is wrong, so that its error is shown.
        let text = "BAR 1 [4/4] TEMPO [1/4]=60\nBAR 2\nBAR 3 TEMP\nBAR 4 END"
        #expect(Score.read(Array(text.utf8), file: "x.txt").diagnostics.first?.line == 3)
    }
}
