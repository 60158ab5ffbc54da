internal import Glibc

/// The levels of a sound in bands of a quarter tone, frame by frame, as an ear hears them: logarithmic in pitch and level.
struct Bands: Sendable {
    /// Samples per second of every sound that is listened to.
    static let rate = 24_000
    /// Samples from one frame to the next: 4 ms.
    static let hop = 96

    let count: Int
    private let window: Int
    /// The bins of each band, from `first`, with their weights.
    private let bands: [(first: Int, weights: [Float])]
    private let shape: [Float]
    private var transform: Transform
    private var piece: [Float]
    private var bins: [Float]
    private var powers: [Float]

    /// Bands of a window of so many samples, a power of two.
    init(window: Int) {
        self.window = window
        transform = Transform(length: window)
        piece = [Float](repeating: 0, count: window)
        bins = [Float](repeating: 0, count: window / 2 + 1)
        let width = Double(Bands.rate) / Double(window)
        var centers: [Int] = []
        var hertz = 80.0
        while hertz < 10_500 {
            let bin = Int((hertz / width).rounded())
            if bin != centers.last { centers.append(bin) }
            hertz *= pow(2, 1.0 / 24)
        }
        bands = (1..<centers.count - 1).map { index in
            let (low, middle, high) = (centers[index - 1], centers[index], centers[index + 1])
            let weights = (low + 1..<high).map { bin -> Float in
                bin <= middle
                    ? Float(bin - low) / Float(middle - low) : Float(high - bin) / Float(high - middle)
            }
            let sum = weights.reduce(0, +)
            return (low + 1, weights.map { $0 / sum })
        }
        count = bands.count
        powers = [Float](repeating: 0, count: count)
        shape = Transform.window(window).map { Float($0) }
    }

    /// The number of frames of a sound: frame n is about sample n · hop.
    static func frames(of samples: Int) -> Int { samples / hop + 1 }

    /// The power in each band about the middle of frame `frame`.
    mutating func powers(of samples: [Float], at frame: Int) -> [Float] {
        let start = frame * Bands.hop - window / 2
        let within = max(0, -start)..<max(0, -start, min(window, samples.count - start))
        if within.count < window { for n in piece.indices { piece[n] = 0 } }
        samples.withUnsafeBufferPointer { samples in
            piece.withUnsafeMutableBufferPointer { piece in
                shape.withUnsafeBufferPointer { shape in
                    for n in within { piece[n] = samples[start + n] * shape[n] }
                }
            }
        }
        piece.withUnsafeBufferPointer { if let base = $0.baseAddress { transform.powers(of: base, into: &bins) } }
        for index in bands.indices {
            let weights = bands[index].weights
            powers[index] = bins.withUnsafeBufferPointer { bins in
                bins.baseAddress.map { Products.sum(weights, $0 + bands[index].first, weights.count) } ?? 0
            }
        }
        return powers
    }

    /// What counts as silence in a band: somewhat less than the quietest tenth of the sound, at most 40 dB below the loudest.
    /// About `most` frames are looked at.
    mutating func floor(of samples: [Float], most: Int = 4000) -> Float {
        let step = max(1, Bands.frames(of: samples.count) / most)
        var means = stride(from: 0, to: Bands.frames(of: samples.count), by: step).map { frame in
            powers(of: samples, at: frame).reduce(0, +) / Float(count)
        }
        means.sort()
        return max(means[means.count / 10] / 2, means[means.count * 9 / 10] * 1e-4, 1e-9)
    }
}
