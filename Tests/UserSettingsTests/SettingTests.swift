import Scores
import UserSettings
import Testing

@Suite("Each setting")
struct SettingTests {
    @Test("the default of every setting is valid", arguments: Setting.all.map(\.name))
    func defaults(name: String) throws {
        let setting = try Setting.named(name)
        try setting.check(setting.standard)
        #expect(!setting.help.isEmpty && setting.help.hasSuffix("."))
        #expect(!setting.form.isEmpty)
    }

    @Test("names are unique and in kebab case, and variables are unique")
    func names() {
        let names = Setting.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(Setting.all.map(\.variable)).count == names.count)
        for name in names {
            #expect(name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(name)")
        }
        #expect((try? Setting.named("drone-level"))?.variable == "BARLINE_DRONE_LEVEL")
    }

    @Test("every preference of a score has a setting of its name, and no other setting has a preference")
    func preferences() {
        let preferences = Setting.all.compactMap(\.preference)
        #expect(
            Set(preferences) == Set(Score.Preference.all) && preferences.count == Score.Preference.all.count)
        for setting in Setting.all {
            #expect(setting.preference == nil || setting.preference?.name == setting.name)
        }
    }

    @Test("a setting that another one depends on exists, and depends on none itself")
    func needs() throws {
        for setting in Setting.all {
            guard let need = setting.need else { continue }
            let other = try Setting.named(need.name)
            #expect(other.name != setting.name && other.need == nil, "\(setting.name)")
        }
    }

    @Test("a mistyped name gets the nearest name as a suggestion")
    func nearest() {
        #expect(throws: TextError("there is no setting 'a5'", hint: "did you mean 'a4'?")) {
            try Setting.named("a5")
        }
        #expect(throws: TextError("there is no setting 'drone-levl'", hint: "did you mean 'drone-level'?")) {
            try Setting.named("drone-levl")
        }
        #expect(throws: TextError("there is no setting 'oboe\u{FFFD}'", hint: "`barline config` lists them")) {
            try Setting.named("oboe\u{1B}")
        }
    }

    @Test(
        "the error about an invalid value says what is valid",
        arguments: [
            ("a4", "4420", "A4 must be 380 Hz to 480 Hz, for example 442"),
            ("a4", "", "the frequency of A4 is missing, for example 442"),
            ("drone", "H4", "'H4' is not a pitch; the German H is B, and the German B is Bb: write B4"),
            ("one-sound", "maybe", "'maybe' is neither on nor off; write on or off"),
            ("beats", "", "a value is missing; write on or off"),
            (
                "flash", "scren",
                "'scren' is not a kind of flash; write off, screen or border, did you mean 'screen'?"
            ),
            ("flash-color", "oragne", "'oragne' is not a color; did you mean 'orange'?"),
            (
                "flash-color", "",
                "a color is missing; text after a bare '#' is a comment: write ff8000 or \"#ff8000\""
            ),
            ("digits", "x", "'x' is not a choice for the digits; write seconds or bar"),
            ("latency", "99999", "the time must be -10000 to 10000 ms"),
            ("latency", "soon", "'soon' is not a number of milliseconds, for example 180"),
            ("countdown", "11", "a countdown must be 1 to 10 seconds, or off"),
            (
                "speak", "bar",
                "'bar' is not a list of bars, lines, labels, cues, intervals, durations, counts, pace, speed, distance and finish, "
                    + "for example lines,bars:4 or cues,pace"
            ),
            ("device", " ", "the name of a device is missing"),
            ("count-in", "99", "a count-in lasts at most 60 s"),
            ("speed", "0.8", "the speed must be 5 % to 1000 %; for 0.8 times the speed write 80%"),
            ("device", "a\nb", "a value must be one line without control characters"),
        ])
    func faults(name: String, text: String, why: String) throws {
        let setting = try Setting.named(name)
        do throws(TextError) {
            try setting.check(text)
            Issue.record("'\(text)' was taken")
        } catch {
            #expect("\(error)" == why)
        }
    }

    @Test("wherever off is a value, so are no and false, and they mean the same")
    func off() throws {
        let settings = Setting.all.filter { (try? $0.check("off")) != nil && $0.form.contains("off") }
        #expect(settings.count > 30)
        for setting in settings {
            for word in ["no", " FALSE "] {
                #expect(throws: Never.self, "\(setting.name)") { try setting.check(word) }
            }
        }
        #expect(try Setting.midiIn.value("no") == nil && Setting.midi.value("no").isEmpty)
        #expect(try Setting.ltcChannel.value("no") == nil && Setting.flash.value("no") == .off)
        let needs = settings.compactMap(\.need).filter { $0.words.hasSuffix(" is off") }
        #expect(!needs.isEmpty)
        for need in needs { #expect(!need.isMet("no") && !need.isMet("off") && need.isMet("on")) }
    }

    @Test("values are read in all their forms")
    func values() throws {
        #expect(try Setting.latency.value("auto") == nil)
        #expect(try Setting.latency.value("-20.5 ms") == -20.5)
        #expect(try Setting.wait.value("On") == true)
        #expect(try Setting.oneSound.value("true") && !Setting.oneSound.value("no"))
        #expect(try Setting.flashColor.value("#D55e00") == Color(red: 0xD5, green: 0x5E, blue: 0))
        #expect(try Setting.flashColor.value("rust") == Setting.flashColor.value("d55e00"))
        #expect(try Setting.drone.value("Off") == .off)
        #expect(try Setting.drone.value("A4, E5 -6dB") == .notes(Score.Drone.notes(scoreText: "A4, E5 -6dB")))
        #expect(try Setting.tuning.value("scales/slendro.scl") == "scales/slendro.scl")
        #expect(try Setting.keyboardMap.value("none") == "")
        #expect(try Setting.speak.value("lines, bars:4")?.bars == 4)
        #expect(try Setting.speak.value("counts")?.counts == true)
        let ofPlans = try Setting.speak.value("pace,speed,distance,finish")
        #expect(ofPlans.map { $0.pace && $0.speed && $0.distance && $0.finish && !$0.cues } == true)
        #expect(try Setting.countdown.value("off") == 0)
        #expect(try Setting.lineSound.value("accent") == .accent)
    }
}
