/// What known clicks add to the levels of a take, band by band, so that it can be taken away.
///
/// The power of a click in each band is learned from the take itself, with the room and the microphone in it: a low quantile
/// over all clicks of a kind, of what is there more than before them. Notes that begin at some clicks have other bands each.
struct ClickMask: Sendable {
    /// Frames before a click and after it that have some of it: the window reaches ahead, and the room rings. In the last of
    /// them the mask fades.
    private static let (ahead, after, fade) = (12, 90, 40)

    /// For each frame with a part of clicks, which click, of which shape.
    private var places: [Int: (shape: Int, frame: Int)] = [:]
    /// For each shape and frame about the click the power in each band.
    private var powers: [[[Float]]] = []

    /// What one click adds: for each frame about it the power in each band.
    typealias Piece = [[Float]]

    /// Of fewer clicks, the notes of the player would be taken for a part.
    static let fewest = 4

    /// Learns what the clicks add to a take.
    init(_ clicks: [(seconds: Double, shape: Int)], shapes: Int, _ samples: [Float], _ bands: inout Bands) {
        var pieces = [[Piece]](repeating: [], count: shapes)
        for click in clicks where pieces[click.shape].count < 60 {
            if let piece = ClickMask.piece(at: click.seconds, samples, &bands) { pieces[click.shape].append(piece) }
        }
        let count = bands.count
        self.init(clicks, powers: pieces.map { ClickMask.powers(of: $0, bands: count) })
    }

    /// A mask of clicks whose powers have been learned.
    init(_ clicks: [(seconds: Double, shape: Int)], powers: [Piece]) {
        self.powers = powers
        for click in clicks {
            let frame = ClickMask.frame(at: click.seconds)
            for n in -ClickMask.ahead..<ClickMask.after { places[frame + n] = (click.shape, n + ClickMask.ahead) }
        }
    }

    private static func frame(at seconds: Double) -> Int {
        Int((seconds * Double(Bands.rate) / Double(Bands.hop)).rounded())
    }

    /// What a click and whatever else begins there add to a sound; nil if the sound does not have all of it.
    static func piece(at seconds: Double, _ samples: [Float], _ bands: inout Bands) -> Piece? {
        let frame = frame(at: seconds)
        guard frame - ahead - 14 >= 0, frame + after < Bands.frames(of: samples.count) else { return nil }
        // What was there before: the means of some frames.
        var before = [Float](repeating: 0, count: bands.count)
        for past in [14, 11, 8] {
            for (band, power) in bands.powers(of: samples, at: frame - ahead - past).enumerated() {
                before[band] += power / 3
            }
        }
        return (-ahead..<after).map { n in
            zip(bands.powers(of: samples, at: frame + n), before).map { max(0, $0 - $1) }
        }
    }

    /// What clicks of one shape have in common, by what each of them adds.
    static func powers(of pieces: [Piece], bands count: Int) -> Piece {
        (0..<ahead + after).map { n in
            (0..<count).map { band in
                guard pieces.count >= fewest else { return 0 }
                let all = pieces.map { $0[n][band] }.sorted()
                return all[all.count * 2 / 5]
            }
        }
    }

    /// What counts as silence beside the clicks: 30 dB below their loudest frame. What is left of them is below it.
    var floor: Float {
        let means = powers.joined().map { $0.reduce(0, +) / Float(max($0.count, 1)) }
        return (means.max() ?? 0) * 1e-3
    }

    /// The powers of a frame without the clicks.
    func apply(to levels: inout [Float], at frame: Int) {
        guard let place = places[frame] else { return }
        let click = powers[place.shape][place.frame]
        // Less and less, so that the end of the mask is no beginning of a note.
        let left = ClickMask.ahead + ClickMask.after - place.frame
        let factor = 3 * min(1, Float(left) / Float(ClickMask.fade))
        for band in levels.indices { levels[band] = max(levels[band] - factor * click[band], 0) }
    }
}
