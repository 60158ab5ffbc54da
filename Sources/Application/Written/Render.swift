internal import Formats
internal import Languages
package import Playback
internal import Timing

/// What is rendered to a file, and how. `render` carries it out.
package struct RenderRequest: Sendable {
    /// The score: a file, the name of a score, or `-`.
    package var score: String
    /// The path of the file, or `-` for raw samples on standard output.
    package var output: String
    /// The type of the file; nil if its name tells it.
    package var type: FileType?
    package var performance = PerformanceRequest()
    package var practice = PracticeRequest()
    package var format = FormatRequest()
    package var timecode = TimecodeRequest()
    package var music = BackingRequest()
    package var markers = Marker.Choice.lines
    /// Whether click, drone, speech and music go to files of their own, too.
    package var stems = false
    /// The path of a file of timecode.
    package var ltc: String?

    package init(_ score: String, to output: String) { (self.score, self.output) = (score, output) }
}

extension RenderRequest {
    /// WAV stands in for an unknown extension until `render` refuses it.
    private var fileType: FileType { type ?? FileType(path: output) ?? .wav }

    /// Whether the file is a page that plays by itself.
    private var isPage: Bool { type == nil && WrittenFormat.candidates(fileName: output) == [.page] }

    /// Writes the file. Errors: `ProgramEnd`, whose reason has been told.
    package func render() throws {
        if isPage { return try writePage() }
        let music = try music.files()
        try checkOutput(music)
        var (performance, words, _, named) = try self.performance.performance(of: .named(score))
        try practice.apply(to: &performance, named: ScoreSource.title(ofScore: score))
        try timecode.apply(to: &performance, toFile: ltc != nil)
        var format = try format(for: performance.passage.timeline, over: music)
        if words.plan != nil, music.isEmpty, output != "-", self.format.channels == nil {
            format = format.narrowed(for: performance, fileType)
        }
        format = try timecode.carried(by: format, channels: self.format.channels)
        try timecode.check(performance, rate: format.rate)
        if words.plan != nil || !music.isEmpty, timecode.channel != nil {
            throw Failure.exit(
                .usage,
                localized("a plan, or a score over music, is made louder as a whole: write its timecode with --ltc"))
        }
        performance.speaker = try self.performance.cues.speaker(for: performance, rate: format.rate, waits: true)
        var renderer = Renderer(performance, format: format)
        renderer.clicks = try self.performance.cues.shapes(rate: format.rate)
        if output != "-" {
            try OutputFile.check(
                files(renderer, hasMusic: !music.isEmpty).map(\.path),
                read: [LoadedScore.path(score)] + music + self.performance.files + named)
        }
        do throws(RenderError) {
            if words.plan != nil || !music.isEmpty { renderer.mastering = try mastering(renderer, over: music) }
            let missed = try output == "-" ? renderer.streamed(to: 1) : write(renderer)
            CueRequest.reports(of: missed).forEach(Failure.say)
        } catch {
            throw failure(error)
        }
    }

    /// Writes a page that plays by itself.
    private func writePage() throws {
        let music = try music.files()
        if stems || !music.isEmpty || format.isGiven || ltc != nil || timecode.channel != nil {
            throw Failure.exit(
                .usage,
                localized(
                    "a page that plays by itself is no sound file: --bits, --rate, the channels, --over, --ltc and --stems cannot be used with it"
                ))
        }
        try OutputFile.refuse(output, as: [LoadedScore.path(score)]) {
            localized("'\($0)' is the score: give the page another name")
        }
        try WrittenPage.write(.named(score), performance, to: output) { performance in
            try practice.apply(to: &performance, named: ScoreSource.title(ofScore: score))
        }
    }

    private func failure(_ error: RenderError) -> ProgramEnd {
        switch error {
        case .cannotWrite(_, let path):
            let name = output == "-" ? localized("standard output") : "'\(path ?? output)'"
            return Failure.exit(.cannotWrite, "\(name) \(error)")
        case .cancelled: return Failure.exit(.interrupted, error)
        case .endless:
            return Failure.exit(
                .usage, localized("the score repeats forever, but a file must end: use --to or --times"))
        case .tooDense, .badMusic: return Failure.exit(.badData, error)
        case .noMusic: return Failure.exit(.noInput, error)
        default: return Failure.exit(.usage, error)
        }
    }

    /// The format for a piece over music, at the rate of the music unless the user has chosen one.
    private func format(for timeline: Timeline, over music: [String]) throws -> SoundFormat {
        var wanted = self.format
        do throws(RenderError) {
            let type = output == "-" ? nil : fileType
            if wanted.rate == nil { wanted.rate = try BackingRequest.rate(music, wanted.format, type) }
        } catch {
            throw failure(error)
        }
        let format = try wanted.format(for: timeline)
        if output != "-", let refusal = fileType.refusal(of: format) { throw Failure.exit(.usage, refusal) }
        return format
    }

