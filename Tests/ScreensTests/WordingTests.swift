import Playback
import Scores
import Screens
import Testing
import Timing

@Suite("Wording")
struct WordingTests {
    @Test(
        "the remaining time is rounded up, and is zero only at zero",
        arguments: [
            (0, "0.0"), (1, "0.1"), (99_999_999, "0.1"), (100_000_000, "0.1"), (100_000_001, "0.2"),
            (2_950_000_000, "3.0"), (3_000_000_000, "3.0"), (59_900_000_001, "60.0"), (-1, "0.0"),
            (-5_000_000_000, "0.0"),
        ])
    func left(nanoseconds: Int, text: String) {
        #expect(Wording.left(.nanoseconds(nanoseconds)) == text)
    }

    @Test("a remaining attosecond is shown as a tenth of a second")
    func attosecond() {
        #expect(Wording.left(Duration(attoseconds: 1)) == "0.1")
        #expect(Wording.left(.seconds(2) + Duration(attoseconds: 1)) == "2.1")
    }

    @Test("a clock is minutes and seconds, never negative")
    func clock() {
        #expect(Wording.clock(.milliseconds(293_800)) == "4:53.8")
        #expect(Wording.clock(.seconds(3725)) == "1:02:05.0")
        #expect(Wording.clock(.seconds(-3)) == "0:00.0")
    }

    @Test(
        "the drone is named as the score names it",
        arguments: [
            (Score.Drone(), "drone B4 493.88 Hz"),
            (Score.Drone(pitch: .note(62, cents: 0)), "drone D4 293.66 Hz"),
            (Score.Drone(pitch: .note(70, cents: 14)), "drone Bb4+14c 469.95 Hz"),
            (Score.Drone(pitch: .frequency(442.5)), "drone 442.50 Hz"),
            (Score.Drone(notes: [.init(.note(52, cents: 0)), .init(.note(59, cents: 0))]), "drone E3, B3"),
            (nil, "no drone"),
        ] as [(Score.Drone?, String)])
    func drone(drone: Score.Drone?, text: String) {
        var score = Score.piece
        score.drone = drone
        let performance = Status.of(score).performance
        #expect(Wording.drone(performance.drone, performance) == text)
    }

    @Test("the drone that is named is the one that sounds at the place: another one, none, and the last again")
    func droneOfPlace() throws {
        let score = try Score.of(
            "drone: {pitch: A4, fade: 10 ms}\n"
                + "bars: [2, {duration: 2, drone: A3}, 2, {duration: 2, drone: off}, 2, {duration: 2, drone: on}]\n")
        let names = ["A4 440.00 Hz", "A3 220.00 Hz", "A3 220.00 Hz", nil, nil, "A3 220.00 Hz"]
        for (n, name) in names.enumerated() {
            let status = Status.of(score, anchor: Anchor(position: .seconds(2 * n), speed: .asWritten))
            let drone = name.map { "drone \($0)" } ?? "no drone"
            let level = name == nil ? "" : " -24 dB"
            #expect(ScoreWords().header(status).hasSuffix(", 100%, \(drone)"))
            #expect(ScoreWords().settings(status, at: n).contains("   \(drone)\(level)   clicks"))
            let value = BarTexts.values(status, at: n).first { $0.name == "drone" }?.text
            #expect(value == name.map { "\($0.prefix(2))" } ?? "")
            var followsPlayer = status
            followsPlayer.performance.followsDroneChanges = false
            #expect(ScoreWords().settings(followsPlayer, at: n).contains("drone A4 440.00 Hz -24 dB"))
        }
    }

    @Test(
        "a title needs no composer, and a composer needs no title",
        arguments: [
            ("Piece", "Nobody", "Piece · Nobody"), ("Piece", nil, "Piece"), (nil, "Nobody", "Nobody"), (nil, nil, ""),
        ] as [(String?, String?, String)])
    func title(title: String?, composer: String?, text: String) {
        var score = Score.piece
        (score.title, score.composer) = (title, composer)
        #expect(Wording.title(Status.of(score).performance) == text)
    }

    @Test("all problems are named; without problems, nothing is shown")
    func trouble() {
        #expect(Wording.trouble(.of()) == nil)
        #expect(Wording.trouble(.of(sound: .silent("no card"))) == "no sound: counting silently")
        var status = Status.of(sound: .lost("hw:1", reason: "No such device"))
        #expect(Wording.trouble(status) == "sound device 'hw:1' lost: No such device")
        status.xruns = 2
        status.lostClicks = 3
        #expect(
            Wording.trouble(status)
                == "sound device 'hw:1' lost: No such device, 2 dropouts (xruns), 3 clicks lost")
        status.sound = .device("default")
        #expect(Wording.trouble(status) == "2 dropouts (xruns), 3 clicks lost")
    }
}
