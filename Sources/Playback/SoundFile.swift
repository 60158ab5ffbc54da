internal import CSndFile

#if canImport(Glibc)
    internal import Glibc
#endif

/// A WAV file that is being written; RF64 where it would be larger than WAV can be. The owner of one libsndfile handle.
struct SoundFile: ~Copyable {
    private let handle: OpaquePointer
    private let format: SoundFormat

    /// The most bytes of samples that a WAV file holds, with room for its headers.
    static let wavLimit: Int64 = 0xffff_ffff - 1024

    /// Opens a file for writing on a descriptor, which stays the caller's. `frames` decides between WAV and RF64.
    init(descriptor: Int32, format: SoundFormat, frames: Int64) throws(RenderError) {
        let isLarge = frames > SoundFile.wavLimit / Int64(format.bytesPerFrame)
        var info = SF_INFO()
        info.samplerate = Int32(clamping: format.rate)
        info.channels = Int32(clamping: format.channels)
        info.format = Int32(isLarge ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | format.samples.sndfile
        errno = 0
        guard let handle = sf_open_fd(descriptor, Int32(SFM_WRITE), &info, 0) else {
            throw .cannotWrite(SoundFile.reason(nil))
        }
        // The PEAK chunk carries the time of writing: two renders would differ.
        sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
        self.handle = handle
        self.format = format
    }

    deinit { sf_close(handle) }

    /// Writes samples as they stand.
    func write(_ bytes: UnsafeRawBufferPointer) throws(RenderError) {
        errno = 0
        let written = sf_write_raw(handle, bytes.baseAddress, sf_count_t(bytes.count))
        guard written == bytes.count else {
            throw .cannotWrite(SoundFile.reason(handle))
        }
    }

    /// The system's reason where there is one, else libsndfile's.
    private static func reason(_ handle: OpaquePointer?) -> String {
        errno == 0 ? String(cString: sf_strerror(handle)) : String(cString: strerror(errno))
    }

    /// Writes the header with the final sizes, and ends.
    consuming func finish() throws(RenderError) {
        let status = sf_close(handle)
        discard self
        guard status == 0 else { throw .cannotWrite(String(cString: sf_error_number(status))) }
    }
}

extension SampleFormat {
    fileprivate var sndfile: Int32 {
        switch self {
        case .bits16: Int32(SF_FORMAT_PCM_16)
        case .bits24: Int32(SF_FORMAT_PCM_24)
        case .float32: Int32(SF_FORMAT_FLOAT)
        }
    }
}
