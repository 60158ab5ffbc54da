import Playback
import Running
import Scores
import Screens
import Shared
import Testing
import Timing
import UserSettings

@Suite("Plans on the screens")
struct RunWordsTests {
    /// A plan that plays.
    private struct Playing {
        var status: Status
        var words: RunWords
        var places: RunPlaces

        init(
            _ text: String, in unit: DistanceUnit = .kilometers, passes: Int? = 1, bars: Range<Int>? = nil,
            isPracticed: Bool = false
        ) throws {
            let plan = try #require(Plan.read(Array(text.utf8)).plan, "\(text)")
            let score = try plan.score(waits: true)
            status = .of(score, passes: passes)
            if let bars {
                let passage = Passage(Timeline(score), bars: bars, passes: passes)
                status = Status(
                    performance: Performance(of: score, passage: passage), anchor: Anchor(speed: .asWritten),
                    countsTo: nil, pause: nil, zeroHeard: 0, sound: .device("default"))
            }
            status.performance.countsPasses = !isPracticed
            words = try #require(RunWords(plan, in: unit))
            places = try #require(RunPlaces(plan))
        }

        func rows(at now: Double, columns: Int = 80, rows: Int = 24, _ choices: StandChoices = StandChoices())
            -> [String]
        {
            StandView(status, status.moment(at: seconds(now)), choices, at: seconds(now), words)
                .canvas((columns, rows), lit: nil).text
        }

        func heard(at now: Double) throws -> (bar: Moment.Bar, place: RunPlaces.Place) {
            let bar = try #require(status.moment(at: seconds(now)).bar)
            return (bar, places.place(bar, status))
        }

        func phrase(at now: Double) throws -> String {
            words.phrase(try heard(at: now).bar, status)
        }

        func line(at now: Double) -> String { StatusText.line(status, words, at: seconds(now)) }
    }

    private static let tuesday = """
        title: Tuesday
        run: 5:30/km
        walk: 10:00/km
        warm-up 35:30 @ 11:36/km, 9x(run 0:30, walk 0:30), cool-down 5:00 @ 8:00/km
        """

