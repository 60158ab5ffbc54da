/// What known clicks add to the levels of a take, band by band, so that it can be taken away.
///
/// The power of a click in each band is learned from the take itself, with the room and the microphone in it: a low quantile
/// over all clicks of a kind, of what is there more than before them. Notes that begin at some clicks have other bands each.
struct ClickMask {
    /// Frames before a click and after it that have some of it: the window reaches ahead, and the room rings. In the last of
    /// them the mask fades.
    private static let (ahead, after, fade) = (12, 90, 40)

    /// For each frame with a part of clicks, which click, of which shape.
    private var places: [Int: (shape: Int, frame: Int)] = [:]
    /// For each shape and frame about the click the power in each band.
    private var powers: [[[Float]]] = []

    /// Learns what the clicks add to a take.
    init(_ clicks: [(seconds: Double, shape: Int)], shapes: Int, _ samples: [Float], _ bands: inout Bands) {
        let (ahead, after) = (ClickMask.ahead, ClickMask.after)
        let frames = Bands.frames(of: samples.count)
        var pieces = [[[[Float]]]](repeating: [], count: shapes)
        for click in clicks {
            let frame = Int((click.seconds * Double(Bands.rate) / Double(Bands.hop)).rounded())
            for n in -ahead..<after { places[frame + n] = (click.shape, n + ahead) }
            guard frame - ahead - 14 >= 0, frame + after < frames, pieces[click.shape].count < 60 else { continue }
            // What was there before: the means of some frames.
            var before = [Float](repeating: 0, count: bands.count)
            for past in [14, 11, 8] {
                for (band, power) in bands.powers(of: samples, at: frame - ahead - past).enumerated() {
                    before[band] += power / 3
                }
            }
            pieces[click.shape].append(
                (-ahead..<after).map { n in
                    zip(bands.powers(of: samples, at: frame + n), before).map { max(0, $0 - $1) }
                })
        }
        let count = bands.count
        powers = pieces.map { pieces in
            (0..<ahead + after).map { n in
                (0..<count).map { band in
                    // Of few, the notes of the player would be taken for a part.
                    guard pieces.count >= 4 else { return 0 }
                    let all = pieces.map { $0[n][band] }.sorted()
                    return all[all.count * 2 / 5]
                }
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
