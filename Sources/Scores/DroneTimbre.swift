internal import Languages

extension Score {
    /// The timbre of a drone, which is the same for all its notes.
    public struct Timbre: Sendable, Hashable {
        /// The waveform.
        public var waveform: Waveform
        /// How much brighter (up to 1) or duller (down to -1) it is than the waveform, in units of 6 dB per octave.
        public var brightness = 0.0
        /// How far the level slowly wanders down, in dB, 0 ... 24.
        public var variation = 0.0
        /// The rate of beats against a softer second sound, in Hz, 0 ... 20; 0 = off.
        public var beating = 0.0
        /// The same seed gives the same variations.
        public var seed: UInt32 = 0

        /// The fraction of the amplitude by which the level wanders down at most, 0 ... 1.
        package var wanderedShare: Double { 1 - Level(decibels: -variation).amplitude }

        /// Whether every partial stays as loud as it is.
        package var isSteady: Bool { variation == 0 && beating == 0 && waveform != .strings }

        /// Makes a timbre that neither wanders nor beats.
        public init(_ waveform: Waveform = .sine) { self.waveform = waveform }
    }

    /// The waveform of a drone. All except the sine are sums of harmonics below half the frame rate and 24 kHz.
    public enum Waveform: String, Sendable, CaseIterable {
        /// A pure tone.
        case sine
        /// Odd harmonics, the nth with 1/n² of the amplitude of the first.
        case triangle
        /// All harmonics, the nth with 1/n of the amplitude of the first.
        case sawtooth
        /// Odd harmonics, the nth with 1/n of the amplitude of the first.
        case square
        /// A simple model of a harmonium.
        case reedOrgan = "reed-organ"
        /// A simple model of an oboe that never breathes.
        case oboe
        /// A simple model of a bowed string section. It beats against two sounds, hence irregularly.
        case strings
        /// A simple model of a shruti box.
        case shruti
    }
}

extension Score.Drone {
    private static let waveforms = Score.Waveform.allCases.map(\.rawValue)

    /// The properties of a timbre.
    static let propertiesOfTimbre: [Property] = [
        Property(
            "waveform", \.timbre.waveform, localized("the waveform"),
            setting: "drone-waveform", form: waveforms.joined(separator: ", "), help: localized("The drone's voice."),
            option: .init(
                "waveform", "drone-waveform", value: "name",
                help: localized("The drone's voice: \(waveforms.joined(separator: ", "))."), words: waveforms),
            read: Score.Waveform.init(scoreText:), text: \.rawValue),
        Property(
            "brightness", \.timbre.brightness, localized("the brightness"),
            setting: "brightness", form: Score.Timbre.brightnessRule.form,
            help: localized("The brightness of the drone: negative is duller than its voice."),
            option: .init(
                "brightness", value: "percent",
                help: localized("The brightness of the drone: -100% (dull) to 100% (bright).")),
            read: Score.Timbre.brightness(scoreText:), text: { "\((($0 * 1e9).rounded() / 1e7).plainText) %" }),
        Property(
            "variation", \.timbre.variation, localized("the variation"),
            setting: "variation", form: Score.Timbre.variationRule.form,
            help: localized("The range of slow variations of the drone's level."),
            option: .init(
                "variation", value: "dB", help: localized("The range of slow variations of the drone's level: 1.5dB.")),
            read: Score.Timbre.variation(scoreText:), text: { "\($0.plainText) dB" }),
        Property(
            "beating", \.timbre.beating, localized("the beating"),
            setting: "beating", form: Score.Timbre.beatingRule.form,
            help: localized("The rate of beats with a second, softer voice."),
            option: .init(
                "beating", value: "Hz", help: localized("The rate of beats with a second, softer voice: 0.5Hz.")),
            read: Score.Timbre.beating(scoreText:), text: { "\($0.plainText) Hz" }),
        // There is no setting for the seed: it belongs to a score.
        Property(
            "seed", \.timbre.seed, localized("the seed"),
            option: .init(
                "drone-seed", value: "n",
                help: localized("The seed of the variations: the same seed gives the same variations.")),
            read: Score.Timbre.seed(scoreText:), text: \.description),
    ]
}

extension Score.Timbre {
    fileprivate static let brightnessRule = QuantityRule(
        localized("the brightness"), unit: "%", range: -100...100, example: "-30 %")
    fileprivate static let variationRule = QuantityRule(
        localized("the variation"), unit: "dB", range: 0...24, example: "1.5 dB")
    fileprivate static let beatingRule = QuantityRule(
        localized("the beating"), unit: "Hz", range: 0...20, example: "0.5 Hz")

    /// Reads brightness, -100 % ... 100 %, as -1 ... 1. Errors: not a number, outside the range.
    public static func brightness(scoreText text: String) throws(TextError) -> Double {
        try brightnessRule.read(text) / 100
    }

    /// Reads how far a level wanders, in dB, 0 ... 24. Errors: not a number, outside the range.
    public static func variation(scoreText text: String) throws(TextError) -> Double {
        try variationRule.read(text)
    }

    /// Reads the rate of beats in Hz, 0 ... 20. Errors: not a number, outside the range.
    public static func beating(scoreText text: String) throws(TextError) -> Double {
        try beatingRule.read(text)
    }

    /// Reads a seed. Errors: not a whole number, outside 0 ... 4294967295.
    public static func seed(scoreText text: String) throws(TextError) -> UInt32 {
        guard let seed = UInt32(text.trimmingBlanks) else {
            throw TextError(
                localized("a seed must be a whole number, 0 to 4294967295"), hint: localized("for example 7"))
        }
        return seed
    }
}
