import Playback
import Scores
import Screens
import Testing
import Timing

/// What a player of an ensemble sees: the own voice in place of the leading one.
@Suite("The own part")
struct OwnPartTests {
    private static func status(_ passes: Int? = 1, anchor: Anchor = Anchor(speed: .asWritten)) throws -> Status {
        .of(
            try Score.of(
                """
                voices:
                  flute: {bars: [3, {duration: 3, hold: {length: 2}}, 4]}
                  oboe: {bars: [1.5, {duration: 4, label: B, cue: softly}, 2, 1]}
                """), passes: passes, anchor: anchor)
    }

    private func rows(_ status: Status, at now: Int64, part: String?) -> [String] {
        var choices = StandChoices()
        choices.part = part
        return StandView(status, status.moment(at: now), choices, at: now).canvas((80, 24), lit: nil).text
    }

    @Test("place, texts, digits, next bar and the line to scale are those of the own voice; the others have a row")
    func stand() throws {
        let status = try Self.status()
        let shown = rows(status, at: seconds(2), part: "oboe")
        #expect(shown[1] == "  oboe  line 1, bar 2 of 4  3.5 s of 4.0")
        #expect(shown[2] == "  B  softly")
        #expect(shown.contains("  then bar 3, 2.0 s"))
        #expect(shown.contains { $0.hasPrefix("  flute  1.1    ██████████▋·····    1.0 s") })
        #expect(!shown.contains { $0.hasPrefix("  oboe  1.2") })
        let digits = { (rows: [String]) in rows[3..<16] }
        let alike = rows(
            .of(try Score.of("voices: {a: {bars: [4]}, b: {bars: [9]}}")), at: seconds(0.5), part: nil)
        #expect(digits(shown) == digits(alike))
        // The leading voice, and a voice that there is not, are as without a part.
        for other in ["flute", "tuba"] {
            #expect(rows(status, at: seconds(2), part: other) == rows(status, at: seconds(2), part: nil))
        }
    }

    @Test("programs are told the own voice, also if it leads")
    func named() throws {
        for part in ["flute", "oboe"] {
            #expect(StatusText.json(try Self.status(), part: part, at: seconds(2)).contains("\"voice\": \"\(part)\""))
        }
        #expect(!StatusText.json(try Self.status(), at: seconds(2)).contains("voice"))
    }

    @Test("a timed hold of the leading voice is not one of the own; after its last bar the own voice waits for the end")
    func holdAndEnd() throws {
        let status = try Self.status()
        #expect(rows(status, at: seconds(6.5), part: nil)[0].hasSuffix("HOLDING"))
        #expect(rows(status, at: seconds(6.5), part: "oboe")[0].hasSuffix("PLAYING"))
        let late = rows(status, at: seconds(11), part: "oboe")
        #expect(late[1] == "  oboe  line 1, bar 4 of 4  0.0 s of 1.0" && late.contains("  then the end"))
    }

    @Test("a timed hold of the own voice counts down, at any speed and in a pause, where the leading voice plays on")
    func ownHold() throws {
        let score = try Score.of(
            """
            voices:
              flute: {bars: [2, 2, 2, 2]}
              harp: {bars: [2, {duration: 2, hold: 2}, 2]}
            """)
        for (percent, factor, bar, hold) in [
            (100, 1.0, "2.5 s of 4.0", "1.5 s of 2.0"), (50, 2, "5.0 s of 8.0", "3.0 s of 4.0"),
        ] {
            let status = Status.of(score, anchor: Anchor(speed: try speed(Int64(percent) * 10_000)))
            for (time, word, place) in [
                (3.5, "PLAYING", "line 1, bar 2 of 3  \(bar)"), (4.5, "HOLDING", "hold, \(hold)"),
                (6.5, "PLAYING", "bar 3 of 3"),
            ] {
                let shown = rows(status, at: seconds(time * factor), part: "harp")
                #expect(shown[0].hasSuffix(word) && shown[1].contains(place), "\(time): \(shown[0...1])")
                #expect(rows(status, at: seconds(time * factor), part: nil)[0].hasSuffix("PLAYING"))
            }
        }
        let paused = rows(.of(score, paused: .milliseconds(4500)), at: seconds(9), part: "harp")
        #expect(paused[0].hasSuffix("PAUSED") && paused[1].contains("hold, 1.5 s of 2.0"), "\(paused[0...1])")
    }

    @Test("the end and the status have the place of the own voice, with its name")
    func placeOfEnd() throws {
        let (status, now) = (try Self.status(), seconds(6))
        var end = ""
        var screen = LineScreen(part: "oboe") { end = $0 }
        _ = screen.show(status, at: now)
        screen.end(status.stopped(at: now))
        #expect(end == "stopped at line 1, bar 3, 0:06.0 of 0:12.0\n")
        #expect(StandScreen.farewell(status.stopped(at: now), part: "oboe") == end)
        #expect(StatusText.line(status, part: "oboe", at: now) == "oboe, line 1 bar 3, 1.5 s left, 0:06.0 of 0:12.0")
        #expect(StatusText.line(status, part: "flute", at: now).hasPrefix("line 1 bar 2, "))
        let json = StatusText.json(status, part: "oboe", at: now)
        #expect(json.contains("\"bar\": 3,") && json.hasSuffix("\"voice\": \"oboe\"}"), "\(json)")
        #expect(!StatusText.json(status, at: now).contains("voice"))
    }

    private func lines(_ status: Status, at times: [Double], joins: Bool = false) -> [String] {
        var lines: [String] = []
        var screen = LineScreen(joins: joins, part: "oboe") { lines.append(String($0.dropLast())) }
        for time in times { _ = screen.show(status, at: seconds(time)) }
        return Array(lines.dropFirst())
    }

    @Test("lines are those of the own voice, in every pass, and a look that comes late leaves none out")
    func lineScreen() throws {
        let all = [
            "    1.1    0:00.000    1.500 s", "    1.2    0:01.500    4.000 s  B  softly",
            "    1.3    0:05.500    2.000 s",
            "    1.4    0:07.500    1.000 s",
        ]
        let status = try Self.status()
        #expect(lines(status, at: [0.1, 1.4]) == Array(all[..<1]))
        #expect(lines(status, at: stride(from: 0.05, to: 11.9, by: 0.1).map { $0 }) == all)
        #expect(lines(status, at: [0, 7]) == Array(all[..<3]))
        let twice = lines(try Self.status(2), at: stride(from: 0.05, to: 23.9, by: 0.1).map { $0 })
        let (begins, expected) = (twice.map { String($0.prefix(7)) }, all.map { String($0.prefix(7)) })
        #expect(begins == expected + expected)
    }

    @Test("the screen wakes when the own voice begins a bar, though no other does")
    func wakes() throws {
        var screen = LineScreen(part: "oboe") { _ in }
        let next = screen.show(try Self.status(), at: seconds(0.5))
        #expect(next > seconds(1.5) - 1 && next < seconds(1.501))
    }
}
