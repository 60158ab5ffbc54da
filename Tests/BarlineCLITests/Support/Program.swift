internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// The result of a run of the program.
struct Outcome: Sendable {
    /// The exit code, or 128 plus the number of the signal that ended it.
    var code: Int32
    var output: [UInt8]
    var errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
}

/// The program `barline` as users get it: a build for debugging would take 0.8 s to check the definitions of its options at
/// each start.
enum Program {
    static let path = root + "/.build/release/barline"
    static let root: String = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.path
    }()

    /// Where standard output goes.
    enum Sink: Sendable {
        case pipe
        /// A pipe that is closed once this number of bytes has been read.
        case closed(after: Int)
        /// A file, opened for writing.
        case file(String)
        /// A pipe that is read only once this is true or the program has ended.
        case unread(until: @Sendable () -> Bool)
    }

    /// Runs `barline` in a scratch folder and collects its output. `watch` is called repeatedly while it runs. With
    /// `isAwaited`, which is for a program that a running one waits for, it does not wait in the common queue.
    static func run(
        _ arguments: [String], in scratch: Scratch, input: [UInt8] = [], environment: [String: String] = [:],
        wrapper: [String] = [], output: Sink = .pipe, isAwaited: Bool = false,
        watch: @escaping @Sendable (Running) throws -> Void = { _ in }
    ) async throws -> Outcome {
        let values = scratch.environment.merging(environment) { $1 }
        try #require(FileManager.default.isExecutableFile(atPath: path), "`make unit-test` builds \(path)")
        return try await Slots.run(isAwaited: isAwaited) {
            let running = try Running(wrapper + [path] + arguments, values, scratch.folder, input, output)
            return try running.finish(watch)
        }
    }
}

/// A program that runs with pipes for standard streams.
final class Running {
    private(set) var output: [UInt8] = []
    private(set) var errors: [UInt8] = []
    private let child: Child
    private var input: ArraySlice<UInt8>
    private var (inputEnd, outputEnd, errorEnd): (Int32, Int32, Int32)
    private let limit: Int
    private let mayRead: @Sendable () -> Bool
    private var hasSent = false

    init(
        _ command: [String], _ environment: [String: String], _ folder: String, _ input: [UInt8], _ sink: Program.Sink
    ) throws {
        let (stdin, stdout, stderr) = (try ChildPipe(), try ChildPipe(), try ChildPipe())
        var standardOutput = stdout.write
        if case .file(let path) = sink { standardOutput = open(path, O_WRONLY | O_CLOEXEC) }
        try #require(standardOutput >= 0)
        _ = fcntl(stdin.read, F_SETFL, 0)
        child = try Child(
            command, environment, folder, descriptors: [stdin.read, standardOutput, stderr.write], isLeader: false)
        for descriptor in Set([stdin.read, stdout.write, stderr.write, standardOutput]) { close(descriptor) }
        (inputEnd, outputEnd, errorEnd) = (stdin.write, stdout.read, stderr.read)
        self.input = input[...]
        limit = if case .closed(let count) = sink { count } else { .max }
        mayRead = if case .unread(let condition) = sink { condition } else { { true } }
        // Writing does not wait for a child that does not read its input.
        _ = fcntl(inputEnd, F_SETFL, O_NONBLOCK)
    }

    /// Its output so far, standard output before standard error.
    var text: String { String(decoding: output + errors, as: UTF8.self) }

    /// Whether the pipe of standard output has no room for another line.
    var isFull: Bool {
        var count: Int32 = 0
        guard ioctl(outputEnd, UInt(FIONREAD), &count) == 0 else { return false }
        // F_GETPIPE_SZ of Linux, a macro that Swift does not see. A full pipe can hold less than its size: a line that
        // does not fit on a page starts the next one, and the last page may hold a single line.
        return count > fcntl(outputEnd, 1032) / 8 * 7
    }

    func send(_ signal: Int32) { child.send(signal) }

    /// Sends a signal, but only the first time that this is called.
    func sendOnce(_ signal: Int32) {
        if !hasSent { send(signal) }
        hasSent = true
    }

    /// Reads both pipes until they end, and waits for the end of the program.
    func finish(_ watch: (Running) throws -> Void) throws -> Outcome {
        // A program that takes longer is hung and is killed. No test asserts on the time.
        let deadline = ContinuousClock.now + patience
        defer { [inputEnd, outputEnd, errorEnd].forEach { if $0 >= 0 { close($0) } } }
        while outputEnd >= 0 || errorEnd >= 0 {
            let isReading = errorEnd < 0 || mayRead()
            var waiting = [
                pollfd(fd: isReading ? outputEnd : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: errorEnd, events: Int16(POLLIN), revents: 0),
                pollfd(fd: inputEnd, events: Int16(POLLOUT), revents: 0),
            ]
            poll(&waiting, nfds_t(waiting.count), 10)
            feed()
            if isReading { Running.read(&outputEnd, into: &output, limit: limit) }
            Running.read(&errorEnd, into: &errors, limit: .max)
            try watch(self)
            if ContinuousClock.now > deadline { send(SIGKILL) }
        }
        return Outcome(code: child.wait(), output: output, errors: String(decoding: errors, as: UTF8.self))
    }

    private func feed() {
        guard inputEnd >= 0 else { return }
        if !input.isEmpty {
            let count = input.withUnsafeBytes { Glibc.write(inputEnd, $0.baseAddress, $0.count) }
            if count < 0, errno == EAGAIN { return }
            input = count < 0 ? [] : input.dropFirst(count)
        }
        guard input.isEmpty else { return }
        close(inputEnd)
        inputEnd = -1
    }

    private static func read(_ end: inout Int32, into bytes: inout [UInt8], limit: Int) {
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while end >= 0 {
            let count = Glibc.read(end, &piece, piece.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            if count > 0 { bytes += piece[..<count] }
            if count <= 0 || bytes.count >= limit {
                close(end)
                end = -1
            }
        }
    }
}
