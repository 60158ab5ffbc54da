internal import Languages

/// A recording of a player as one channel at a given rate, with what is wrong with it.
package struct TakeSound: Sendable {
    /// Which channels of the file were taken.
    package enum Side: Sendable {
        case only, both, left, right
        /// Both, one of them turned over: they were in opposite phase.
        case opposed
    }

    package private(set) var samples: [Float] = []
    package private(set) var side = Side.only
    /// How many stretches of 10 ms reach full scale several times in a row.
    package private(set) var clippedPieces = 0
    /// The length in seconds.
    package let seconds: Double

    /// The longest take in seconds.
    package static let longest = 4 * 3600

    /// Reads a take of any type that libsndfile knows. If one side of two is at least 15 dB softer, the other is taken.
    ///
    /// Errors: `noMusic` if it cannot be opened, `badMusic` if it cannot be used.
    package init(_ path: String, rate: Int) throws(RenderError) {
        var file = try ResampledSound(path, rate: rate)
        let channels = file.channels
        let limit = TakeSound.longest * rate
        var sides = [[Float]](repeating: [], count: channels)
        var (sums, energies) = ([Double](repeating: 0, count: channels), [Double](repeating: 0, count: channels))
        var together = 0.0
        let block = 1 << 14
        let room = UnsafeMutableBufferPointer<Float>.allocate(capacity: block * channels)
        defer { room.deallocate() }
        while true {
            let count = try file.read(into: room)
            if count == 0 { break }
            guard sides[0].count + count <= limit else {
                throw .badMusic(localized("'\(path)' is longer than \(TakeSound.longest / 3600) h"))
            }
            for channel in 0..<channels {
                for frame in 0..<count {
                    let sample = room[frame * channels + channel]
                    sides[channel].append(sample)
                    sums[channel] += Double(sample)
                    energies[channel] += Double(sample * sample)
                }
            }
            if channels == 2 { for frame in 0..<count { together += Double(room[2 * frame] * room[2 * frame + 1]) } }
        }
        seconds = Double(sides[0].count) / Double(rate)
        let piece = max(rate / 100, 1)
        clippedPieces = sides.map { TakeSound.clipped($0, piece) }.max() ?? 0
        // A converter may add a constant, which is no sound.
        for channel in 0..<channels {
            let mean = Float(sums[channel] / Double(max(sides[channel].count, 1)))
            for n in sides[channel].indices { sides[channel][n] -= mean }
            energies[channel] -= sums[channel] * Double(mean)
        }
        if channels == 2 { together -= sums[0] * sums[1] / Double(max(sides[0].count, 1)) }
        guard channels == 2 else {
            samples = sides[0]
            return
        }
        let (left, right) = (energies[0], energies[1])
        if left > 30 * right || right > 30 * left {
            (samples, side) = left >= right ? (sides[0], .left) : (sides[1], .right)
        } else {
            // In opposite phase, the mean would be next to nothing.
            side = together < -0.3 * (left * right).squareRoot() ? .opposed : .both
            let sign: Float = side == .opposed ? -1 : 1
            samples = sides[0]
            for n in samples.indices { samples[n] = (samples[n] + sign * sides[1][n]) / 2 }
        }
    }

    /// How many pieces have three samples or more in a row at full scale. Converting the rate lets some swing beyond it.
    private static func clipped(_ samples: [Float], _ piece: Int) -> Int {
        var (count, run, last) = (0, 0, -1)
        for n in samples.indices {
            run = abs(samples[n]) > 0.985 ? run + 1 : 0
            if run >= 3, n / piece != last { (count, last) = (count + 1, n / piece) }
        }
        return count
    }
}
