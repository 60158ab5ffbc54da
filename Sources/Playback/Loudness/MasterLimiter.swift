internal import CDrone

/// The last step of a rendering: limits mixed samples to a ceiling, and stores them as a format has them.
struct MasterLimiter: ~Copyable {
    private let handle: OpaquePointer
    private let format: SoundFormat
    /// Room for finished frames.
    private var room = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// The highest peak, -1 dBFS: decoders and the converters of phones need room for what is between the samples.
    static let ceiling = 0.891_250_938

    init(_ format: SoundFormat) throws(RenderError) {
        let handle = withUnsafePointer(to: format.config) { drone_master_create($0, MasterLimiter.ceiling) }
        guard let handle else { throw .engine(.outOfMemory) }
        self.handle = handle
        self.format = format
    }

    deinit {
        drone_master_destroy(handle)
        room.deallocate()
    }

    /// Takes interleaved samples, and gives those that are finished: all but the last millisecond.
    mutating func take(
        _ samples: [Float], _ give: (UnsafeRawBufferPointer) throws(RenderError) -> Void
    ) throws(RenderError) {
        let frames = samples.count / format.channels
        if room.count < frames * format.bytesPerFrame {
            room.deallocate()
            room = .allocate(byteCount: frames * format.bytesPerFrame, alignment: MemoryLayout<Double>.alignment)
        }
        let done = Int(drone_master_take(handle, samples, room.baseAddress, UInt32(clamping: frames)))
        if done > 0 { try give(UnsafeRawBufferPointer(rebasing: room[..<(done * format.bytesPerFrame)])) }
    }

    /// Gives the last millisecond.
    mutating func finish(_ give: (UnsafeRawBufferPointer) throws(RenderError) -> Void) throws(RenderError) {
        let silence = [Float](repeating: 0, count: Int(drone_master_lookahead(handle)) * format.channels)
        try take(silence, give)
    }
}
