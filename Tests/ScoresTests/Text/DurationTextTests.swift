import Scores
import Shared
import Testing

struct DurationTextTests {
    @Test(
        "a duration is seconds, a clock or a number with a unit",
        arguments: [
            ("2.7", 2_700), ("3", 3_000), ("010", 10_000), (" 1.5\t", 1_500), ("1:30", 90_000), ("0:00.5", 500),
            ("1:02:03.5", 3_723_500), ("90:00", 5_400_000), ("90 s", 90_000), ("90s", 90_000), ("500ms", 500),
            ("2 min", 120_000), ("1.5 h", 5_400_000), ("24 h", 86_400_000), ("0.001", 1),
        ])
    func parses(text: String, milliseconds: Int) throws {
        #expect(try Duration(scoreText: text) == .milliseconds(milliseconds))
    }

    @Test(
        "a text that is not the duration of a bar is refused with a reason",
        arguments: [
            ("", "a duration is missing, for example 2.7 or 1:30"),
            ("  ", "a duration is missing, for example 2.7 or 1:30"),
            ("-1", "a duration cannot be negative"),
            ("−1", "a duration cannot be negative"),
            ("0", "a bar cannot last 0 s"),
            ("0:00", "a bar cannot last 0 s"),
            ("0.0009", "a bar lasts at least 1 ms"),
            ("86400.1", "a bar lasts at most 24 h"),
            ("99999999999999999999999999", "a bar lasts at most 24 h"),
            ("nan", "a duration must be a finite number of seconds, for example 2.7 or 1:30"),
            (".inf", "a duration must be a finite number of seconds, for example 2.7 or 1:30"),
            ("0x1F", "a duration must be decimal, not hexadecimal, for example 2.7 or 1:30"),
            ("1e3", "a duration must be written without an exponent, for example 2.7 or 1:30"),
            ("2.5E-1", "a duration must be written without an exponent, for example 2.7 or 1:30"),
            ("٣", "a duration must be written with the digits 0 to 9, for example 2.7 or 1:30"),
            ("２.７", "a duration must be written with the digits 0 to 9, for example 2.7 or 1:30"),
            ("2,7", "decimals follow a point, not a comma; write 2.7"),
            ("0.1234567890123456789", "a duration has at most 18 decimals of a second"),
            ("0.1234567890123456 ms", "a duration has at most 18 decimals of a second"),
            (
                "1:75",
                "the minutes and seconds after a colon must be two digits, 00 to 59, for example 1:30 or 1:02:03.5"
            ),
            (
                "1:5",
                "the minutes and seconds after a colon must be two digits, 00 to 59, for example 1:30 or 1:02:03.5"
            ),
            ("1:", "the minutes and seconds after a colon must be two digits, 00 to 59, for example 1:30 or 1:02:03.5"),
            (
                "1:00:60",
                "the minutes and seconds after a colon must be two digits, 00 to 59, for example 1:30 or 1:02:03.5"
            ),
            ("1.5:30", "'1.5:30' is not a duration, for example 2.7 or 1:30"),
            ("1:02:03:04", "'1:02:03:04' is not a duration, for example 2.7 or 1:30"),
            ("1:30 s", "'1:30 s' is not a duration, for example 2.7 or 1:30"),
            ("3 sec", "'sec' is not a unit of time; write s, min, h or ms"),
            ("+3", "'+3' is not a duration, for example 2.7 or 1:30"),
            (".5", "'.5' is not a duration, for example 2.7 or 1:30"),
            ("5.", "'5.' is not a duration, for example 2.7 or 1:30"),
            ("三", "'三' is not a duration, for example 2.7 or 1:30"),
            ("\u{1B}[2J", "'\u{FFFD}[2J' is not a duration, for example 2.7 or 1:30"),
        ] as [(String, String)])
    func refuses(text: String, expected: String) {
        #expect(message { try Duration(scoreText: text) } == expected)
    }

