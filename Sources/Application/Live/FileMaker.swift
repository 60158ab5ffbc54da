internal import Files
internal import Formats
internal import Glibc
internal import Languages
internal import Playback
package import Scores
internal import Screens
internal import Serving
package import Timing

/// The piece that plays, as far as files of it need it.
struct PlayedPiece: Sendable {
    /// The score.
    var score: Score
    /// Whether it is a plan, whose sound is made as loud as music.
    var isPlan: Bool { words.plan != nil }
    /// Its words.
    var words: any PieceWords
    var cues: CueRequest

    init(_ score: Score, _ words: any PieceWords, _ cues: CueRequest) {
        (self.score, self.words, self.cues) = (score, words, cues)
    }
}

/// Makes files of the music for pages, one after the other, on a thread of its own with a low priority.
struct FileMaker: Sendable {
    /// A file that is being made for a page.
    struct Job: Sendable {
        var kind: MadeKind
        var name: String
        var page: PageID
        var piece: PlayedPiece
        /// As the music sounds at present.
        var status: Status
        /// Comes when the file is not wanted any more.
        let interrupt = Interrupt()
    }

    let tell: LiveShelf.Tell
    private let thread = OwnThread()
    /// The longest sound file, in s; it is written to a temporary folder first.
    private static let longest = 4 * 3600.0
    /// The time between two reports of progress, in ns.
    private static let step: Int64 = 250_000_000

    init(tell: @escaping LiveShelf.Tell) { self.tell = tell }

    /// Makes a file of a whole piece, on the maker's thread. There it also calls `finished`, with the file or with the reason why
    /// it could not be made.
    func make(_ job: Job, finished: @escaping @Sendable (ShelfAnswer) -> Void) {
        tell(.progress(job.name, 0), job.page)
        thread.call {
            // Linux gives each thread a priority of its own; 0 is the one that calls.
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            finished(made(job))
        }
    }

