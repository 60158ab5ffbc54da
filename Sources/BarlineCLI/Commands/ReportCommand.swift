internal import ArgumentParser
internal import Files
internal import Glibc
internal import Score
internal import Screen
internal import SystemPackage
internal import Timing

struct ReportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Say and draw how exactly a performance was in time.",
        discussion: """
            Reads the timing log that `barline play --timing-log` writes, and prints what it adds up to and a plot of the \
            error over time. Errors are heard less nominal: negative is early. rms and the farthest are taken about the \
            mean, the trend is a line by least squares.
            """)

    @Argument(help: "A timing log, or - for standard input.")
    var file: String

    @Option(help: ArgumentHelp("Write the plot to this file as an SVG picture.", valueName: "file"))
    var svg: String?

    @Flag(help: "Print the summary as a JSON object and no plot.")
    var json = false

    func validate() throws {
        if svg == "-" { throw ValidationError("--svg needs a file: standard output has the summary") }
    }

    func run() throws {
        if let svg, let log = FileIdentity(file), log.isRegular, log == FileIdentity(svg) {
            throw Failure.exit(.cannotWrite, "'\(svg)' is the log: give the picture another name")
        }
        let name = file == "-" ? "standard input" : file
        let trace = try read(name)
        if let svg { try write(trace, to: svg, name: name) }
        var output = StandardOutput()
        if json {
            try output.write(trace.summary.json + "\n")
        } else {
            let columns = min(max(Terminal.size.columns - 12, 20), 60)
            let plot = TimingPlot.text(of: trace, columns: columns, color: Terminal.hasColor(1))
            try output.write(trace.summary.text + (plot.isEmpty ? "" : "\n" + plot))
        }
        try output.flush()
    }

    /// Reads the log in pieces, so that its length does not matter. What is wrong goes to standard error.
    private func read(_ name: String) throws -> TimingTrace {
        var trace = TimingTrace()
        var reader = TimingLogReader(file: name)
        do throws(Errno) {
            try LogFile.read(file) { piece in
                reader.read(piece) { trace.add($0) }
                return !reader.isOver
            }
        } catch {
            throw Failure.exit(.noInput, LogFile.message(error, TextError.shown(name)))
        }
        reader.finish { trace.add($0) }
        LoadedScore.report(reader.diagnostics)
        if reader.hasErrors { throw ExitCode(Failure.Code.badData.rawValue) }
        return trace
    }

    private func write(_ trace: TimingTrace, to path: String, name: String) throws {
        let title = name.split(separator: "/").last.map(String.init) ?? name
        do throws(FileError) {
            try TextFile.replace(path, Array(TimingPicture.svg(of: trace, name: title).utf8))
        } catch {
            throw Failure.exit(.cannotWrite, "'\(path)' \(error)")
        }
    }
}

/// A file read piece by piece.
private enum LogFile {
    /// Hands the bytes of a file, or of standard input for `-`, to `take` until they end or it returns false.
    ///
    /// Errors: what the system says.
    static func read(_ path: String, _ take: (Span<UInt8>) -> Bool) throws(Errno) {
        let descriptor = path == "-" ? 0 : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { if path != "-" { close(descriptor) } }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            guard count > 0, take(buffer.span.extracting(0..<count)) else { return }
        }
    }

    /// A sentence about the file of that name that could not be read.
    static func message(_ error: Errno, _ name: String) -> String {
        switch error {
        case .noSuchFileOrDirectory: "there is no file \(name)"
        case .isDirectory: "\(name) is a folder, not a timing log"
        default: "\(name) cannot be read: \(error)"
        }
    }
}
