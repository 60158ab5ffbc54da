internal import ArgumentParser
internal import Playback

#if canImport(Glibc)
    internal import Glibc
#endif

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Write what `play` would sound like to a WAV file.",
        discussion: """
            The file begins with the count-in. Above 4 GB it is RF64. `-o -` writes raw interleaved little-endian \
            samples to standard output.
            """)

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var formatOptions: FormatOptions

    @Option(name: .shortAndLong, help: ArgumentHelp("The file to write, or - for raw samples.", valueName: "file"))
    var output: String

    func validate() throws {
        if performanceOptions.loop, output != "-" {
            throw ValidationError("a file has to end: give --times instead of --loop, or -o - for a stream")
        }
        if output == "-", isatty(1) == 1 {
            throw ValidationError("raw samples do not belong on a terminal: send them to a program or a file")
        }
    }

    func run() throws {
        try checkOutput()
        let renderer = Renderer(try performanceOptions.performance(), format: formatOptions.format)
        let name = output == "-" ? "standard output" : "'\(output)'"
        do throws(RenderError) {
            if output == "-" {
                signal(SIGPIPE, SIG_IGN)
                try renderer.stream(to: 1)
            } else {
                try write(renderer)
            }
        } catch {
            switch error {
            case .cannotWrite: throw Failure.exit(.cannotWrite, "\(name) \(error)")
            case .cancelled: throw Failure.exit(.interrupted, error)
            case .tooDense: throw Failure.exit(.badData, error)
            default: throw Failure.exit(.usage, error)
            }
        }
    }

    /// Refuses what would be written without a sense: over the score itself, or a WAV file into a pipe.
    private func checkOutput() throws {
        guard output != "-", let file = FileIdentity(output) else { return }
        if let path = LoadedScore.path(performanceOptions.walkOptions.score), FileIdentity(path) == file {
            throw Failure.exit(.cannotWrite, "'\(output)' is the score: give the sound another name")
        }
        if file.isPipe {
            throw Failure.exit(
                .cannotWrite, "'\(output)' is a pipe, which cannot hold a WAV file; -o - writes raw samples")
        }
    }

    private func write(_ renderer: Renderer) throws(RenderError) {
        let interrupt = Interrupt()
        let signals = Signals.handle(Signals.endings) { _ in interrupt.come() }
        defer { signals.cancel() }
        var bar = ProgressBar(output)
        defer { bar.clear() }
        try renderer.write(to: output) { share throws(RenderError) in
            if interrupt.hasCome { throw .cancelled }
            bar.show(share)
        }
    }
}
