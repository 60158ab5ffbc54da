import Playback
import Score
import Testing
import Timing

@testable import Screen

@Suite("Stand screen")
struct StandScreenTests {
    private let keys = "Space pause  ←→ bar  ↑↓ line  +− speed  q quit"
    private let head = "Piece · Nobody   100%   drone B4 493.88 Hz"

    private func lines(_ status: Status, at now: Int64, columns: Int = 80, color: Bool = false) -> [String] {
        StandScreen.lines(status, status.moment(at: now), columns: columns, color: color)
    }

    @Test("a bar says line, bar, what is left, its texts, and where the piece stands")
    func bar() {
        let gauge = String(repeating: "█", count: 30) + String(repeating: "·", count: 30)
        #expect(
            lines(.of(), at: seconds(1.5)) == [
                head, "line 1   bar 1 of 2   1.5 s of 3.0   A   go", gauge, "0:01.5 of 0:07.7   \(keys)",
            ])
        #expect(
            lines(.of(), at: seconds(7.2)) == [
                head, "line 2   bar 2 of 2   0.5 s of 1.0   bell", gauge, "0:07.2 of 0:07.7   \(keys)",
            ])
    }

    @Test("a loop says its pass, without end no total")
    func loop() {
        let gauge = String(repeating: "·", count: 60)
        #expect(
            lines(.of(passes: nil), at: seconds(15.4)) == [
                head, "line 1   bar 1 of 2   3.0 s of 3.0   pass 3   A   go", gauge, "0:15.4   \(keys)",
            ])
        #expect(lines(.of(passes: 4), at: seconds(15.4)).last == "0:15.4 of 0:30.8   \(keys)")
    }

    @Test("a pause says so, whatever the time")
    func paused() {
        for now in [0, 4.0, 100] {
            #expect(
                lines(.of(paused: .milliseconds(4350)), at: seconds(now)).dropFirst() == [
                    "line 1   bar 2 of 2   1.4 s of 2.7   PAUSED",
                    String(repeating: "█", count: 30) + String(repeating: "·", count: 30),
                    "0:04.4 of 0:07.7   \(keys)",
                ])
        }
    }

    @Test("a count-in says what is left of it")
    func countIn() {
        let status = Status.of(countsTo: .zero, zeroHeard: seconds(3))
        #expect(
            lines(status, at: seconds(0.25)) == [head, "count-in   2.8 s", String(repeating: "·", count: 60), keys])
    }

    @Test("the end is said")
    func end() {
        #expect(lines(.of(), at: seconds(7.7)) == [head, "end", String(repeating: "█", count: 60), ""])
    }

    @Test("trouble is the last line")
    func trouble() {
        var status = Status.of(sound: .silent("none"))
        #expect(lines(status, at: 0).count == 5)
        #expect(lines(status, at: 0).last == "no sound: counting silently")
        status.hasEnded = true
        #expect(lines(status, at: 0).last == "no sound: counting silently")
    }

    @Test("speed scales every figure, and stands in the first line")
    func halfSpeed() throws {
        let shown = lines(.of(anchor: Anchor(speed: try speed(500_000))), at: seconds(3))
        #expect(shown[0] == "Piece · Nobody   50%   drone B4 493.88 Hz")
        #expect(shown[1] == "line 1   bar 1 of 2   3.0 s of 6.0   A   go")
        #expect(shown[3] == "0:03.0 of 0:15.4   \(keys)")
    }

    @Test("colour makes the second line bold and changes nothing else")
    func color() {
        let plain = lines(.of(), at: seconds(1))
        let bold = lines(.of(), at: seconds(1), color: true)
        #expect(bold[1] == "\u{1B}[1m" + plain[1] + "\u{1B}[0m")
        #expect([bold[0]] + bold[2...] == [plain[0]] + plain[2...])
    }

    @Test("no line is wider than the terminal less one column", arguments: 2...100)
    func narrow(columns: Int) {
        var score = Score.piece
        score.title = "日本語の長い題名 and a long title in Latin letters, longer than most terminals are"
        for status in [Status.of(score), .of(score, paused: .seconds(1)), .of(score, countsTo: .seconds(9))] {
            for now in [0, 1.5, 4, 8] {
                for line in lines(status, at: seconds(now), columns: columns) {
                    let width = line.unicodeScalars.reduce(0) { $0 + ((0x3040...0x9FFF).contains($1.value) ? 2 : 1) }
                    #expect(width < columns)
                }
            }
        }
    }

    @Test("a cut line is the beginning of the whole, as much as fits")
    func cut() {
        #expect("abc".cut(toColumns: 2) == "ab")
        #expect("abc".cut(toColumns: 3) == "abc")
        #expect("日本語".cut(toColumns: 3) == "日")
        #expect("日本語".cut(toColumns: 4) == "日本")
        #expect("a🎵b".cut(toColumns: 2) == "a")
        #expect("a🎵b".cut(toColumns: 3) == "a🎵")
        #expect("e\u{301}e\u{301}".cut(toColumns: 1) == "e\u{301}")
        #expect("".cut(toColumns: 5) == "")
    }

    @Test("a gauge is always as wide, and only grows", arguments: [1, 2, 3, 10, 59, 61, 62, 200])
    func gauge(columns: Int) {
        let width = max(min(columns - 1, 60), 1)
        // How many eighths each character shows.
        let blocks = Dictionary(uniqueKeysWithValues: "·▏▎▍▌▋▊▉█".enumerated().map { ($1, $0) })
        var last = 0
        for step in 0...width * 16 {
            let gauge = StandScreen.gauge(Double(step) / Double(width * 16), columns)
            #expect(gauge.count == width)
            let filled = gauge.reduce(0) { $0 + (blocks[$1] ?? -1000) }
            #expect(filled == step / 2 || abs(filled - step / 2) == 1 && step % 2 == 0)
            #expect(filled >= last)
            last = filled
        }
        #expect(StandScreen.gauge(0, columns) == String(repeating: "·", count: width))
        #expect(StandScreen.gauge(1, columns) == String(repeating: "█", count: width))
        #expect(StandScreen.gauge(-3, columns) == StandScreen.gauge(0, columns))
        #expect(StandScreen.gauge(1.5, columns) == StandScreen.gauge(1, columns))
    }
}