    /// Measures the music and the cues, and makes all of them equally loud.
    private func mastering(_ renderer: Renderer, over music: [String]) throws(RenderError) -> Mastering? {
        if output != "-", renderer.frames == nil { throw .endless }
        let interrupt = Interrupt()
        // A stream, which leaves nothing behind, is ended by the signal itself.
        let signals = output == "-" ? nil : Signals.handle(Signals.endings) { _ in interrupt.come() }
        defer { signals?.cancel() }
        let seconds = renderer.frames.map { Double($0) / Double(renderer.format.rate) }
        var program: BackingProgram?
        if !music.isEmpty {
            try showProgress(localized("measuring music"), interrupt) { progress throws(RenderError) in
                program = try BackingProgram(
                    music, seconds: seconds ?? .infinity, channels: renderer.format.channels, progress: progress)
            }
        }
        var mastering: Mastering?
        try showProgress(localized("measuring cues"), interrupt) { progress throws(RenderError) in
            mastering = try renderer.measuredCues(progress: progress)
        }
        mastering?.music = program
        return mastering
    }

    /// Shows the progress of `work` on a bar with this title. Errors: those of `work`; `cancelled` after an interrupt.
    private func showProgress(
        _ title: String, _ interrupt: Interrupt,
        _ work: ((Double) throws(RenderError) -> Void) throws(RenderError) -> Void
    ) throws(RenderError) {
        var bar = ProgressBar(title)
        defer { bar.clear() }
        try work { share throws(RenderError) in
            if interrupt.hasCome { throw .cancelled }
            bar.show(share)
        }
    }

    /// Refuses an unknown extension, the files of the score and of its music, and a pipe for a sound file.
    private func checkOutput(_ music: [String]) throws {
        guard output != "-" else { return }
        try OutputFile.refuse(output, as: [LoadedScore.path(score)]) {
            localized("'\($0)' is the score: give the sound another name")
        }
        for file in music {
            try OutputFile.refuse(output, as: [file]) { localized("'\($0)' is the music: give the sound another name") }
        }
        if let ltc {
            for path in [output, LoadedScore.path(score)].compactMap(\.self) + music
            where ltc == path || OutputFile.isOne(ltc, path) {
                throw Failure.exit(
                    .cannotWrite, localized("'\(ltc)' is written or read already: give the timecode another name"))
            }
        }
        if type == nil, FileType(path: output) == nil {
            throw Failure.exit(.usage, FileType.unknownExtension(output) + localized(", or add --type"))
        }
        if FileIdentity(output)?.isPipe ?? false {
            throw Failure.exit(
                .cannotWrite,
                localized("'\(output)' is a pipe, which cannot hold a sound file; -o - writes raw samples"))
        }
    }

    private func files(_ renderer: Renderer, hasMusic: Bool) -> [(path: String, parts: SoundParts)] {
        let timecode: [(String, SoundParts)] = ltc.map { [($0, .timecode)] } ?? []
        guard stems else { return [(output, .all)] + timecode }
        let stems: [(String, SoundParts)] = [("click", .click), ("drone", .drone), ("speech", .speech)]
        let music: [(String, SoundParts)] = hasMusic ? [("music", .music)] : []
        let names = renderer.performance.passage.timeline.voices.map(\.name)
        let voices = names.indices.filter { _ in names.count > 1 }.map { number in
            ("click-\(VoiceFile.name(number, of: names))", SoundParts.click(ofVoice: number + 1))
        }
        return [(output, .all)] + (stems + music + voices).map { (FileKind.path(output, part: $0), $1) } + timecode
    }

    /// Writes the files; returns the words of a plan for which there was no room.
    private func write(_ renderer: Renderer) throws(RenderError) -> [MissedWord] {
        let interrupt = Interrupt()
        let signals = Signals.handle(Signals.endings) { _ in interrupt.come() }
        defer { signals.cancel() }
        let markers = FittingMarkers(renderer.performance, rate: renderer.format.rate, markers, in: fileType)
        var missed: [MissedWord] = []
        try showProgress(output, interrupt) { progress throws(RenderError) in
            missed = try renderer.written(
                files(renderer, hasMusic: renderer.mastering?.music != nil), as: fileType, markers: markers.markers,
                progress: progress)
        }
        if let note = markers.note { Failure.say(note) }
        return missed
    }
}
