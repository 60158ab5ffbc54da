internal import Glibc

/// What frequency a pitch has: a pure value.
public struct Tuning: Sendable, Equatable {
    /// How the notes lie against each other.
    public var scale: Scale
    /// The note from which the temperament is built, in semitones above C, 0 ... 11.
    public var tonic: Int
    /// Whose written notes the pitches are.
    public var instrument: Instrument
    /// The temperature of the instruments in degrees Celsius, -20 ... 50; they are at their pitch at 20.
    public var temperature: Double

    /// Where the twelve or other notes of an octave come from.
    public enum Scale: Sendable, Equatable {
        /// One of the temperaments.
        case temperament(Temperament)
        /// A scale from a Scala file, and which keys have its degrees.
        case scala(ScalaScale, ScalaMap)
    }

    /// The temperature at which instruments are built to have their pitch, in degrees Celsius.
    public static let standardTemperature = 20.0
    /// The temperatures that can be asked for.
    public static let temperatureRange = -20.0...50.0

    /// Makes a tuning; equal temperament at concert pitch where nothing is said.
    public init(
        _ scale: Scale = .temperament(.equal), tonic: Int = 0, instrument: Instrument = .concert,
        temperature: Double = standardTemperature
    ) {
        self.scale = scale
        self.tonic = tonic
        self.instrument = instrument
        self.temperature = temperature
    }

    /// The frequency in Hz of a pitch. A4 is what it is called in every temperament; a Scala map has a reference of its
    /// own, from which A4 = `a4` departs as from 440 Hz. A frequency stays itself.
    public func frequency(of pitch: Pitch, a4: Double) -> Double {
        switch pitch {
        case .frequency(let hertz): return hertz
        case .note(let number, let cents):
            return frequency(ofNote: number &+ instrument.semitones, a4: a4) * exp2(cents / 1200) * warmth
        case .ratio(let over, let under, let number, let cents):
            return frequency(ofNote: number &+ instrument.semitones, a4: a4) * Double(over) / Double(under)
                * exp2(cents / 1200) * warmth
        }
    }

    /// f ~ sqrt(T): the speed of sound in air.
    private var warmth: Double {
        ((temperature + 273.15) / (Tuning.standardTemperature + 273.15)).squareRoot()
    }

    private func frequency(ofNote number: Int, a4: Double) -> Double {
        // What lies beyond cannot be heard, and must not overflow.
        let number = min(max(number, -1000), 1000)
        switch scale {
        case .scala(let scale, let map):
            return map.frequency(ofKey: number, in: scale) * a4 / Score.standardA4
        case .temperament(.equal):
            return a4 * exp2(Double(number - 69) / 12)
        case .temperament(let temperament):
            let cents = temperament.cents
            return a4 * exp2((height(number, cents) - height(69, cents)) / 1200)
        }
    }

    /// Cents above the tonic of octave -1.
    private func height(_ number: Int, _ cents: [Double]) -> Double {
        let above = number - min(max(tonic, 0), 11)
        let octave = Int((Double(above) / 12).rounded(.down))
        return Double(octave) * 1200 + cents[above - octave * 12]
    }
}

extension Tuning {
    /// What is unusual about it, in a word each.
    package var facts: [String] {
        var facts: [String] = []
        switch scale {
        case .temperament(.equal): break
        case .temperament(let temperament):
            facts.append(temperament.rawValue + (tonic == 0 ? "" : " on \(Score.text(tonic: tonic))"))
        case .scala(let scale, _): facts.append(scale.name)
        }
        if instrument != .concert { facts.append("written in \(instrument.rawValue)") }
        if temperature != Tuning.standardTemperature { facts.append("\(temperature.plainText) \u{B0}C") }
        return facts
    }
}

/// Instruments by the note that sounds when they play a written C.
public enum Instrument: String, Sendable, CaseIterable {
    /// Sounds as written.
    case concert = "C"
    /// Clarinet, trumpet, soprano saxophone in B flat: two semitones lower.
    case bFlat = "Bb"
    /// Clarinet, oboe d'amore in A: three semitones lower.
    case a = "A"
    /// Horn, cor anglais in F: seven semitones lower.
    case f = "F"
    /// Alto saxophone in E flat: nine semitones lower.
    case eFlat = "Eb"

    /// From the written to the sounding note.
    public var semitones: Int {
        switch self {
        case .concert: 0
        case .bFlat: -2
        case .a: -3
        case .f: -7
        case .eFlat: -9
        }
    }
}
