import Formats
import Scores
import Testing
import UserSettings

@Suite("Layers of settings")
struct LayerTests {
    private let origins: [Settings.Layer: Settings.Origin] = [
        .environment: .environment("BARLINE_A4"), .score: .score, .file: .file("/c.yaml", line: 3),
    ]

    @Test("in every combination, the layer with the highest precedence counts")
    func order() throws {
        for mask in 0..<8 {
            var settings = Settings()
            var strongest: Settings.Layer?
            for (n, layer) in Settings.Layer.allCases.enumerated() where mask >> n & 1 == 1 {
                try settings.take(.init("44\(n)", origins[layer] ?? .standard), for: Setting.a4.setting, in: layer)
                strongest = strongest ?? layer
            }
            let found = settings.found(Setting.a4.setting)
            guard let strongest, let n = Settings.Layer.allCases.firstIndex(of: strongest) else {
                #expect(found == .init("440", .standard))
                #expect(settings.given(Setting.a4) == nil && settings[Setting.a4] == 440)
                continue
            }
            #expect(found == .init("44\(n)", origins[strongest] ?? .standard))
            #expect(settings[Setting.a4] == 440 + Double(n))
        }
    }

    @Test("an invalid value changes nothing")
    func refused() throws {
        var settings = Settings()
        try settings.take(.init("442", .environment("BARLINE_A4")), for: Setting.a4.setting, in: .environment)
        #expect(throws: TextError.self) {
            try settings.take(.init("99", .score), for: Setting.a4.setting, in: .environment)
        }
        #expect(settings[Setting.a4] == 442)
    }

    @Test("variables are read, empty ones are ignored, and an invalid one is reported by its name")
    func environment() {
        var settings = Settings()
        let faults = settings.take(environment: [
            "BARLINE_A4": "443", "BARLINE_DRONE": "", "BARLINE_SPEED": "fast", "BARLINE_LOG": "debug", "A4": "439",
        ])
        #expect(faults == ["BARLINE_SPEED: 'fast' is not a speed, for example 80%"])
        #expect(settings.found(Setting.a4.setting) == .init("443", .environment("BARLINE_A4")))
        #expect(settings.found(Setting.drone.setting).origin == .standard)
        #expect(settings.found(Setting.speed.setting).origin == .standard)
    }

    @Test("a setting without effect says why, until the other setting changes")
    func idleness() throws {
        var settings = Settings()
        #expect(settings.idleness(of: Setting.flashColor.setting) == "flash is off")
        #expect(settings.idleness(of: Setting.midiKeys.setting) == "midi-in is off")
        // Plans have a countdown and speech by default, unless the user turns them off.
        for (setting, other) in [
            (Setting.countdownTo.setting, Setting.countdown.setting),
            (Setting.language.setting, Setting.speak.setting), (Setting.speechLevel.setting, Setting.speak.setting),
        ] {
            #expect(settings.idleness(of: setting) == nil)
            var silent = settings
            try silent.take(.init("off", .file("c", line: 1)), for: other, in: .file)
            #expect(silent.idleness(of: setting) == "\(other.name) is off")
        }
        // An unknown score may have a drone; a score without one makes the drone's level idle.
        #expect(settings.idleness(of: try Setting.named("drone-level")) == nil)
        var without = settings
        without.take(Score(lines: []), preferences: [])
        #expect(without.idleness(of: try Setting.named("drone-level")) == "drone is off")
        without.take(Score(drone: Score.Drone(), lines: []), preferences: [.drone])
        #expect(without.idleness(of: try Setting.named("drone-level")) == nil)
        try settings.take(.init("off", .file("c", line: 1)), for: Setting.drone.setting, in: .file)
        #expect(settings.idleness(of: try Setting.named("drone-level")) == "drone is off")
        #expect(settings.idleness(of: Setting.lineSound.setting) == nil)
        #expect(settings.idleness(of: Setting.tonic.setting) == nil)
        try settings.take(.init("young", .file("c", line: 1)), for: Setting.tuning.setting, in: .file)
        #expect(settings.idleness(of: Setting.keyboardMap.setting) == "tuning is not a Scala file")
        for (setting, text) in [
            (Setting.drone.setting, "B4"), (Setting.oneSound.setting, "on"), (Setting.tuning.setting, "x.scl"),
        ] {
            try settings.take(.init(text, .file("c", line: 1)), for: setting, in: .file)
        }
        #expect(settings.idleness(of: try Setting.named("drone-level")) == nil)
        #expect(settings.idleness(of: Setting.lineSound.setting) == "one-sound is on")
        #expect(settings.idleness(of: Setting.tonic.setting) == "tuning is a Scala file")
        #expect(settings.idleness(of: Setting.keyboardMap.setting) == nil)
    }

    /// Two values of each setting that is a preference of scores; none is the default.
    private static let samples = [
        "a4": ("442", "443"), "drone": ("A4", "D4, A4 -6dB"), "drone-level": ("-30 dB", "-12 dB"),
        "drone-waveform": ("oboe", "strings"), "brightness": ("10 %", "-20 %"), "variation": ("1 dB", "2 dB"),
        "beating": ("0.5 Hz", "1 Hz"), "fade": ("2", "0.5"), "tuning": ("werckmeister3", "young"), "tonic": ("D", "Eb"),
        "instrument": ("Bb", "F"), "temperature": ("24 C", "-5 C"), "keyboard-map": ("none", "none"),
        "count-in": ("4", "2.5"), "speed": ("80%", "90%"), "beats": ("on", "on"), "subdivide": ("2", "3"),
        "grid": ("seconds", "4 parts"),
    ]

    @Test("a score with the settings applied has the values of the layers, in any combination", arguments: 0..<400)
    func applied(seed: Int) throws {
        var random = SeededGenerator(seed)
        // A score that states some preferences, as text, so that they are read and not constructed.
        var keys: [String] = []
        var drone: [String] = []
        for preference in Score.Preference.all where Bool.random(using: &random) {
            let value = try #require(Self.samples[preference.name]).0
            let property = Score.Drone.properties.first { $0.setting == preference.name }
            switch preference {
            case .drone: drone.append("notes: \"\(value)\"")
            case .keyboardMap: continue
            default:
                if let property {
                    drone.append("\(property.key): \(value)")
                } else {
                    keys.append("\(preference.name): \(value)")
                }
            }
        }
        if !drone.isEmpty { keys.append("drone: {\(drone.joined(separator: ", "))}") }
        let text = keys.map { $0 + "\n" }.joined() + "bars: [1]\n"
        let reading = Score.read(Array(text.utf8), file: "s.yaml")
        let score = try #require(reading.score, "\(reading.diagnostics)")

        var settings = Settings()
        for preference in Score.Preference.all {
            let setting = try Setting.named(preference.name)
            let (one, other) = try #require(Self.samples[preference.name])
            if Int.random(in: 0..<3, using: &random) == 0 {
                let off = preference == .drone && Bool.random(using: &random)
                try settings.take(.init(off ? "off" : other, .environment("V")), for: setting, in: .environment)
            }
            if Bool.random(using: &random) {
                try settings.take(.init(one, .file("c", line: 1)), for: setting, in: .file)
            }
        }
        let applied = settings.applied(to: score, preferences: reading.preferences)
        var layered = settings
        layered.take(score, preferences: reading.preferences)
        for preference in Score.Preference.all {
            let setting = try Setting.named(preference.name)
            let said = layered.found(setting)
            var expected = Settings()
            if setting.need != nil, applied.drone == nil { continue }
            // Both sides as texts of a score.
            expected.take(applied, preferences: [preference])
            let isDefault = said.origin == .standard
            let other =
                isDefault
                ? score.drone == nil ? setting.standard : preference.text(score) ?? setting.standard : said.text
            #expect(try same(setting, expected.found(setting).text, other), "\(preference) \(text)")
        }
        #expect(applied.sections == score.sections && applied.title == score.title)
    }

    private func same(_ setting: Setting, _ a: String, _ b: String) throws -> Bool {
        func normal(_ text: String) throws -> String {
            var settings = Settings()
            try settings.take(.init(text, .environment("V")), for: setting, in: .environment)
            let score = settings.applied(
                to: Score(drone: setting.name == "drone" ? nil : Score.Drone(), lines: []), preferences: [])
            return try #require(setting.preference).text(score) ?? "none"
        }
        return try normal(a) == normal(b)
    }
}

/// A generator that gives the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
