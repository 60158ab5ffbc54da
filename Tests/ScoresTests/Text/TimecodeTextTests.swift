import Scores
import Shared
import Testing

struct TimecodeTextTests {
    @Test(
        "a timecode is the exact time of its frame, and reads back from its text",
        arguments: [
            ("00:00:00:00 @ 25", Duration.zero), ("01:00:10:12 @ 25", .seconds(3610) + .milliseconds(480)),
            ("00:00:01:12.50 @ 25", .milliseconds(1500)), ("23:59:59:23 @ 24", .seconds(86_400) - .seconds(1) / 24),
            ("00:00:01:00 @ 23.976", .milliseconds(1001)), ("01:00:00:00 @ 29.97 ndf", .milliseconds(3_603_600)),
            ("01:00:00;00 @ 29.97", Duration(attoseconds: 3_599_996_400_000_000_000_000)),
            ("00:01:00;02 @ 29.97", .milliseconds(60_060)), ("00:00:10:15 @ 30", .milliseconds(10_500)),
        ] as [(String, Duration)])
    func exact(text: String, time: Duration) throws {
        let timecode = try Timecode(scoreText: text)
        #expect((timecode.duration - time).attoseconds.magnitude <= 1)
        #expect(timecode.textWithRate == text)
        #expect(Timecode(nearest: timecode.duration, rate: timecode.rate) == timecode)
    }

    @Test("every frame of a day has its own text, and each text its frame", arguments: Timecode.Rate.allCases)
    func allFrames(rate: Timecode.Rate) throws {
        // Frame by frame around the places where numbers are dropped, and in steps elsewhere.
        let perSecond: Int64 = [.fps25: 25, .fps24: 24, .fps23_976: 24][rate] ?? 30
        var last = ""
        for frame in Array(0..<4000) + stride(from: 17_900, to: 18_100, by: 1)
            + stride(from: 20_000, to: 86_300 * perSecond, by: 997)
        {
            let timecode = Timecode(hundredths: frame * 100, rate: rate)
            let text = timecode.text
            #expect(text > last)
            last = text
            #expect(try Timecode(scoreText: text, rate: rate) == timecode)
            #expect(Timecode(nearest: timecode.duration, rate: rate) == timecode)
        }
    }

    @Test("a moment outside the day becomes the same hour of the day", arguments: Timecode.Rate.allCases)
    func wraps(rate: Timecode.Rate) throws {
        let last = Timecode(hundredths: -100, rate: rate)
        #expect(last.text.hasPrefix("23:59:59"))
        #expect(last.after(.seconds(1)).text.hasPrefix("00:00:00"))
        for extreme in [Duration.seconds(Int64.max), .seconds(Int64.min)] {
            #expect(Timecode(nearest: extreme, rate: rate).duration < .seconds(90_000))
        }
        #expect(Timecode(hundredths: .min, rate: rate).hundredths >= 0)
    }

    @Test(
        "a timecode that does not exist is an error with a correction",
        arguments: [
            ("01:00:00:25 @ 25", "there is no frame 25 at 25 frames per second; write 00 to 24"),
            ("00:01:00;00 @ 29.97", "drop-frame timecode leaves out this number; the minute begins with 00:01:00;02"),
            ("13:59:00:01 @ 29.97", "drop-frame timecode leaves out this number; the minute begins with 13:59:00;02"),
            ("01:00:00;12 @ 25", "a semicolon stands in drop-frame timecode only; write ':', or @ 29.97"),
            ("24:00:00:00 @ 25", "a timecode has hours 00 to 23, and minutes and seconds 00 to 59"),
            ("01:00:60:00 @ 25", "a timecode has hours 00 to 23, and minutes and seconds 00 to 59"),
            ("01:00:10:00", "a timecode needs its frames per second, for example 01:00:10:00 @ 25"),
            ("1:00:10:00 @ 25", "'1:00:10:00 @ 25' is not a timecode, for example 01:00:10:00 @ 25"),
            ("01:00:10 @ 25", "'01:00:10 @ 25' is not a timecode, for example 01:00:10:00 @ 25"),
            ("01:00:10:00:00 @ 25", "'01:00:10:00:00 @ 25' is not a timecode, for example 01:00:10:00 @ 25"),
            ("01:00:10:00.5 @ 25", "a point is followed by hundredths of a frame, two digits, for example :12.50"),
            (
                "01:00:10:00 @ 50",
                "'50' is not a number of frames per second; write 23.976, 24, 25, 29.97 (drop-frame), 29.97 ndf or 30"
            ),
            ("@", "'@' is not a timecode, for example 01:00:10:00 @ 25"),
        ])
    func errors(text: String, message: String) {
        do throws(TextError) {
            _ = try Timecode(scoreText: text)
            Issue.record("\(text) was read")
        } catch { #expect(error.description == message) }
    }

    @Test("ten minutes of drop-frame timecode have 17 982 frames, and differ from the clock by less than a frame")
    func dropFrame() throws {
        for minutes in stride(from: 0, to: 24 * 60, by: 10) {
            let text =
                "\(minutes / 60 < 10 ? "0" : "")\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):00;00"
            let timecode = try Timecode(scoreText: text, rate: .fps29_97DropFrame)
            #expect(timecode.hundredths == Int64(minutes / 10) * 1_798_200)
            // 86.4 ms a day, as is known of it.
            #expect(timecode.duration - .seconds(60 * minutes) > .milliseconds(-87))
        }
    }
}

struct HitTextTests {
    @Test(
        "a hit is a time or a timecode, a beat, and a ramp",
        arguments: [
            ("1:23.480", Hit(.position(.milliseconds(83_480)))),
            ("1:23.480 at beat 3", Hit(.position(.milliseconds(83_480)), beat: Fraction(3))),
            ("90 s at 3.5", Hit(.position(.seconds(90)), beat: Fraction(7, 2))),
            ("12 by ramp", Hit(.position(.seconds(12)), ramp: .beats)),
            ("12 at beat 2 by ramp", Hit(.position(.seconds(12)), beat: Fraction(2), ramp: .beats)),
            (
                "00:00:10:12 at beat 2", Hit(.timecode(Timecode(hundredths: 26_200, rate: .fps25)), beat: Fraction(2))
            ),
            ("00:00:10:12 @ 30", Hit(.timecode(Timecode(hundredths: 31_200, rate: .fps30)))),
        ])
    func read(text: String, hit: Hit) throws { #expect(try Hit(scoreText: text, rate: .fps25) == hit) }

    @Test(
        "what is not a hit is an error with an example",
        arguments: [
            ("at beat 3", "'at beat 3' is not a hit, for example 1:23.480 at beat 3"),
            ("", "'' is not a hit, for example 1:23.480 at beat 3"),
            ("12 at beat 0", "'beat 0' is not a beat, for example beat 3 or beat 3.5"),
            ("12 at beat 0.5", "'beat 0.5' is not a beat, for example beat 3 or beat 3.5"),
            ("12 at", "'' is not a beat, for example beat 3 or beat 3.5"),
            ("soon", "'soon' is not a duration, for example 2.7 or 1:30"),
        ])
    func errors(text: String, message: String) {
        do throws(TextError) {
            _ = try Hit(scoreText: text)
            Issue.record("\(text) was read")
        } catch { #expect(error.description == message) }
    }
}
