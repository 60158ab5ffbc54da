internal import Files
internal import Glibc
internal import Languages
public import Scores
internal import SystemPackage
public import Timing

/// Renders a performance into a file, with the scheduler and engine of a live one. The clock is the number of frames.
public struct Renderer: Sendable {
    /// The performance that is rendered.
    public package(set) var performance: Performance
    /// The format in which it is stored.
    public package(set) var format: SoundFormat
    /// Clicks whose sound differs from the usual one.
    public var clicks: [ClickSound: ClickShape] = [:]
    /// The parts that sound.
    public var parts = SoundParts.all
    /// How many frames are rendered at a time; the samples do not depend on it.
    public var blockFrames = 8192
    /// How loud it becomes, and the music under it; nil if samples are stored as they are made.
    package var mastering: Mastering?

    /// Makes a renderer. If voices of the piece have channels of their own, the format gets as many channels.
    public init(_ performance: Performance, format: SoundFormat) {
        self.performance = performance
        self.format = format.carrying(performance.passage.timeline)
    }

    /// The length in frames: the count-in, and ceil(length × rate) after it, or as long as clicks ring on after that. nil if
    /// the performance cannot be rendered: it has no end, its passage has an `excess`, or the format, A4 or the drone is out
    /// of range.
    public var frames: Int64? {
        guard (try? check()) != nil else { return nil }
        let scheduler = Scheduler(performance, rate: format.rate)
        return scheduler.endFrame.map { max($0, RingingClicks.end(of: scheduler, clicks)) }
    }

    /// Throws if no engine can render this.
    private func check() throws(RenderError) {
        guard format.isValid else { throw .engine(.invalidFormat) }
        if let fault = format.channelFault ?? performance.pitchFault() { throw .unsuitable(fault) }
        if let excess = performance.passage.excess { throw .tooLong(excess) }
    }

    /// Renders into a sound file, which appears whole or not at all. Title, composer and markers are stored in the form
    /// that its type has for them. Unless `type` is given, the extension of the file's name tells the type; an unknown
    /// one is an error, as are more markers than `FileType.markerLimit`. `progress` is called with 0 ... 1 now and then; an
    /// error that it throws ends the rendering.
    public func write(
        to path: String, as type: FileType? = nil, markers: [Marker] = [],
        progress: (Double) throws(RenderError) -> Void = { _ in }
    ) throws(RenderError) {
        guard let type = type ?? FileType(path: path) else { throw .unsuitable(FileType.unknownExtension(path)) }
        try write([(path, .all)], as: type, markers: markers, progress: progress)
    }

    /// Renders several files of the same length, each with some of the parts: all of them appear, or none. Two files with
    /// one path are an error.
    public func write(
        _ files: [(path: String, parts: SoundParts)], as type: FileType = .wav, markers: [Marker] = [],
        progress: (Double) throws(RenderError) -> Void = { _ in }
    ) throws(RenderError) {
        _ = try written(files, as: type, markers: markers, progress: progress)
    }

    /// The same; returns the words of a plan for which the first file had no room.
    package func written(
        _ files: [(path: String, parts: SoundParts)], as type: FileType, markers: [Marker],
        progress: (Double) throws(RenderError) -> Void
    ) throws(RenderError) -> [MissedWord] {
        try check()
        guard let frames else { throw .endless }
        if let refusal = type.refusal(of: format) { throw .unsuitable(refusal) }
        if type == .aiff, SoundFile.isLarge(format, frames: frames) {
            throw .unsuitable(localized("an AIFF file can have at most 4 GB: use .wav, which becomes RF64"))
        }
        guard markers.count <= type.markerLimit else {
            throw .unsuitable(
                localized("\(type.rawValue.uppercased()) files have at most \(type.markerLimit) markers"))
        }
        var paths: Set<FilePath> = []
        for (path, _) in files where !paths.insert(FilePath(path).lexicallyNormalized()).inserted {
            throw .unsuitable(localized("'\(path)' would be written twice: give each file a name of its own"))
        }
        let share = 1 / Double(max(files.count, 1))
        let words = SoundFile.Words(
            title: performance.title, composer: performance.composer, markers: markers,
            start: StartStamp(performance, rate: format.rate))
        var (missed, done): ([MissedWord]?, Double) = (nil, 0)
        try NewFile.writeAll(files[...], at: \.path, failure: { .cannotWrite($0.reason, path: $1.path) }) {
            (file, descriptor) throws(RenderError) in
            do throws(RenderError) {
                let words = try write(file.parts, to: descriptor, file.path, type, words, frames) {
                    (part) throws(RenderError) in
                    try progress((done + part) * share)
                }
                missed = missed ?? words
            } catch .cannotWrite(let reason, nil) {
                throw .cannotWrite(reason, path: file.path)
            }
            done += 1
        }
        return missed ?? []
    }

