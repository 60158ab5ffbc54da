internal import Glibc
internal import Languages

/// Maps pitches to frequencies; a pure value.
public struct Tuning: Sendable, Equatable {
    /// How the notes are tuned relative to each other.
    public var scale: Scale
    /// The note from which the temperament is built, in semitones above C, 0 ... 11.
    public var tonic: Int
    /// The instrument whose written notes the pitches are.
    public var instrument: Instrument
    /// The temperature of the instruments in degrees Celsius, -20 ... 50; at 20 degrees they are at their nominal
    /// pitch.
    public var temperature: Double

    /// The source of the notes of an octave.
    public enum Scale: Sendable, Equatable {
        /// One of the temperaments.
        case temperament(Temperament)
        /// A scale from a Scala file, and the keyboard map for its degrees.
        case scala(ScalaScale, ScalaMap)
    }

    /// The temperature at which instruments are at their nominal pitch, in degrees Celsius.
    public static let standardTemperature = 20.0
    /// The valid temperatures, in degrees Celsius.
    public static let temperatureRange = -20.0...50.0

    /// Makes a tuning; by default equal temperament at concert pitch.
    public init(
        _ scale: Scale = .temperament(.equal), tonic: Int = 0, instrument: Instrument = .concert,
        temperature: Double = standardTemperature
    ) {
        (self.scale, self.tonic, self.instrument, self.temperature) = (scale, tonic, instrument, temperature)
    }

    /// The frequency of a pitch in Hz. In every temperament A4 has the frequency `a4`. A Scala map has a reference of
    /// its own; its frequencies are multiplied by `a4` / 440 Hz. A pitch that is a frequency stays as it is.
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

    /// The speed of sound in air, and thus pitch, is proportional to the square root of the absolute temperature.
    private var warmth: Double {
        ((temperature + 273.15) / (Tuning.standardTemperature + 273.15)).squareRoot()
    }

    private func frequency(ofNote number: Int, a4: Double) -> Double {
        // Notes outside this range are inaudible, and could overflow.
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

    /// The height of a note above the tonic of octave -1, in cents.
    private func height(_ number: Int, _ cents: [Double]) -> Double {
        let above = number - min(max(tonic, 0), 11)
        let octave = Int((Double(above) / 12).rounded(.down))
        return Double(octave) * 1200 + cents[above - octave * 12]
    }
}

extension Tuning {
    /// Short phrases for everything that differs from the default tuning.
    package var facts: [String] {
        var facts: [String] = []
        switch scale {
        case .temperament(.equal): break
        case .temperament(let temperament):
            let name = temperament.rawValue
            facts.append(tonic == 0 ? name : localized("\(name) on \(Score.text(tonic: tonic))"))
        case .scala(let scale, _): facts.append(scale.name)
        }
        if instrument != .concert { facts.append(localized("written in \(instrument.rawValue)")) }
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

    /// The interval from the written to the sounding note.
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
