internal import Files
internal import Languages
internal import Playback
internal import Scores

/// The recording of a performance while it is played: `play --record`; with `--listen`, what is heard of the player.
final class LiveTake {
    private let recorder: TakeRecorder
    private let path: String?
    /// The folder of the recording, and where it was at the beginning: both files go into it, wherever it has been moved by then.
    private let folder: HeldFolder?
    private let place: String?
    private let listens: Bool
    private let running: Task<Void, Never>

    /// Opens the microphone and the file, and begins to record. Errors end the command before the music begins.
    init?(_ path: String?, hearing: LiveHearing?, input: String, output: Status.Sound) throws {
        let type = path.flatMap { FileType(path: $0) }.flatMap { [FileType.wav, .flac].contains($0) ? $0 : nil }
        if let path, type == nil || !path.contains(".") {
            throw Failure.exit(.usage, localized("--record: '\(path)' must end in .flac or .wav"))
        }
        let microphone = try Microphone.opened(input)
        let delay = LiveTake.delay(output, input)
        let tell = { (news: Take.News) in Failure.say(LiveTake.message(news, input, isRecorded: path != nil)) }
        let ear = try Failure.exitOnError(.noDevice, "") { () throws(EngineError) in
            try hearing.map { hearing throws(EngineError) in
                try LiveEar(hearing, rate: microphone.rate, isPlaced: delay != nil)
            }
        }
        // A recording cannot be played another time, so none is replaced.
        let free = path.map(Take.free)
        if let path, let free, free != path {
            let old = FileBytes.exists(path) ? path : Take.timingPath(of: path)
            Failure.say(localized("note: '\(old)' exists; this recording becomes '\(free)'"))
        }
        for remains in free.map(NewFile.remains) ?? [] {
            Failure.say(
                localized("note: '\(remains)' is left of a recording that was cut off; `barline listen` reads it"))
        }
        folder = free.map { HeldFolder(FileBytes.folder(of: $0)) }
        place = folder?.place
        if let path = free, let folder, let type {
            do throws(RenderError) {
                recorder = TakeRecorder(
                    try Take(
                        microphone, to: folder.path(of: FileKind.name(of: path)), type: type, ear: ear,
                        delay: delay ?? .zero, tell: tell))
            } catch {
                throw LiveTake.failure(error, path)
            }
        } else if let ear {
            recorder = TakeRecorder(Take(microphone, ear: ear, delay: delay ?? .zero, tell: tell))
        } else {
            return nil
        }
        (self.path, listens) = (free, hearing != nil)
        running = Task { [recorder] in await recorder.run() }
    }

    /// Starts to take notes of where boundaries are in the recording.
    func listen(to options: inout Conductor.Options) {
        if path != nil { options.logTimes = { [recorder] row, heard in recorder.add(row, heard: heard) } }
        guard listens else { return }
        options.due = { [recorder] clicks, before in recorder.expect(clicks, before: before) }
        options.hearOut = { [recorder] in await recorder.hearOut() }
    }

    /// Ends the recording, and keeps its files. Returns how the program ends, once all is kept, if the recording
    /// is not whole; the reason has been said.
    func finish() async -> ProgramEnd? {
        let (ended, kept): (Take.News?, String?)
        do throws(RenderError) { (ended, kept) = try await recorder.finish() } catch {
            return LiveTake.failure(error, path ?? "")
        }
        await running.value
        var path = path
        if let old = path, let name = kept.map(FileKind.name(of:)), name != FileKind.name(of: old) {
            let new = String(old.dropLast(FileKind.name(of: old).count)) + name
            Failure.say(localized("note: '\(old)' exists; this recording becomes '\(new)'"))
            path = new
        }
        if let path, let now = folder?.place, now != place {
            let file = "\(now)/\(FileKind.name(of: path))"
            if FileBytes.exists(file) {
                Failure.say(localized("note: the folder of the recording has been moved; the recording is '\(file)'"))
            }
        }
        // Of what is only heard, nothing is cut off.
        return path == nil ? nil : ended.flatMap(LiveTake.code).map(ProgramEnd.init)
    }

    /// How the program ends if the recording at a path, or the log beside it, cannot be written. The error may name them by a
    /// descriptor of their folder.
    private static func failure(_ error: RenderError, _ path: String) -> ProgramEnd {
        let isLog = if case .cannotWrite(_, _?) = error { true } else { false }
        return Failure.exit(.cannotWrite, "'\(isLog ? Take.timingPath(of: path) : path)' \(error)")
    }

    private static func code(_ news: Take.News) -> Failure.Code? {
        switch news {
        case .gone: .noDevice
        case .full: .cannotWrite
        case .silent, .clipped: nil
        }
    }

    /// The delay from the output to the input, if it has been measured.
    private static func delay(_ output: Status.Sound, _ input: String) -> Duration? {
        guard case .device(let name) = output, let path = RoundTripMemory.path(environment: Environment.values) else {
            return nil
        }
        let pair = RoundTripMemory.Pair(output: name, input: input)
        guard let entry = RoundTripMemory.read(path).entries[pair] else {
            Failure.say(
                localized(
                    "note: the delay from '\(name)' to '\(input)' is not known and counts as 0 ms; `barline doctor --latency` measures it"
                ))
            return nil
        }
        return .microseconds(Int((entry.delay * 1000).rounded()))
    }

    private static func message(_ news: Take.News, _ input: String, isRecorded: Bool) -> String {
        switch news {
        case .gone(let reason) where !isRecorded:
            localized("note: the microphone '\(input)' has gone away (\(reason))")
        case .gone(let reason):
            localized(
                "note: the microphone '\(input)' has gone away (\(reason)): the recording ends here, the music goes on")
        case .full(let reason): localized("note: the recording ends here, the music goes on: it \(reason)")
        case .silent: localized("note: the microphone '\(input)' gives silence: is it muted?")
        case .clipped: localized("note: the recording is clipped: turn the level of the microphone down")
        }
    }
}
