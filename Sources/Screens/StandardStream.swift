internal import Files
internal import Glibc
internal import Synchronization
package import SystemPackage

/// Standard output or standard error, whose reader may be slow or may have stopped reading: a terminal stopped by flow
/// control, or a pipe that nobody reads.
///
/// `writeAll` waits for a slow reader as long as it takes. Once the program has been asked to end, it gives up after a
/// second in which the reader takes nothing. No `write` blocks: it is called only when there is room.
package final class StandardStream: Sendable {
    package static let output = StandardStream(1)
    package static let error = StandardStream(2)

    /// The descriptor for writing. A terminal is opened again without blocking, because the inherited descriptor is
    /// shared with the shell, which expects it to block.
    let descriptor: Int32
    /// Whether it is a terminal.
    package let isTerminal: Bool
    /// The most bytes per write: a blocking descriptor takes this many without blocking when poll reports room.
    private let piece: Int

    private static let ending = Atomic(false)
    /// The number of the first error of a file or device that did not take what was written; 0 without one.
    private let refusal = Atomic(Int32(0))
    /// Whether the reader had stopped when the program was asked to end, so that nothing waits for it a second time.
    private let hasStopped = Atomic(false)
    /// How long the reader may take nothing once the program has been asked to end: a number of waits, and the length
    /// of each in ms.
    private static let (turns, turn) = (4, Int32(250))

    /// Gives each standard stream that is closed a place where nothing can be read or written: otherwise the next file or socket
    /// would get its number. To be called before anything is opened.
    package static func replaceClosed() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    init(_ descriptor: Int32) {
        isTerminal = isatty(descriptor) == 1
        guard isTerminal else {
            var about = stat()
            let isFile = fstat(descriptor, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
            // A pipe that has room takes PIPE_BUF bytes at once.
            (self.descriptor, piece) = (descriptor, isFile ? 1 << 20 : 4096)
            return
        }
        let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        // The buffers of a terminal have 256 bytes.
        (self.descriptor, piece) = own >= 0 ? (own, 1 << 16) : (descriptor, 256)
    }

    /// Whether the program has been asked to end.
    package static var isEnding: Bool { ending.load(ordering: .relaxed) }

    /// Records that the program has been asked to end: from now on nothing waits for a reader that has stopped. Thread:
    /// any; also safe in a signal handler once `isEnding` has been read.
    package static func end() { ending.store(true, ordering: .relaxed) }

    /// Records that a performance begins, which nobody has asked to end. Thread: any.
    package static func begin() { ending.store(false, ordering: .relaxed) }

    /// Why what was written before is not all there: the disk is full, for example. nil if it is, and for readers that have
    /// gone away: a pipe or a terminal that nobody reads any more.
    package var failure: Errno? {
        let number = refusal.load(ordering: .relaxed)
        return number == 0 || number == EPIPE || isTerminal ? nil : Errno(rawValue: number)
    }

    /// Whether something could not be written, be it that the reader has gone away.
    package var isRefused: Bool { refusal.load(ordering: .relaxed) != 0 }

    /// Writes as many bytes as there is room for now; returns their number. Errors: nobody can read it, or the system
    /// refuses it.
    package func writeNow(_ bytes: ArraySlice<UInt8>) throws(Errno) -> Int {
        guard !bytes.isEmpty, hasRoom(within: 0) else { return 0 }
        let count = bytes.prefix(piece).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
        guard count >= 0 else {
            let failure = Errno.last
            _ = refusal.compareExchange(expected: 0, desired: failure.rawValue, ordering: .relaxed)
            throw failure
        }
        return count
    }

    /// Writes all bytes; returns false if bytes are left because the program has been asked to end and the reader has
    /// stopped. With `isHurried`, waits no longer than if the program had been asked to end. Errors: nobody can read
    /// it, or the system refuses it.
    @discardableResult
    package func writeAll(_ bytes: [UInt8], isHurried: Bool = false) throws(Errno) -> Bool {
        var rest = bytes[...]
        var idle = 0
        while !rest.isEmpty {
            let count = try writeNow(rest)
            rest = rest.dropFirst(count)
            guard count == 0 else {
                hasStopped.store(false, ordering: .relaxed)
                idle = 0
                continue
            }
            if isHurried || StandardStream.isEnding {
                guard idle < StandardStream.turns, !hasStopped.load(ordering: .relaxed) else {
                    hasStopped.store(true, ordering: .relaxed)
                    return false
                }
                idle += 1
            }
            _ = hasRoom(within: StandardStream.turn)
        }
        return true
    }

    /// Waits at most this many milliseconds until there is room or an error to report; returns whether there is.
    private func hasRoom(within milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0
    }
}
