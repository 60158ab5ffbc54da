import Formats
import SampleScores
import Scores
import Testing

struct ClickTrackerTests {
    @Test(
        "a score reads the same in every encoding and with every line ending",
        arguments: ["etude-latin1.txt", "etude-utf16.txt"])
    func encodings(name: String) throws {
        let (score, warnings) = try sampleScore(name)
        #expect(score == (try sampleScore("etude-utf8.txt").score))
        #expect(warnings.count == 2)
        #expect(score.lines.map(\.label) == ["", "Größer", "Wende"])
    }

    @Test("bars, beats, multiples, repeats and tempi have exact durations")
    func exactTimes() throws {
        let score = try sampleScore("etude-utf8.txt").score
        // The duration of every bar as a fraction of seconds.
        let bars: [(Int128, Int128)] =
            [(4, 1), (4, 1), (10, 3), (14, 3), (2, 7), (160, 51), (5, 2), (5, 6)]
            + Array(repeating: (5, 3), count: 6)
        var sum = Duration.zero
        let exact =
            [Duration.zero]
            + bars.map { above, below in
                sum += Duration(attoseconds: (above * 1_000_000_000_000_000_000 + below / 2) / below)
                return sum
            }
        #expect(farthest(Array(starts(score).prefix(exact.count)), exact) < .nanoseconds(1))
    }

    @Test("a change of tempo counts quarters, and each event keeps the tempo of its beginning")
    func change() throws {
        // The tempo of the eighth quarter: 60 + 60 (7/8)^0.8.
        let score = try score("t 120 8\ntc 120 8\n4/4 x 3\n", file: "x.txt")
        let expected = [
            Duration.zero, .nanoseconds(3_279_347_972), .nanoseconds(5_591_404_471), .nanoseconds(7_591_404_471),
        ]
        #expect(farthest(starts(score), expected) < .nanoseconds(2))
        // Slower, with curve 1: 120, 105, 90 and 75, then 60.
        let slower = try #require(Score.read(Array("t 120\ntc 60 4 1\n4/4\n2/4".utf8), file: "x.txt").score)
        let first = 0.5 + 60.0 / 105 + 60.0 / 90 + 60.0 / 75
        #expect(abs(starts(slower)[1].inSeconds - first) < 1e-12)
        #expect(starts(slower)[2] - starts(slower)[1] == .seconds(2))
    }

    @Test("a fermata on the only beat of a bar whose tempo changes can be written")
    func fermataOfOneBeat() throws {
        let read = try score("t 60\ntc 120 4\n1 b f\n1 b\n1 b\n1 b\n", file: "x.txt")
        #expect(read.lines[0].bars[0].details.holds == [Hold(.zero, at: .beat(1), waits: true)])
        #expect(try score(read.yaml) == read)
    }

    @Test("fermatas wait for the player, and `fermata 0` turns them off")
    func fermatas() throws {
        let score = try score("1 b f\n1\nfermata 0\n1 b f\n1\n", file: "x.txt")
        #expect(score.lines[0].bars.map { $0.details.holds.count } == [1, 0])
        #expect(score.lines[0].bars[0].details.holds[0] == Hold(.zero, at: .beat(1), waits: true))
    }

    @Test(
        "an entry that would change the timing is an error at its place",
        arguments: [
            (
                "1 g",
                "1:3: error: 'g' is not a property of a beat; b begins a bar, s is a subdivision, f a fermata, and x 4 comes last"
            ),
            ("t", "1:1: error: a tempo must be a number from 0.001 to 100000, for example t 60"),
            (String(repeating: "rep 1 2\n", count: 9) + "4/4", "9:1: error: repeats are nested more than 8 deep"),
            (
                "rep 4 1000\ncue A\n4/4\nrep 4 1000000\ncue B",
                "4:1: warning: the piece ends before the end of this repeat: it repeats nothing"
            ),
            ("1 b\n3999\n0.5", "1:1: error: a bar is at most 4000 quarters long; write b where a bar begins"),
            ("rep 4 1000000\ncue A\n4/4", "2:1: error: the piece has more than 200 000 cues with its repeats"),
            ("4/4 x 0", "1:7: error: expected a whole number from 1 to 1000000, for example 4/4 x 8"),
            ("t 60", "1:1: error: the score has no bars, for example 4/4 x 8"),
            ("t 100000\n1/10000", "2:1: error: with this tempo, a bar lasts less than 1 ms or more than 24 h"),
            ("1/4 x 1000000\n1/4", "2:1: error: the piece has more than 1 000 000 bars with its repeats"),
        ])
    func errors(text: String, expected: String) {
        let reading = Score.read(Array(text.utf8), file: "x.txt", format: .clickTracker)
        let error = reading.diagnostics.first { $0.severity == .error } ?? reading.diagnostics.first
        #expect(error?.rendered().firstLine == "x.txt:" + expected)
    }
}