    /// Writes a file with some parts of the sound.
    private func write(
        _ parts: SoundParts, to descriptor: Int32, _ path: String, _ type: FileType, _ words: SoundFile.Words,
        _ frames: Int64, _ progress: (Double) throws(RenderError) -> Void
    ) throws(RenderError) -> [MissedWord] {
        // Beside a file that is made smaller by leaving out what is not heard, timecode is in one that keeps everything.
        let type = parts == .timecode ? FileType(path: path) ?? type : type
        var part = self
        part.parts = parts
        if parts == .timecode { part.carryTimecodeAlone() }
        if !type.isLossless { part.format.samples = .float32 }
        let sound = try SoundFile(descriptor: descriptor, type: type, format: part.format, frames: frames, words: words)
        let missed = try part.rendered { bytes, frame throws(RenderError) in
            try sound.write(bytes)
            try progress(Double(frame) / Double(frames))
        }
        try sound.finish()
        let isRF64 = type == .rf64 || type == .wav && SoundFile.isLarge(part.format, frames: frames)
        if words.start != nil, [.wav, .rf64].contains(type), part.format.samples == .float32 {
            try StartStamp.correct(descriptor)
        }
        try MarkerChunks.append(words.markers, to: descriptor, isRF64 ? .rf64 : type)
        try ChapterTags.write(descriptor, type, words, frames: frames, rate: format.rate)
        return missed
    }

    /// Makes this the rendering of timecode, on one channel.
    private mutating func carryTimecodeAlone() {
        format = SoundFormat(rate: format.rate, channels: 1, samples: format.samples)
        format.timecodeChannels = ChannelSet([1])
        mastering = nil
    }

    /// Renders raw interleaved little-endian samples to a descriptor. Returns without an error if the reader goes away.
    public func stream(to descriptor: Int32) throws(RenderError) { _ = try streamed(to: descriptor) }

    /// The same; returns the words of a plan for which there was no room.
    package func streamed(to descriptor: Int32) throws(RenderError) -> [MissedWord] {
        do {
            return try rendered { bytes, _ throws(RenderError) in
                var rest = bytes
                while !rest.isEmpty {
                    let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
                    if written < 0, errno == EINTR { continue }
                    if written < 0, errno == EAGAIN {
                        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                        poll(&ready, 1, -1)
                        continue
                    }
                    if written < 0, errno == EPIPE { throw RenderError.readerGone }
                    guard written > 0 else { throw .cannotWrite(Errno.last.reason) }
                    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
                }
            }
        } catch .readerGone {
            return []
        }
    }

    /// Renders block by block; `take` gets the samples of each block and the first frame after it.
    public func render(_ take: (UnsafeRawBufferPointer, Int64) throws(RenderError) -> Void) throws(RenderError) {
        _ = try rendered(take)
    }

