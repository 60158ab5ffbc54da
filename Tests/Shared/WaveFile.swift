/// A RIFF file of type WAVE, parsed without a library.
package struct WaveFile {
    package var tag: Int
    package var channels: Int
    package var rate: Int
    package var bytesPerSecond: Int
    package var blockAlign: Int
    package var bits: Int
    /// The names of the chunks in their order.
    package var chunks: [String] = []
    /// The samples as they are stored.
    package var data: [UInt8]

    package var frames: Int { data.count / blockAlign }

    /// Why bytes are no such file.
    package struct Broken: Error, CustomStringConvertible {
        package var description: String

        fileprivate init(_ description: String) { self.description = description }
    }

    /// Parses a file. Errors: a size in it is wrong.
    package init(_ bytes: [UInt8]) throws(Broken) {
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        func name(_ at: Int) -> String { String(decoding: bytes[at..<at + 4], as: UTF8.self) }
        guard bytes.count >= 44 && name(0) == "RIFF" && name(8) == "WAVE" else {
            throw Broken("it does not begin as a WAVE file")
        }
        guard number(4, 4) == bytes.count - 8 else { throw Broken("the size in its header is not that of the file") }
        var position = 12
        var format: Int?
        var samples: Range<Int>?
        while position + 8 <= bytes.count {
            let size = number(position + 4, 4)
            let content = position + 8..<position + 8 + size
            guard content.upperBound <= bytes.count else { throw Broken("a chunk ends after the file") }
            chunks.append(name(position))
            if chunks.last == "fmt " { format = content.lowerBound }
            if chunks.last == "data" { samples = content }
            position = content.upperBound + size % 2
        }
        guard let start = format, let samples else { throw Broken("it has no format or no samples") }
        tag = number(start, 2)
        channels = number(start + 2, 2)
        rate = number(start + 4, 4)
        bytesPerSecond = number(start + 8, 4)
        blockAlign = number(start + 12, 2)
        bits = number(start + 14, 2)
        data = Array(bytes[samples])
    }

    /// A file of 16 bits; of two channels, the second one has another level.
    package static func bytes(_ samples: [Double], right: Double? = nil, rate: Int) -> [UInt8] {
        let channels = right == nil ? 1 : 2
        var bytes: [UInt8] = []
        func add(_ value: Int, _ count: Int) {
            for byte in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        let size = samples.count * channels * 2
        bytes += Array("RIFF".utf8)
        add(size + 36, 4)
        bytes += Array("WAVEfmt ".utf8)
        for (value, count) in [(16, 4), (1, 2), (channels, 2), (rate, 4), (rate * channels * 2, 4), (channels * 2, 2)] {
            add(value, count)
        }
        add(16, 2)
        bytes += Array("data".utf8)
        add(size, 4)
        for sample in samples {
            for gain in [1, right].compactMap(\.self) {
                add(Int((max(-1, min(1, sample * gain)) * 32_767).rounded()), 2)
            }
        }
        return bytes
    }

    /// 32-bit floating-point samples.
    package static func floats(_ data: [UInt8]) -> [Float] {
        data.withUnsafeBytes { bytes in
            stride(from: 0, to: bytes.count, by: 4).map { (at: Int) -> Float in
                bytes.loadUnaligned(fromByteOffset: at, as: Float.self)
            }
        }
    }

    package var floats: [Float] { WaveFile.floats(data) }
}

extension [UInt8] {
    /// The bytes without the silent frames at the beginning.
    package func droppingSilence(frame size: Int) -> ArraySlice<UInt8> {
        let first = firstIndex { $0 != 0 } ?? count
        return self[(first / size * size)...]
    }
}
