internal import CSndFile
internal import Languages

/// A sound file that is being written. It owns one libsndfile handle.
package struct SoundFile: ~Copyable {
    private let handle: OpaquePointer
    private let bytes: Unmanaged<SoundBytes>
    private let samples: SampleFormat
    private let bytesPerFrame: Int
    private let type: FileType

    /// The most bytes of samples in a WAV or AIFF file, which leaves room for its header and markers.
    package static let sizeLimit: Int64 = 0xffff_ffff - (16 << 20)

    /// The texts and markers that are written besides the samples.
    package struct Words {
        package var title = ""
        package var composer = ""
        /// Places in the file, which are written once the samples are.
        package var markers: [Marker] = []
        /// When the file begins; nil if nobody knows.
        package var start: StartStamp?
    }

    /// Opens a file on a descriptor, which the caller keeps and closes. `frames` decides between WAV and RF64.
    package init(
        descriptor: Int32, type: FileType = .wav, format: SoundFormat, frames: Int64, words: Words = Words()
    ) throws(RenderError) {
        let isLarge = SoundFile.isLarge(format, frames: frames)
        var info = SF_INFO()
        info.samplerate = Int32(clamping: format.rate)
        info.channels = Int32(clamping: format.channels)
        info.format = type.sndfile(format.samples, isLarge: isLarge)
        let bytes = Unmanaged.passRetained(SoundBytes(descriptor))
        var functions = SoundBytes.functions
        guard let handle = sf_open_virtual(&functions, Int32(SFM_WRITE), &info, bytes.toOpaque()) else {
            let reason = SoundFile.reason(nil, bytes)
            bytes.release()
            throw .cannotWrite(reason)
        }
        if let failure = bytes.takeUnretainedValue().failure {
            sf_close(handle)
            bytes.release()
            throw .cannotWrite(failure.description)
        }
        // The PEAK chunk would contain the time of writing, so that two renders would differ.
        sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
        if [.wav, .rf64].contains(type), let start = words.start, !start.set(handle) {
            sf_close(handle)
            bytes.release()
            throw .cannotWrite(localized("its start stamp cannot be written"))
        }
        self.handle = handle
        self.bytes = bytes
        samples = format.samples
        bytesPerFrame = format.bytesPerFrame
        self.type = type
        guard [.wav, .rf64, .aiff].contains(type) else { return }
        if !words.title.isEmpty { sf_set_string(handle, Int32(SF_STR_TITLE), words.title) }
        if !words.composer.isEmpty { sf_set_string(handle, Int32(SF_STR_ARTIST), words.composer) }
    }

    /// Whether samples need more than the 4 GB that WAV and AIFF files can have.
    package static func isLarge(_ format: SoundFormat, frames: Int64) -> Bool {
        frames > sizeLimit / Int64(format.bytesPerFrame)
    }

    deinit {
        sf_close(handle)
        bytes.release()
    }

    /// Writes samples as the engine gives them.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError) {
        let frames = bytes.count / bytesPerFrame
        guard frames > 0 else { return }
        let written: sf_count_t
        switch (type, samples) {
        case (.wav, _), (.rf64, _):
            written =
                sf_write_raw(handle, bytes.baseAddress, sf_count_t(bytes.count)) / sf_count_t(bytesPerFrame)
        case (_, .bits16):
            let points = bytes.bindMemory(to: Int16.self)
            written = sf_writef_short(handle, points.baseAddress, sf_count_t(frames))
        case (_, .float32):
            let points = bytes.bindMemory(to: Float.self)
            written = sf_writef_float(handle, points.baseAddress, sf_count_t(frames))
        case (_, .bits24):
            // The three bytes become the upper three of four.
            let points = [Int32](unsafeUninitializedCapacity: bytes.count / 3) { room, count in
                count = bytes.count / 3
                for n in 0..<count {
                    let value =
                        UInt32(bytes[3 * n]) << 8 | UInt32(bytes[3 * n + 1]) << 16 | UInt32(bytes[3 * n + 2]) << 24
                    room.initializeElement(at: n, to: Int32(bitPattern: value))
                }
            }
            written = sf_writef_int(handle, points, sf_count_t(frames))
        }
        guard written == frames, self.bytes.takeUnretainedValue().failure == nil else {
            throw .cannotWrite(SoundFile.reason(handle, self.bytes))
        }
    }

    /// The system's reason if there is one, otherwise libsndfile's.
    private static func reason(_ handle: OpaquePointer?, _ bytes: Unmanaged<SoundBytes>) -> String {
        bytes.takeUnretainedValue().failure?.reason ?? String(cString: sf_strerror(handle))
    }

    /// Writes the header with the final sizes, and closes the file.
    package consuming func finish() throws(RenderError) {
        let status = sf_close(handle)
        let failure = bytes.takeUnretainedValue().failure
        bytes.release()
        discard self
        if let failure { throw .cannotWrite(failure.description) }
        guard status == 0 else { throw .cannotWrite(String(cString: sf_error_number(status))) }
    }
}
