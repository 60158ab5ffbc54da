internal import CSndFile
internal import Glibc
internal import SystemPackage

/// The bytes of a sound file that libsndfile writes.
///
/// Some of its encoders do not look whether their bytes were written, MP3 for example. Therefore the first error is kept
/// here, and nothing is written after it.
final class SoundBytes {
    private let descriptor: Int32
    private var position: Int64 = 0
    private var length: Int64 = 0
    /// The first error of the system; nil if there was none.
    private(set) var failure: Errno?

    /// Writes to an empty file by a duplicate of this descriptor, which may be closed at any time.
    init(_ descriptor: Int32) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        if self.descriptor < 0 { failure = .last }
    }

    deinit { close(descriptor) }

    /// The functions that libsndfile calls, with a `SoundBytes` as their last argument.
    static let functions = SF_VIRTUAL_IO(
        get_filelen: { of($0)?.length ?? 0 },
        seek: { offset, whence, bytes in of(bytes)?.seek(offset, whence) ?? -1 },
        read: { room, count, bytes in of(bytes)?.read(room, count) ?? 0 },
        write: { from, count, bytes in of(bytes)?.write(from, count) ?? 0 },
        tell: { of($0)?.position ?? 0 })

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> SoundBytes? {
        pointer.map { Unmanaged<SoundBytes>.fromOpaque($0).takeUnretainedValue() }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        switch whence {
        case SEEK_CUR: position += offset
        case SEEK_END: position = length + offset
        default: position = offset
        }
        return position
    }

    private func read(_ room: UnsafeMutableRawPointer?, _ count: Int64) -> Int64 {
        let read = pread(descriptor, room, Int(count), off_t(position))
        position += Int64(max(read, 0))
        return Int64(max(read, 0))
    }

    private func write(_ bytes: UnsafeRawPointer?, _ count: Int64) -> Int64 {
        var done: Int64 = 0
        while failure == nil, let bytes, done < count {
            let written = pwrite(descriptor, bytes + Int(done), Int(count - done), off_t(position))
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                failure = written < 0 ? .last : .noSpace
                break
            }
            done += Int64(written)
            position += Int64(written)
            length = max(length, position)
        }
        return done
    }
}
