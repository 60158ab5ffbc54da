import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

@Suite("Tempi inside bars, in other formats")
struct InnerTempoFormatTests {
    private func quarters(_ rate: Int64) -> Tempo { Tempo(Fraction(1, 4), Fraction(rate)) }

    /// A tempo at beats, and inside beats, of bars with meters, a modulation, a ramp and a hold.
    private let text = """
        tempo: 92
        beats: on
        bars:
          - {meter: 4/4, label: A, tempo: 84 at beat 3}
          - 4/4
          - {meter: 7/8, number: 9, tempo: [66, 61.5 at beat 2, 1/8. = 132 at beat 4.5]}
          - {meter: 3/4, tempo: 1/4. = 1/4 at beat 3, hold: 2 at beat 2}
          - {meter: 4/4, ramp: {to: 60, from: beat 2, over: 2 beats}}
          - 4/4

        """

    @Test("a tempo inside a MusicXML measure keeps the measure's meter and number")
    func musicXMLMeasures() throws {
        let fast = "<sound tempo='120'/>"
        let bars = try musicXMLScore([
            eighths(3) + fast + eighths(5), eighths(8), eighths(2) + "<sound tempo='90'/>" + eighths(6),
        ])
        .lines[0].bars
        #expect(bars.map(\.meter) == Array(repeating: Meter(4, over: 4), count: 3))
        #expect(bars[0].details.tempo == .tempo(quarters(60)))
        #expect(bars[0].details.tempoChanges == [TempoChange(at: Fraction(5, 2), to: quarters(120))])
        #expect(bars[1].isPlain || bars[1].details.tempo == nil)
        #expect(bars[2].details.tempo == nil)
        #expect(bars[2].details.tempoChanges == [TempoChange(at: Fraction(2), to: quarters(90))])
        let file = String(decoding: musicXML(["", eighths(4) + fast + eighths(4), ""]), as: UTF8.self)
            .replacing("number='2'", with: "number='57a'")
        let numbered = try #require(musicXMLReading(Array(file.utf8)).score)
        let timeline = Timeline(numbered)
        #expect((0..<3).map { "\(timeline[$0].number)" } == ["1", "57a", "3"])
        #expect(timeline[1].duration == .seconds(3) && timeline[1].written.meter == Meter(4, over: 4))
    }

    @Test("in random files with tempi anywhere and repeats, bars keep meters and numbers, and begin at their times")
    func randomMusicXML() throws {
        var random = Seeded(state: 10)
        for _ in 0..<150 {
            // Measures of 4/4 with the eighths at which tempi are, in quarters per minute; some repeat what is before.
            let measures = (0..<random.int(2...9)).map { index -> (tempi: [(at: Int, rate: Int)], isEnd: Bool) in
                let places = (0...7).filter { _ in random.chance(4) }
                return (places.map { ($0, random.int(40...200)) }, index > 0 && random.chance(4))
            }
            let bytes = musicXML(
                measures.map { measure in
                    var (content, here) = ("", 0)
                    for (at, rate) in measure.tempi {
                        if at > here { content += eighths(at - here) }
                        content += "<sound tempo='\(rate)'/>"
                        here = at
                    }
                    let end = "<barline location='right'><repeat direction='backward'/></barline>"
                    return content + eighths(8 - here) + (measure.isEnd ? end : "")
                })
            // Each repeat goes back to the end of the one before, once.
            var (order, begin) = ([Int](), 0)
            for index in measures.indices {
                order.append(index)
                guard measures[index].isEnd else { continue }
                order += begin...index
                begin = index + 1
            }
            let score = try #require(musicXMLReading(bytes).score)
            let timeline = Timeline(score)
            try #require(timeline.barCount == order.count)
            var (now, rate) = (0.0, 60.0)
            for (bar, index) in order.enumerated() {
                #expect(timeline[bar].written.meter == Meter(4, over: 4))
                #expect("\(timeline[bar].number)" == "\(index + 1)")
                #expect(abs(timeline[bar].start.inSeconds - now) < 1e-9)
                var here = 0
                // The first measure also has the tempo 60 at its beginning.
                if index == 0 { rate = 60 }
                for (at, next) in measures[index].tempi {
                    now += Double(at - here) * 30 / rate
                    (here, rate) = (at, Double(next))
                }
                now += Double(8 - here) * 30 / rate
            }
            #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml").score == score)
        }
    }

