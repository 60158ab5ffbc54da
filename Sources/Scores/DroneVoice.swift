extension Score {
    /// What a drone sounds like, whatever its notes.
    public struct Voice: Sendable, Hashable {
        /// The waveform.
        public var waveform: Waveform
        /// -1 ... 1: 6 dB an octave duller ... brighter than the waveform is.
        public var brightness = 0.0
        /// How far the level wanders down, slowly, in dB, 0 ... 24.
        public var variation = 0.0
        /// Beats in Hz against a softer second sound, 0 ... 20; 0 for none.
        public var beating = 0.0
        /// The same seed gives the same variations.
        public var seed: UInt32 = 0

        /// How far the level wanders down, 0 ... 1 of it.
        package var wanderedShare: Double { 1 - Level(decibels: -variation).amplitude }

        /// Makes a voice that neither wanders nor beats.
        public init(_ waveform: Waveform = .sine) { self.waveform = waveform }
    }

    /// The voice of the drone. All but the sine are sums of harmonics below half the frame rate and 24 kHz.
    public enum Waveform: String, Sendable, CaseIterable {
        /// A pure tone.
        case sine
        /// Odd harmonics falling with the square of their number.
        case triangle
        /// All harmonics, falling with their number.
        case sawtooth
        /// Odd harmonics, falling with their number.
        case square
        /// A harmonium, simply modeled.
        case reedOrgan = "reed-organ"
        /// An oboe that never breathes, simply modeled.
        case oboe
        /// A bowed section, simply modeled; its beats are two, and irregular.
        case strings
        /// A shruti box, simply modeled.
        case shruti
    }
}

extension Score.Drone.Property {
    /// What can be said of a voice.
    static let ofVoice: [Score.Drone.Property] = [
        Self(
            "waveform", setting: "drone-waveform", \.voice.waveform, "the waveform",
            form: Score.Waveform.allCases.map(\.rawValue).joined(separator: ", "), help: "The drone's voice.",
            read: Score.Waveform.init(scoreText:), text: \.rawValue),
        Self(
            "brightness", setting: "brightness", \.voice.brightness, "the brightness", form: "-100 % to 100 %",
            help: "How much brighter or duller the drone is than its voice.",
            read: Score.Voice.brightness(scoreText:)
        ) { "\((($0 * 1e9).rounded() / 1e7).plainText) %" },
        Self(
            "variation", setting: "variation", \.voice.variation, "the variation", form: "0 dB to 24 dB",
            help: "How far the drone's level wanders, slowly.", read: Score.Voice.variation(scoreText:)
        ) { "\($0.plainText) dB" },
        Self(
            "beating", setting: "beating", \.voice.beating, "the beating", form: "0 Hz to 20 Hz",
            help: "How fast the drone beats against a second, softer sound.", read: Score.Voice.beating(scoreText:)
        ) { "\($0.plainText) Hz" },
        // A seed is a score's own: there is no setting.
        Self(
            "seed", setting: nil, \.voice.seed, "the seed", form: "0 to 4294967295", help: "Selects the variations.",
            read: Score.Voice.seed(scoreText:), text: \.description),
    ]
}

extension Score.Voice {
    /// Reads brightness, -100 % ... 100 %, as -1 ... 1. Errors: no number, outside the range.
    public static func brightness(scoreText text: String) throws(TextError) -> Double {
        try QuantityRule("the brightness", unit: "%", range: -100...100, example: "-30 %").read(text) / 100
    }

    /// Reads how far a level wanders, in dB, 0 ... 24. Errors: no number, outside the range.
    public static func variation(scoreText text: String) throws(TextError) -> Double {
        try QuantityRule("the variation", unit: "dB", range: 0...24, example: "1.5 dB").read(text)
    }

    /// Reads beats in Hz, 0 ... 20. Errors: no number, outside the range.
    public static func beating(scoreText text: String) throws(TextError) -> Double {
        try QuantityRule("the beating", unit: "Hz", range: 0...20, example: "0.5 Hz").read(text)
    }

    /// Reads a seed, a whole number. Errors: anything else.
    public static func seed(scoreText text: String) throws(TextError) -> UInt32 {
        guard let seed = UInt32(text.trimmingBlanks) else {
            throw TextError("a seed is a whole number, 0 to 4294967295", hint: "for example 7")
        }
        return seed
    }
}