    @Test("for a plan, the stand shows interval, time left, next interval, distance and pace, in the words of running")
    func stand() throws {
        let rows = try Playing(RunWordsTests.tuesday).rows(at: 2130 + 4 * 60 + 8)
        #expect(rows[0] == "  Tuesday                                                              PLAYING")
        #expect(rows[1] == "  run 5 of 9, 0:22 left, then walk 0:30, 3.6 km, pace 5:30/km")
        #expect(rows[2] == "")
        #expect(rows[9] == "              ████    ████            ████████████    ████████████")
        #expect(rows[18] == "  " + String(repeating: "█", count: 20) + "▎" + String(repeating: "·", count: 55))
        #expect(rows[21] == "  │━━━━━━━━━●───────────────────────────│─────────────────────────────────────")
        #expect(rows[17] == "  interval 10 of 20")
        #expect(rows[20] == "  run 5                                 walk 5")
        #expect(rows[22] == "  100%   clicks -6 dB")
        #expect(rows[23] == "  39:38 of 49:30           Space pause   ←→ interval   ↑↓ set   ? keys   q end")
        let all = rows.joined(separator: "\n")
        for word in ["line", "bar ", "A4", "drone"] { #expect(!all.contains(word), "\(word)") }
    }

    @Test("loops and the page of keys speak of intervals and sets", arguments: [(80, 24), (100, 30), (40, 50)])
    func practice(columns: Int, count: Int) throws {
        var playing = try Playing(RunWordsTests.tuesday)
        var choices = StandChoices()
        choices.loopStart = 9
        #expect(playing.rows(at: 2130 + 4 * 60, choices)[1].hasSuffix("loop from run 5 …"))
        let loop = Passage(playing.status.home.timeline, [Passage.Stretch(9..<11)], passes: nil)
        playing.status.performance.passage = loop
        playing.status.isHome = false
        #expect(playing.rows(at: 10)[1].hasSuffix("loop run 5 - walk 5  pass 1"))

        var text = ""
        for page in 0..<StandView.helpPages(choices, (columns, count)) {
            choices.helpPage = page
            text += playing.rows(at: 10, columns: columns, rows: count, choices).joined(separator: "\n") + "\n"
        }
        for action in KeyAction.allCases where !action.standardKeys.isEmpty && action != .weakBars {
            let pair = StandHelp.pairs.first { $0.key == action || $0.value.with == action }
            let says = pair?.value.text ?? action.standKey.saysOfRun
            #expect(text.contains(says), "\(action)")
        }
        for word in [" bar", " line"] { #expect(!text.contains(word), "\(word)") }
    }

    @Test(
        "the first line has the time that intervals until the lap button take about, and without it the least time",
        arguments: [
            ("run 5:00, run until lap about 10:00, rest 1:00", 1, nil, "3 intervals, about 16:00"),
            ("run 5:00, run until lap about 10:00, rest 1:00", 2, nil, "6 intervals, about 32:00"),
            ("run 5:00, run until lap about 10:00, rest 1:00", 1, 2..<3, "1 interval, about 1:00"),
            ("run 5:00, run until lap about 10:00, rest until lap", 1, nil, "3 intervals, at least 5:00"),
        ] as [(String, Int, Range<Int>?, String)])
    func header(text: String, passes: Int, bars: Range<Int>?, expected: String) throws {
        let playing = try Playing(text, passes: passes, bars: bars)
        #expect(playing.words.header(playing.status).contains(expected), "\(playing.words.header(playing.status))")
        var later = playing.status
        later.performance.first = 1
        guard passes > 1 else { return }
        #expect(playing.words.header(later).contains("5 intervals, about 27:00"), "\(playing.words.header(later))")
    }

    @Test("a small stand shows the same on two rows")
    func smallStand() throws {
        let rows = try Playing(RunWordsTests.tuesday).rows(at: 2130 + 4 * 60 + 8, columns: 40, rows: 10)
        #expect(rows[1] == "run 5 of 9, 0:22 left")
        #expect(rows[6] == "3.6 km, pace 5:30/km      then walk 0:30")
        #expect(rows[9] == "39:38 of 49:30   100%             ? keys")
    }

    @Test("the large digits are a clock, or the number of the interval")
    func digits() throws {
        let playing = try Playing("run 20:00, walk 1:00")
        let drawn = try Playing("run 20:00, walk 1:00").rows(at: 0.5)
        #expect(drawn != playing.rows(at: 1.5))
        #expect(drawn[5..<15] == playing.rows(at: 0.9)[5..<15])
        var choices = StandChoices()
        choices.digits = .bar
        #expect(playing.rows(at: 0.5, choices)[5..<15] == playing.rows(at: 500, choices)[5..<15])
    }

    @Test("a name that occurs once has no number, a label is the name, and a distance is shown")
    func names() throws {
        let playing = try Playing("warm-up 1:00, run \"Hill\" 400m @ 5:00/km, rest 1:00, run \"Hill\" 400m @ 5:00/km")
        #expect(try playing.phrase(at: 10) == "warm-up, 0:50 left, then Hill 400 m")
        #expect(try playing.phrase(at: 60) == "Hill 1 of 2, 2:00 left, then rest 1:00, pace 5:00/km")
        #expect(try playing.phrase(at: 241) == "Hill 2 of 2, 1:59 left, then the end, pace 5:00/km")
    }

    @Test("a rest covers no distance, and without all paces no distance is shown")
    func distances() throws {
        let playing = try Playing("2x(run 400m @ 5:00/km, rest 1:00)")
        #expect(try playing.phrase(at: 60) == "run 1 of 2, 1:00 left, then rest 1:00, 200 m, pace 5:00/km")
        #expect(try playing.phrase(at: 150) == "rest 1 of 2, 0:30 left, then run 400 m, 400 m")
        #expect(try Playing("rest 1:00, run 1:00").phrase(at: 30) == "rest, 0:30 left, then run 1:00")
    }

    @Test("distances and paces are in miles if the plan is")
    func miles() throws {
        let playing = try Playing("2x(run 10:00 @ 10:00/mi, walk 1:00 @ 20:00/mi)", in: .miles)
        #expect(try playing.phrase(at: 300) == "run 1 of 2, 5:00 left, then walk 1:00, 0.5 mi, pace 10:00/mi")
    }

    @Test("a plan without an end counts on in each round, without a total")
    func endless() throws {
        let playing = try Playing("(run 0:30 @ 5:00/km, walk 0:30 @ 10:00/km), forever", passes: nil)
        #expect(try playing.phrase(at: 130) == "run 3, 0:20 left, then walk 0:30, 333 m, pace 5:00/km")
        #expect(try playing.heard(at: 130).place.interval == 5)
        #expect(playing.line(at: 130) == "run 3, 0:20 left, then walk 0:30, 333 m, pace 5:00/km, 2:10")
    }

    @Test("a part of a plan counts distance from its start, and a slower run has a slower pace")
    func passages() throws {
        let text = "run 1km @ 5:00/km, walk 1:00 @ 10:00/km, run 1km @ 5:00/km"
        #expect(
            try Playing(text, bars: 1..<3).phrase(at: 60 + 150)
                == "run 2 of 2, 2:30 left, then the end, 600 m, pace 5:00/km")
        // In a loop that is chosen while the plan plays, time and distance are those of the plan.
        let loop = try Playing(text, passes: nil, bars: 1..<2, isPracticed: true)
        for time in [30.0, 90] { #expect(try loop.heard(at: time).place.distance == Distance(meters: 1050)) }
        var slow = try Playing(text)
        slow.status.anchor = Anchor(speed: try speed(500_000))
        #expect(try slow.phrase(at: 300) == "run 1 of 2, 5:00 left, then walk 2:00, 500 m, pace 10:00/km")
    }

    @Test("in a practice program, an interval has the pace at which it is played, and no effort of another pace")
    func programs() throws {
        var playing = try Playing("threshold: 5:00/km\nrun 1:00 @ 100%, walk 1:00")
        let half = Passage.Stretch(0..<1, speed: try speed(500_000))
        playing.status.performance.passage = Passage(
            playing.status.home.timeline, [half, Passage.Stretch(0..<1)], passes: 1)
        #expect(try playing.phrase(at: 60) == "run, 1:00 left, then run 1:00, pace 10:00/km")
        #expect(try playing.phrase(at: 150).hasSuffix("100%, pace 5:00/km"))
        #expect(StatusText.json(playing.status, playing.words, at: seconds(60)).contains("\"pace_s_per_km\": 600.000"))
    }

    @Test("lines of text have start, interval, length, distance and pace")
    func lines() throws {
        let playing = try Playing(RunWordsTests.tuesday)
        #expect(playing.words.header(playing.status) == "Tuesday, 20 intervals, 49:30")
        #expect(
            playing.words.line(9, playing.status)
                == "    39:30  run 5 of 9, 0:30, 3.6 km, pace 5:30/km")
        let plain = try Playing("run 0:00.5, walk 1:00")
        #expect(plain.words.line(1, plain.status) == "   0:00.5  walk, 1:00")
    }

    @Test("status says the same, and in JSON the names of numbers contain their units")
    func status() throws {
        let playing = try Playing(RunWordsTests.tuesday)
        let now = 2130.0 + 4 * 60 + 7.5
        #expect(
            playing.line(at: now)
                == "Tuesday, run 5 of 9, 0:23 left, then walk 0:30, 3.6 km, pace 5:30/km, 39:37 of 49:30")
        let json = StatusText.json(playing.status, playing.words, at: seconds(now))
        #expect(
            json.hasSuffix(
                """
                "left_s": 22.500, "elapsed_s": 2377.500, "total_s": 2970.000, "hold_left_s": null, \
                "waited_s": null, "interval": 10, "intervals": 20, \
                "kind": "run", "name": "run", "name_number": 5, "name_count": 9, "distance_m": 3646.708, \
                "pace_s_per_km": 330.000, "effort": null, "next_kind": "walk", "next_name": "walk", "next_s": 30.000, \
                "until": null}
                """), "\(json)")
        #expect(!StatusText.json(.of(), at: seconds(1)).contains("interval"))
    }

    /// A plan that waits at its second interval since 70 seconds.
    private static func waiting() throws -> Playing {
        var playing = try Playing("title: Track\nrun 1:00 @ 5:00/km, 2x(rest until lap, run 400m @ 4:00/km)")
        playing.status.held = HeldMusic(boundary: 1, position: .milliseconds(60_001), length: .zero)
        return playing
    }

    @Test("the stand counts up in an interval until the lap button, and the space bar is that button")
    func openStand() throws {
        let playing = try Self.waiting()
        let rows = playing.rows(at: 130)
        #expect(rows[0].hasSuffix(" UNTIL LAP"))
        #expect(rows[1] == "  rest 1 of 2, +1:09 until lap, then run 400 m")
        #expect(rows[23] == "  1:00 of 4:12 timed         Space lap   ←→ interval   ↑↓ set   ? keys   q end")
        #expect(rows[18] == "  " + String(repeating: "·", count: 76))
        // The interval has no width on the strip, and its name does not cover another.
        #expect(rows[20] == "  rest 1^")
        #expect(try Playing("run 0:03, rest until lap, run 1:36").rows(at: 1)[20] == "  run 1")
        #expect(rows != playing.rows(at: 131))
    }

    @Test(
        "of a short interval that is not whole, tenths are left, and never more than it lasts; of others, whole seconds"
    )
    func shortIntervals() throws {
        let short = try Playing("4x(rest 0:00.7)")
        #expect(try short.phrase(at: 0) == "rest 1 of 4, 0:00.7 left, then rest 0:00.7")
        #expect(try short.phrase(at: 0.65) == "rest 1 of 4, 0:00.1 left, then rest 0:00.7")
        let rests = try Playing("rest 0:01.5, rest 0:05, rest 0:10.5")
        #expect(try rests.phrase(at: 0.05) == "rest 1 of 3, 0:01.5 left, then rest 0:05")
        #expect(try rests.phrase(at: 1.6) == "rest 2 of 3, 0:05 left, then rest 0:10.5")
        #expect(try rests.phrase(at: 6.6) == "rest 3 of 3, 0:11 left, then the end")
    }

    @Test("pipes, notifications and status name the lap button, and no time left")
    func openTexts() throws {
        let playing = try Self.waiting()
        #expect(playing.words.header(playing.status) == "Track, 5 intervals, at least 4:12")
        #expect(
            playing.words.line(1, playing.status)
                == "     1:00  rest 1 of 2, until lap (`barline continue` goes on)")
        #expect(
            playing.line(at: 130)
                == "Track, rest 1 of 2, +1:09 until lap, then run 400 m, 1:00 of 4:12 timed, holding "
                + "(`barline continue` to go on)")
        let heard = try playing.heard(at: 130)
        let texts = NotificationScreen.texts(playing.status, heard.bar, playing.words)
        #expect(texts.title == "Rest 1 of 2, until lap" && texts.text == "then run 400 m\n1:00 of 4:12 timed")
        let json = StatusText.json(playing.status, playing.words, at: seconds(130))
        for part in [
            "\"holding\"", "\"left_s\": null", "\"total_s\": null", "\"until\": \"lap\"", "\"distance_m\": null",
        ] {
            #expect(json.contains(part), "\(json)")
        }
        var before = playing
        before.status.held = nil
        #expect(try before.phrase(at: 30) == "run 1 of 3, 0:30 left, then rest until lap, pace 5:00/km")
        #expect(StatusText.json(before.status, before.words, at: seconds(30)).contains("\"next_s\": null"))
    }

    @Test("a notification has the interval as its title, and says what comes next")
    func notification() throws {
        let playing = try Playing(RunWordsTests.tuesday)
        let heard = try playing.heard(at: 2130 + 4 * 60)
        let texts = NotificationScreen.texts(playing.status, heard.bar, playing.words)
        #expect(texts.title == "Run 5 of 9, 0:30")
        #expect(texts.text == "then walk 0:30, 3.6 km, pace 5:30/km\n39:30 of 49:30")
    }

    @Test("the last line says the interval and the distance")
    func farewell() throws {
        var playing = try Playing(RunWordsTests.tuesday)
        playing.status = playing.status.stopped(at: seconds(2130 + 4 * 60 + 8))
        #expect(
            StandScreen.farewell(playing.status, playing.words)
                == "Tuesday: stopped in run 5 of 9, 3.6 km, 39:38 of 49:30\n")
    }

    @Test("a plan without intervals has no words of its own, and a score's bars are those of no plan")
    func none() {
        #expect(RunWords(Plan(), in: .kilometers) == nil)
        #expect(ScoreWords().parts == .bars && ScoreWords().row(0, .of()) == nil && !ScoreWords().isOpen(0, .of()))
    }

    @Test("the distance is the sum of pace times time, whatever the plan")
    func sums() throws {
        var random = Seeded(state: 17)
        for _ in 0..<300 {
            var intervals: [(time: Int, pace: Int)] = []
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                intervals.append((.random(in: 1...600, using: &random), .random(in: 180...900, using: &random)))
            }
            let text = intervals.map { "run \($0.time) s @ \($0.pace / 60):\(two($0.pace % 60))/km" }
                .joined(separator: ", ")
            let playing = try Playing(text)
            let total = intervals.reduce(0) { $0 + $1.time }
            let now = Double.random(in: 0..<Double(total), using: &random)
            var (left, meters) = (now, 0.0)
            for interval in intervals {
                meters += min(left, Double(interval.time)) / Double(interval.pace) * 1000
                left = max(left - Double(interval.time), 0)
            }
            let found = try #require(try playing.heard(at: now).place.distance).meters
            #expect(abs(found - meters) < 1e-3, "\(text) at \(now)")
        }
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