    @Test("tempi inside the bars of a SO(a)P score, and curves, keep the meter")
    func soap() throws {
        let reading = Score.read(
            Array("BAR 5 [4/4] TEMPO [1/4]=60\n|2.5 TEMPO [1/8]=240\nBAR 6\n|4 TEMPO [1/4]=[3/8]\nBAR 7 END".utf8),
            file: "x.soap")
        let bars = try #require(reading.score).lines[0].bars
        #expect(bars.map(\.meter) == Array(repeating: Meter(4, over: 4), count: 3))
        let eighths = Tempo(Fraction(1, 8), Fraction(240))
        #expect(bars[0].details.tempoChanges == [TempoChange(at: Fraction(5, 2), to: eighths)])
        #expect(bars[1].details.tempo == nil && bars[1].details.tempoChanges.count == 1)
        #expect(bars[2].details.tempo == nil)
        let curve = try #require(
            Score.read(
                Array("BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 TEMPO [1/4]=120\nBAR 2 END".utf8), file: "x.soap"
            ).score
        ).lines[0].bars[0]
        #expect(curve.details.tempo == .tempo(quarters(72)))
        let changes = zip([2, 3, 4] as [Int64], [84, 96, 108] as [Int64]).map { beat, rate in
            TempoChange(at: Fraction(beat), to: quarters(rate))
        }
        #expect(curve.details.tempoChanges == changes)
    }

    @Test("a MIDI file keeps meters, numbers and tempi inside bars, exactly; only ramps become tempi from beat to beat")
    func midi() throws {
        let score = try score(text)
        let (read, bytes, losses) = try again(score, .midi)
        #expect(losses.contains { $0.contains("gradual changes of tempo are written as tempi from beat to beat") })
        let (one, two) = (score.lines[0].bars, read.lines.flatMap(\.bars))
        #expect(one.map(\.meter) == two.map(\.meter))
        #expect(farthest(starts(score), starts(read)) < .microseconds(20))
        for index in [0, 1, 2] {
            func tempi(_ bars: [Score.Bar]) -> [Fraction] {
                bars[index].details.tempoChanges.compactMap { $0.mark?.tempo(after: .standard).wholeNotes }
            }
            #expect(tempi(one) == tempi(two))
            #expect(one[index].details.tempoChanges.map(\.beat) == two[index].details.tempoChanges.map(\.beat))
        }
        let numbers = Timeline(read)
        #expect((0..<4).map { "\(numbers[$0].number)" } == ["1", "2", "9", "10"])
        // What is read is written in the same way, and reads as the same score from YAML.
        #expect(try Format.midi.write(played(read)).bytes.count <= bytes.count + 200)
        #expect(try self.score(read.yaml) == read)
    }

    private func score(_ text: String) throws -> Score { try SampleScores.score(text) }

    @Test("another program's tempo inside a MIDI bar is read with its bar's meter")
    func foreignMIDI() throws {
        let bar = try sampleScore("tempo-map.mid").score.lines[1].bars[0]
        #expect(bar.meter != nil && !bar.details.tempoChanges.isEmpty)
    }

    @Test("klick has a tempo for each beat, and reads back as tempi at beats")
    func klick() throws {
        let score = try score("tempo: 90\nbeats: on\nbars: [{meter: 4/4, tempo: 120 at beat 3}, 4/4]")
        let (read, bytes, losses) = try again(score, .klick)
        #expect(losses.isEmpty, "\(losses)")
        #expect(String(decoding: bytes, as: UTF8.self).contains("4/4 90,90,120,120"))
        #expect(read.lines[0].bars[0].meter == Meter(4, over: 4))
        #expect(read.lines[0].bars[0].details.tempoChanges == [TempoChange(at: Fraction(3), to: quarters(120))])
        let inside = try again(try self.score("bars: [{meter: 4/4, tempo: 120 at beat 2.5}]"), .klick)
        #expect(inside.losses.contains { $0.contains("a tempo inside a beat is written as that of the whole beat") })
    }

    @Test("a picture shows a tempo where it changes inside a bar")
    func picture() throws {
        let svg = String(decoding: try Format.svg.write(played(try score(text))).bytes, as: UTF8.self)
        for words in ["1/4 = 92", "1/4 = 84", "1/4 = 66", "1/4 = 61.5", "1/8. = 132", "1/4. = 1/4", "to 1/4 = 60"] {
            #expect(svg.contains(words), "\(words)")
        }
    }
}
