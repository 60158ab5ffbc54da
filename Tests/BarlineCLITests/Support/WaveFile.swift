internal import Testing

/// A RIFF file of type WAVE, parsed without a library.
struct WaveFile {
    var tag: Int
    var channels: Int
    var rate: Int
    var bytesPerSecond: Int
    var blockAlign: Int
    var bits: Int
    /// The names of the chunks in their order.
    var chunks: [String] = []
    /// The samples as they are stored.
    var data: [UInt8]

    var frames: Int { data.count / blockAlign }

    /// Parses a file. Errors: a size in it is wrong.
    init(_ bytes: [UInt8]) throws {
        func number(_ at: Int, _ count: Int) -> Int { (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
        func name(_ at: Int) -> String { String(decoding: bytes[at..<at + 4], as: UTF8.self) }
        try #require(bytes.count >= 44 && name(0) == "RIFF" && name(8) == "WAVE")
        try #require(number(4, 4) == bytes.count - 8, "the size of the file stands in its header")
        var position = 12
        var format: Int?
        var samples: Range<Int>?
        while position + 8 <= bytes.count {
            let size = number(position + 4, 4)
            let content = position + 8..<position + 8 + size
            try #require(content.upperBound <= bytes.count, "a chunk ends within the file")
            chunks.append(name(position))
            if chunks.last == "fmt " { format = content.lowerBound }
            if chunks.last == "data" { samples = content }
            position = content.upperBound + size % 2
        }
        let start = try #require(format)
        tag = number(start, 2)
        channels = number(start + 2, 2)
        rate = number(start + 4, 4)
        bytesPerSecond = number(start + 8, 4)
        blockAlign = number(start + 12, 2)
        bits = number(start + 14, 2)
        data = Array(bytes[try #require(samples)])
    }

    /// 32-bit floating-point samples.
    static func floats(_ data: [UInt8]) -> [Float] {
        stride(from: 0, to: data.count, by: 4).map { at in
            Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(data[at + $1]) << (8 * UInt32($1)) })
        }
    }

    var floats: [Float] { WaveFile.floats(data) }
}

extension [UInt8] {
    /// The bytes without the silent frames at the beginning.
    func droppingSilence(frame size: Int) -> ArraySlice<UInt8> {
        let first = firstIndex { $0 != 0 } ?? count
        return self[(first / size * size)...]
    }
}
