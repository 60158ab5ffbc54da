internal import ArgumentParser
internal import Glibc
internal import Playback
internal import Synchronization
internal import Timing

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render a score to a sound file.",
        discussion: """
            The extension determines the type: .wav (RF64 above 4 GB), .rf64, .flac, .ogg, .opus, .mp3 or .aiff. A name \
            without an extension is a WAV file, and an unknown extension is an error. The file \
            begins with the count-in and contains title, composer and markers. `-o -` writes raw interleaved \
            little-endian samples to standard output.
            """)

    @OptionGroup var performanceOptions: PerformanceOptions
    @OptionGroup var formatOptions: FormatOptions

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The file to write, or - for raw samples.", valueName: "file"),
        completion: .file())
    var output: String

    @Option(
        help: ArgumentHelp(
            "The type of the file, if its name does not determine it: \(FileType.names).", valueName: "type"),
        completion: .values(FileType.self),
        transform: RenderCommand.type)
    var type: FileType?

    @Option(
        help: ArgumentHelp(
            "Markers for lines and labels, for all bars, or off. Default: lines.", valueName: "which"),
        completion: .values(Marker.Choice.self),
        transform: RenderCommand.markers)
    var markers = Marker.Choice.lines

    @Flag(help: "Also write click, drone and speech to separate files: piece-click.wav ...")
    var stems = false

    private static func type(_ text: String) throws -> FileType {
        guard let type = FileType(rawValue: text.lowercased()) else {
            throw ValidationError("--type must be one of \(FileType.names)")
        }
        return type
    }

    private static func markers(_ text: String) throws -> Marker.Choice {
        guard let choice = Marker.Choice(rawValue: text) else {
            throw ValidationError("--markers must be lines, bars or off")
        }
        return choice
    }

    /// WAV stands in for an unknown extension until `run` refuses it.
    private var fileType: FileType { type ?? FileType(path: output) ?? .wav }

    func validate() throws {
        if output == "-", stems || type != nil {
            throw ValidationError("-o - writes raw samples: --type and --stems cannot be used with it")
        }
        if !fileType.isLossless, output != "-", formatOptions.bits != nil {
            throw ValidationError("--bits cannot be used with a file of type \(fileType.rawValue)")
        }
        if output != "-", let refusal = fileType.refusal(of: formatOptions.format) { throw ValidationError(refusal) }
        if performanceOptions.loop, output != "-" {
            throw ValidationError("a file must end: use --times instead of --loop, or -o - for a stream")
        }
        if output == "-", isatty(1) == 1 {
            throw ValidationError("raw samples cannot be written to a terminal: redirect them to a program or a file")
        }
    }

    func run() throws {
        try checkOutput()
        var performance = try performanceOptions.performance().performance
        let format = try formatOptions.format(for: performance.passage.timeline)
        if output != "-", let refusal = fileType.refusal(of: format) { throw Failure.exit(.usage, refusal) }
        performance.speaker = performanceOptions.cueOptions.speaker(
            performance.cues.speech, rate: format.rate, waits: true)
        var renderer = Renderer(performance, format: format)
        renderer.clicks = try performanceOptions.cueOptions.shapes(rate: format.rate)
        let missed = Mutex<[MissedWord]>([])
        renderer.noticed = { words in missed.withLock { $0 = words } }
        let name = output == "-" ? "standard output" : "'\(output)'"
        do throws(RenderError) {
            if output == "-" {
                signal(SIGPIPE, SIG_IGN)
                try renderer.stream(to: 1)
            } else {
                try write(renderer)
            }
            CueOptions.report(missed.withLock { $0 })
        } catch {
            switch error {
            case .cannotWrite: throw Failure.exit(.cannotWrite, "\(name) \(error)")
            case .cancelled: throw Failure.exit(.interrupted, error)
            case .endless:
                throw Failure.exit(.usage, "the score repeats forever, but a file must end: use --to or --times")
            case .tooDense: throw Failure.exit(.badData, error)
            default: throw Failure.exit(.usage, error)
            }
        }
    }

    /// Refuses a name with an unknown extension, to write over the score itself, and to write a sound file into a pipe.
    private func checkOutput() throws {
        guard output != "-" else { return }
        let file = FileIdentity(output)
        if let file, let path = LoadedScore.path(performanceOptions.passageOptions.score), FileIdentity(path) == file {
            throw Failure.exit(.cannotWrite, "'\(output)' is the score: give the sound another name")
        }
        if type == nil, FileType(path: output) == nil {
            throw Failure.exit(.usage, FileType.unknownExtension(output) + ", or add --type")
        }
        if file?.isPipe ?? false {
            throw Failure.exit(
                .cannotWrite, "'\(output)' is a pipe, which cannot hold a sound file; -o - writes raw samples")
        }
    }

    private func files(_ renderer: Renderer) -> [(path: String, parts: SoundParts)] {
        guard stems else { return [(output, .all)] }
        let name = output.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let end = name.dropFirst().lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        let start = output.dropLast(end.count)
        return [
            (output, .all), ("\(start)-click\(end)", .click), ("\(start)-drone\(end)", .drone),
            ("\(start)-speech\(end)", .speech),
        ]
    }

    private func write(_ renderer: Renderer) throws(RenderError) {
        let interrupt = Interrupt()
        let signals = Signals.handle(Signals.endings) { _ in interrupt.come() }
        defer { signals.cancel() }
        var bar = ProgressBar(output)
        defer { bar.clear() }
        let limit = fileType.markerLimit
        let marked = Marker.all(of: renderer.performance, rate: renderer.format.rate, markers, limit: limit)
        // A file that cannot hold a chapter for each interval has chapters for their groups.
        let groups = Marker.groups(
            of: renderer.performance, rate: renderer.format.rate, limit: marked == nil ? limit : 0)
        try renderer.write(files(renderer), as: fileType, markers: marked ?? groups.markers) {
            share throws(RenderError) in
            if interrupt.hasCome { throw .cancelled }
            bar.show(share)
        }
        if marked == nil {
            bar.clear()
            let which = groups.step == 1 ? "each group or line" : "every \(groups.step) groups or lines"
            Failure.say(
                "note: a \(fileType.rawValue) file can have at most \(limit) markers; this one has one for \(which)")
        }
    }
}

extension FileType {
    /// The values of `--type`.
    static let names = allCases.map(\.rawValue).joined(separator: ", ")
}