    @Test("each use of a duration has its own bounds")
    func bounds() throws {
        #expect(try Duration(scoreText: "0", as: .countIn) == .zero)
        #expect(try Duration(scoreText: "60", as: .countIn) == .seconds(60))
        #expect(message { try Duration(scoreText: "61", as: .countIn) } == "a count-in lasts at most 60 s")
        #expect(try Duration(scoreText: "10000 h", as: .time) == .seconds(36_000_000))
        #expect(message { try Duration(scoreText: "10001 h", as: .time) } == "a time is at most 10 000 h")
    }

    @Test("decimals are exact: ten times 0.1 is 1, and 13 lines of Sequenza VII are 293.8")
    func exact() throws {
        let tenth = try Duration(scoreText: "0.1")
        #expect((0..<10).reduce(Duration.zero) { sum, _ in sum + tenth } == .seconds(1))
        let texts = ["3", "2.7", "2", "2", "2", "2", "1.8", "1.5", "1.3", "1.3", "1", "1", "1"]
        let line = try texts.reduce(Duration.zero) { $0 + (try Duration(scoreText: $1)) }
        #expect(line * 13 == Duration(secondsComponent: 293, attosecondsComponent: 800_000_000_000_000_000))
        #expect(try Duration(scoreText: "0.001000000000000001").attoseconds == 1_000_000_000_000_001)
    }

    @Test("a printed duration reads back as itself, as seconds and as a clock")
    func roundTrip() throws {
        var random = Seeded(state: 1)
        for _ in 0..<5_000 {
            let digits = Int64.random(in: 0...18, using: &random)
            let unit = (0..<digits).reduce(Int64(1)) { power, _ in power * 10 }
            let fraction = Int64.random(in: 0..<1_000_000_000_000_000_000, using: &random) / unit * unit
            let whole = Int64.random(in: 0..<36_000_000, using: &random) >> Int64.random(in: 0...25, using: &random)
            let duration = Duration(secondsComponent: whole, attosecondsComponent: fraction)
            #expect(try Duration(scoreText: duration.exactSeconds, as: .time) == duration)
            #expect(try Duration(scoreText: duration.clock, as: .time) == duration)
            #expect(try Duration(scoreText: duration.seconds(decimals: 18), as: .time) == duration)
        }
    }

    @Test(
        "seconds are printed with the given number of decimals, rounded half up",
        arguments: [
            ("2.7", 9, "2.700000000"), ("2.7", 0, "3"), ("2.5", 0, "3"), ("2.4999", 0, "2"), ("0.9995", 3, "1.000"),
            ("59.9996", 3, "60.000"), ("0.001", 18, "0.001000000000000000"), ("2.7", -3, "3"),
            ("1", 40, "1.000000000000000000"),
        ])
    func decimals(text: String, decimals: Int, expected: String) throws {
        #expect(try Duration(scoreText: text).seconds(decimals: decimals) == expected)
    }

    @Test("a clock shows minutes and seconds, and hours if there are any")
    func clock() {
        #expect(Duration.milliseconds(293_800).clock == "4:53.8")
        #expect(Duration.milliseconds(2_700).clock == "0:02.7")
        #expect(Duration.milliseconds(3_723_500).clock == "1:02:03.5")
        #expect(Duration.milliseconds(59_960).clock(decimals: 1) == "1:00.0")
        #expect(Duration.milliseconds(3_599_960).clock(decimals: 1) == "1:00:00.0")
        #expect(Duration.zero.clock == "0:00")
    }

    @Test("a negative duration has a sign unless it rounds to zero")
    func negative() {
        #expect(Duration.milliseconds(-1_500).exactSeconds == "-1.5")
        #expect(Duration.milliseconds(-1_500).seconds(decimals: 0) == "-2")
        #expect(Duration.milliseconds(-400).seconds(decimals: 0) == "0")
        #expect(Duration.milliseconds(-61_500).clock == "-1:01.5")
    }

    @Test("the longest durations print without a trap")
    func extremes() {
        let longest = Duration(secondsComponent: .max, attosecondsComponent: 999_999_999_999_999_999)
        #expect(longest.seconds(decimals: 0) == "9223372036854775808")
        #expect(Duration(secondsComponent: .min, attosecondsComponent: 0).exactSeconds == "-9223372036854775808")
    }
}