    /// The file, in a private folder that is removed at once: the file lives on as long as it is open.
    private func made(_ job: Job) -> ShelfAnswer {
        let name = job.name
        var template = Array("\(TemporaryFiles.folder)/barline-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else {
            return .note(localized("'\(name)' cannot be made: there is no temporary folder"))
        }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let path = "\(folder)/file"
        defer {
            unlink(path)
            rmdir(folder)
        }
        do {
            let losses =
                switch job.kind {
                case .sound(let type): try render(type, to: path, job)
                case .score(let format): try write(format, to: path, job)
                case .page: try writePage(to: path, job)
                }
            if !losses.isEmpty { tell(.note("\(name): \(losses.joined(separator: "; "))"), job.page) }
        } catch {
            return .note(localized("'\(name)' cannot be made: \(error)"))
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, let file = PageFile(descriptor, name: name, type: MadeKind.mediaType) else {
            return .note(localized("'\(name)' cannot be read again"))
        }
        return .made(file)
    }

    /// Writes a sound file; returns what there is to say of it.
    private func render(_ type: FileType, to path: String, _ job: Job) throws -> [String] {
        var performance = job.performance
        let piece = job.piece
        var format = SoundFormat()
        if piece.isPlan { format = format.narrowed(for: performance, type) }
        performance.speaker = try piece.cues.speaker(for: performance, rate: format.rate, waits: true)
        var renderer = Renderer(performance, format: format)
        renderer.clicks = try piece.cues.shapes(rate: format.rate)
        if let frames = renderer.frames, Double(frames) > FileMaker.longest * Double(format.rate) {
            throw TextError(localized("it would last longer than 4 hours; `barline render` makes it"))
        }
        var next = monotonicNanoseconds()
        func progress(_ share: Double) throws(RenderError) {
            if job.interrupt.hasCome { throw .cancelled }
            let now = monotonicNanoseconds()
            guard now >= next else { return }
            next = now + FileMaker.step
            tell(.progress(job.name, share), job.page)
        }
        if piece.isPlan {
            renderer.mastering = try renderer.measuredCues { share throws(RenderError) in try progress(share / 2) }
        }
        let markers = FittingMarkers(performance, rate: format.rate, .lines, in: type)
        let missed = try renderer.written([(path, .all)], as: type, markers: markers.markers) {
            share throws(RenderError) in
            try progress(piece.isPlan ? 0.5 + share / 2 : share)
        }
        return [markers.note].compactMap(\.self) + CueRequest.reports(of: missed)
    }

    /// Writes a score; returns what its format does not carry.
    private func write(_ format: Format, to path: String, _ job: Job) throws -> [String] {
        guard job.status.home.count != nil || format.isOfPage else {
            throw TextError(localized("the score repeats forever"))
        }
        let performance = job.status.performance
        let score = format.isOfPage ? job.piece.score.sounding(as: performance, job.status.speed) : job.piece.score
        let played = PlayedScore(score, passage: job.status.home, speed: job.status.speed)
        let writing = try format.write(played)
        try TextFile.replace(path, writing.bytes)
        guard format.isOfPage, !performance.followsDroneChanges, !score.notesOfChanges.isEmpty else {
            return writing.losses
        }
        return writing.losses + [localized("the score's own changes of the drone are in it")]
    }

    /// Writes the page that plays by itself; returns what it does not carry.
    private func writePage(to path: String, _ job: Job) throws -> [String] {
        let page = try WrittenPage.write(
            job.performance, job.piece.words, StandRequest().choices(),
            changesClicks: job.piece.cues.changesClicks)
        try TextFile.replace(path, page.bytes)
        return page.losses
    }
}

extension FileMaker.Job {
    /// The whole piece.
    fileprivate var performance: Performance {
        var performance = status.performance
        (performance.passage, performance.first, performance.speed) = (status.home, 0, status.speed)
        // Nobody goes on from a hold in a file.
        performance.waits = false
        return performance
    }
}

extension Score {
    /// With the speed, the drone and the A4 with which it sounds in a performance.
    package func sounding(as performance: Performance, _ speed: Speed) -> Score {
        var score = self
        (score.speed, score.a4) = (speed, performance.a4)
        score.drone = performance.isDroneMuted ? nil : performance.drone
        return score
    }
}

/// A kind of file that can be made of the music that plays.
enum MadeKind: Sendable {
    case sound(FileType)
    case score(Format)
    case page

    /// All of them.
    private static let all: [MadeKind] =
        FileType.allCases.filter { $0 != .rf64 }.map { .sound($0) }
        + Format.allCases.filter(\.canWrite).map { .score($0) } + [.page]

    /// Their names, sound first.
    static let names = all.map(\.name)

    /// The kind of file with this name, such as `wav` or `midi`; nil if the program makes none.
    init?(_ name: String) {
        guard let kind = MadeKind.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// The name, as for `render --type` and `convert --to`.
    private var name: String {
        switch self {
        case .sound(let type): type.rawValue
        case .score(let format): format.rawValue
        case .page: WrittenFormat.page.option
        }
    }

    /// The ending of file names.
    private var ending: String {
        switch self {
        case .sound(let type): type.extensions.first ?? type.rawValue
        case .score(let format): format.extensions.first ?? format.rawValue
        case .page: WrittenFormat.page.option
        }
    }

    /// The media type, which makes browsers store the file and show nothing of it.
    static let mediaType = "application/octet-stream"

    /// The name of a file of a piece with this title: nothing in it means anything to a file system.
    func fileName(_ title: String) -> String {
        let safe = title.map { $0.isLetter || $0.isNumber || " -_',()&".contains($0) ? $0 : "-" }.prefix(60)
        let name = String(safe).split(separator: " ").joined(separator: " ")
        // Of several kinds with one ending, only the first is called by it alone.
        let isFirst = MadeKind.all.first { $0.ending == ending }?.name == self.name
        return (name.isEmpty ? "score" : name) + (isFirst ? "" : " (\(self.name))") + "." + ending
    }
}