    /// The same; returns the words of a plan for which there was no room.
    func rendered(
        _ take: (UnsafeRawBufferPointer, Int64) throws(RenderError) -> Void
    ) throws(RenderError) -> [MissedWord] {
        if let mastering { return try renderMastered(mastering, take) }
        try check()
        var engine: Engine
        do throws(EngineError) { engine = try Engine(format) } catch { throw .engine(error) }
        engine.parts = parts
        engine.use(clicks)
        var scheduler = Scheduler(performance, rate: format.rate)
        let end = frames ?? .max
        let blockFrames = min(max(blockFrames, 1), 1 << 20)
        let block = UnsafeMutableRawBufferPointer.allocate(
            byteCount: blockFrames * format.bytesPerFrame, alignment: MemoryLayout<Double>.alignment)
        defer { block.deallocate() }
        var frame: Int64 = 0
        while frame < end {
            let count = min(Int64(blockFrames), end - frame)
            let known = scheduler.schedule(before: frame + count, into: &engine)
            engine.commit(horizon: known)
            guard engine.decide() else { throw .tooDense }
            if let failure = engine.failure { throw .engine(failure) }
            // If the score is denser than the queue, only frames whose events are all known are rendered, at least one.
            let frames = Int(max(min(known - frame, count), 1))
            engine.render(frames, into: block)
            frame += Int64(frames)
            scheduler.settle(before: frame)
            try take(UnsafeRawBufferPointer(rebasing: block[..<(frames * format.bytesPerFrame)]), frame)
        }
        guard engine.clickCounts.dropped == 0 else { throw .tooDense }
        return scheduler.missed
    }
}

/// Why a rendering failed.
public enum RenderError: Error, Equatable, CustomStringConvertible {
    /// The performance has no end.
    case endless
    /// The file of this path cannot be written, for the reason given; no path where the caller opened the file.
    case cannotWrite(String, path: String? = nil)
    /// Such a sound cannot be made, or the type of file cannot hold it, for the reason given.
    case unsuitable(String)
    /// The performance is longer than `Passage.longest`, or takes too many jumps, as the text says.
    case tooLong(TextError)
    /// The reader of the stream has gone away.
    case readerGone
    /// Some clicks could not sound: too many at once.
    case tooDense
    /// The synthesizer failed.
    case engine(EngineError)
    /// A file of music cannot be opened; the text says which, and why.
    case noMusic(String)
    /// A file of music cannot be played; the text says which, and why.
    case badMusic(String)
    /// The caller has stopped the rendering.
    case cancelled

    init(_ error: FileError) { self = .cannotWrite(error.reason) }

    /// One sentence, or the end of one that begins with the file's name.
    public var description: String {
        switch self {
        case .endless: localized("a file must end: a loop needs a number of times")
        case .cannotWrite(let reason, _): localized("cannot be written: \(reason)")
        case .unsuitable(let reason), .noMusic(let reason), .badMusic(let reason): reason
        case .tooLong(let error): error.description
        case .readerGone: localized("the reader has gone away")
        case .tooDense: localized("clicks come too close together to sound at once")
        case .engine(let error): error.description
        case .cancelled: localized("rendering was stopped; nothing was written")
        }
    }
}

/// The parts of a performance, each of which can be rendered by itself.
public struct SoundParts: OptionSet, Sendable, Equatable {
    /// One bit per part.
    public let rawValue: Int

    /// Makes a set from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Clicks.
    public static let click = SoundParts(rawValue: 1)
    /// The clicks of one of several voices, from 1, with those that belong to all of them, such as the count-in.
    public static func click(ofVoice number: Int) -> SoundParts {
        SoundParts(rawValue: 1 | min(max(number, 0), 1000) << 8)
    }

    /// The voice whose clicks sound; 0 for all.
    var voice: Int { rawValue >> 8 }

    /// The drone.
    public static let drone = SoundParts(rawValue: 2)
    /// Spoken words.
    public static let speech = SoundParts(rawValue: 4)
    /// Music under the others, if there is any.
    public static let music = SoundParts(rawValue: 8)
    /// Linear timecode, on the channels that carry it.
    public static let timecode = SoundParts(rawValue: 16)
    /// Everything.
    public static let all: SoundParts = [.click, .drone, .speech, .music, .timecode]
}
