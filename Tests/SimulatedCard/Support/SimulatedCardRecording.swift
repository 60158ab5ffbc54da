internal import Foundation
internal import Glibc

/// Every frame that a simulated card played, in the order in which they were heard, with the time at which each reached
/// the converter.
public struct SimulatedCardRecording: Sendable {
    /// A run of frames that were heard at a constant rate.
    public struct Row: Sendable, Hashable {
        /// The first frame, counted from the start of the recording.
        public var firstFrame: Int
        /// The number of frames.
        public var count: Int
        /// The first frame in the card's count of frames, which restarts with each prepare.
        public var position: Int
        /// When the first frame reached the converter: whole nanoseconds of the card's clock.
        public var nanoseconds: Int64
        /// The fraction of a nanosecond to add to `nanoseconds`, 0 to 1.
        public var fraction: Double
        /// Frames per second of the card's clock.
        public var rate: Double
        /// The number of the start of the card, counted from 1 since it was opened.
        public var run: Int
        /// The number of samples in a frame.
        public var channels: Int
        /// The format of a sample.
        public var format: Format
        var byteOffset: Int
    }

    /// The format of a sample; the raw value is ALSA's.
    public enum Format: UInt32, Sendable {
        /// 16 bits.
        case s16 = 2
        /// 24 bits in four bytes.
        case s24 = 6
        /// 32 bits.
        case s32 = 10
        /// 32-bit floating point.
        case f32 = 14
        /// 24 bits in three bytes.
        case s24packed = 32

        var bytes: Int {
            switch self {
            case .s16: 2
            case .s24packed: 3
            case .s24, .s32, .f32: 4
            }
        }
    }

    /// The error if there is no valid recording.
    public struct Unreadable: Error, Sendable {
        /// The file and what is wrong with it.
        public var description: String
    }

    /// All rows, in the order in which they were heard.
    public let rows: [Row]
    /// The samples as they were played, byte for byte.
    public let bytes: [UInt8]

    /// Reads the recording; while the card still plays, the last quarter of a second may be missing.
    public init(path: String) throws {
        // Read the rows first, because samples are written before their rows.
        guard let times = FileManager.default.contents(atPath: path + ".times"),
            let samples = FileManager.default.contents(atPath: path)
        else { throw Unreadable(description: "\(path): no recording") }
        bytes = Array(samples)
        rows = try times.withUnsafeBytes { raw in
            try stride(from: 0, to: raw.count / Self.rowSize * Self.rowSize, by: Self.rowSize).map { at in
                try Self.row(UnsafeRawBufferPointer(rebasing: raw[at..<at + Self.rowSize]), path)
            }
        }
    }

    /// Reads the recording and empties its files, so that a play of hours needs no room. The rest goes on from frame 0.
    /// Call it on the thread that plays.
    public static func take(path: String) throws -> SimulatedCardRecording {
        let all = try SimulatedCardRecording(path: path)
        for file in [path, path + ".times"] where truncate(file, 0) != 0 {
            throw Unreadable(description: "\(file): cannot be emptied")
        }
        return all.rebased()
    }

    /// The same rows, counted from frame 0: the card does not know that its files have been emptied.
    private func rebased() -> SimulatedCardRecording {
        var (rows, frame, byte) = (rows, 0, 0)
        for i in rows.indices {
            (rows[i].firstFrame, rows[i].byteOffset) = (frame, byte)
            frame += rows[i].count
            byte += rows[i].count * rows[i].channels * rows[i].format.bytes
        }
        return SimulatedCardRecording(rows: rows, bytes: bytes)
    }

    private init(rows: [Row], bytes: [UInt8]) { (self.rows, self.bytes) = (rows, bytes) }

    private static let rowSize = 64

    private static func row(_ raw: UnsafeRawBufferPointer, _ path: String) throws -> Row {
        func value<T: FixedWidthInteger>(_ offset: Int, _: T.Type) -> T {
            T(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: T.self))
        }
        guard let format = Format(rawValue: value(60, UInt32.self)) else {
            throw Unreadable(description: "\(path).times: an unknown format")
        }
        return Row(
            firstFrame: Int(value(0, Int64.self)), count: Int(value(48, UInt32.self)),
            position: Int(value(16, Int64.self)), nanoseconds: value(24, Int64.self),
            fraction: Double(bitPattern: value(32, UInt64.self)), rate: Double(bitPattern: value(40, UInt64.self)),
            run: Int(value(52, UInt32.self)), channels: Int(value(56, UInt16.self)), format: format,
            byteOffset: Int(value(8, Int64.self)))
    }

    /// The number of frames that were played.
    public var frameCount: Int { rows.last.map { $0.firstFrame + $0.count } ?? 0 }

    /// The row of a frame; nil if there is none.
    public func row(ofPlayedFrame frame: Int) -> Row? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].firstFrame + rows[middle].count <= frame { low = middle + 1 } else { high = middle }
        }
        guard low < rows.count, rows[low].firstFrame <= frame else { return nil }
        return rows[low]
    }

    /// When a frame reached the converter, in seconds of the card's clock, accurate to a few nanoseconds.
    public func time(ofPlayedFrame frame: Double) -> Double? {
        guard let row = row(ofPlayedFrame: Int(frame.rounded(.down))) else { return nil }
        return Double(row.nanoseconds) * 1e-9 + row.fraction * 1e-9 + (frame - Double(row.firstFrame)) / row.rate
    }

    /// When a frame reached the converter, in nanoseconds after another time of the card's clock. Accurate however long
    /// the machine has run.
    public func nanoseconds(ofPlayedFrame frame: Double, after origin: Int64) -> Double? {
        guard let row = row(ofPlayedFrame: Int(frame.rounded(.down))) else { return nil }
        return Double(row.nanoseconds - origin) + row.fraction + (frame - Double(row.firstFrame)) * 1e9 / row.rate
    }

    /// The samples of a channel, with full scale 1; silence in rows without this channel.
    public func samples(channel: Int) -> [Float] {
        var samples: [Float] = []
        samples.reserveCapacity(frameCount)
        bytes.withUnsafeBytes { raw in
            for row in rows {
                let step = row.format.bytes * row.channels
                for frame in 0..<row.count {
                    let at = row.byteOffset + frame * step + channel * row.format.bytes
                    let exists = channel < row.channels && at + row.format.bytes <= raw.count
                    samples.append(exists ? Self.sample(raw, at, row.format) : 0)
                }
            }
        }
        return samples
    }

    private static func sample(_ raw: UnsafeRawBufferPointer, _ at: Int, _ format: Format) -> Float {
        switch format {
        case .s16: Float(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: Int16.self))) / 0x1p15
        case .s32: Float(Int32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: Int32.self))) / 0x1p31
        case .f32: Float(bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt32.self)))
        case .s24, .s24packed:
            Float(Int32(raw[at]) << 8 | Int32(raw[at + 1]) << 16 | Int32(Int8(bitPattern: raw[at + 2])) << 24) / 0x1p31
        }
    }
}
