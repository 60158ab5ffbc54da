internal import Glibc

/// How the twelve notes of an octave are tuned relative to each other.
public enum Temperament: String, Sendable, CaseIterable {
    /// Twelve equal semitones.
    case equal
    /// Small-number ratios above the tonic: 16/15, 9/8, 6/5, 5/4, 4/3, 45/32, 3/2, 8/5, 5/3, 9/5, 15/8.
    case just
    /// Pure fifths, from E flat to G sharp if the tonic is C.
    case pythagorean
    /// Fifths narrow by a quarter of the syntonic comma, for pure thirds (Aaron); from E flat to G sharp if the tonic
    /// is C.
    case meantone
    /// Werckmeister III (1691): C-G, G-D, D-A and B-F# narrow by a quarter of the Pythagorean comma.
    case werckmeister3
    /// Kirnberger III (1779): C-G, G-D, D-A and A-E narrow by a quarter of the syntonic comma, F#-C# by a schisma.
    case kirnberger3
    /// Young's second (1800): the fifths from C to F# narrow by a sixth of the Pythagorean comma.
    case young

    /// The height of twelve notes above the tonic, in cents, from the tonic up.
    public var cents: [Double] {
        switch self {
        case .equal: return (0..<12).map { Double($0) * 100 }
        case .just:
            let over: [Double] = [1, 16, 9, 6, 5, 4, 45, 3, 8, 5, 9, 15]
            let under: [Double] = [1, 15, 8, 5, 4, 3, 32, 2, 5, 3, 5, 8]
            return zip(over, under).map { 1200 * log2($0 / $1) }
        case .pythagorean: return Temperament.chain { _ in 0 }
        case .meantone: return Temperament.chain { _ in syntonicComma / 4 }
        case .werckmeister3: return Temperament.chain { [0, 1, 2, 5].contains($0) ? pythagoreanComma / 4 : 0 }
        case .kirnberger3:
            return Temperament.chain { (0...3).contains($0) ? syntonicComma / 4 : $0 == 6 ? schisma : 0 }
        case .young: return Temperament.chain { (0...5).contains($0) ? pythagoreanComma / 6 : 0 }
        }
    }

    /// Twelve notes tuned in fifths: eight above the tonic, three below. `narrowing(n)` is by how many cents fifth n,
    /// which begins n fifths above the tonic, is narrower than pure.
    private static func chain(_ narrowing: (Int) -> Double) -> [Double] {
        var cents = [Double](repeating: 0, count: 12)
        var note = 0.0
        for n in 0..<8 {
            note += pureFifth - narrowing(n)
            cents[(n + 1) * 7 % 12] = note - (note / 1200).rounded(.down) * 1200
        }
        note = 0
        for n in 1...3 {
            note -= pureFifth - narrowing(-n)
            cents[(12 * 7 - n * 7) % 12] = note - (note / 1200).rounded(.down) * 1200
        }
        return cents
    }
}

/// The ratio 3/2.
private let pureFifth = 1200 * log2(3.0 / 2)
/// The ratio 81/80.
private let syntonicComma = 1200 * log2(81.0 / 80)
/// Twelve fifths minus seven octaves: the ratio 531441/524288.
private let pythagoreanComma = 12 * pureFifth - 8400
/// The ratio 32805/32768.
private let schisma = pythagoreanComma - syntonicComma
