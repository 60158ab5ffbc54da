internal import CMalloc
internal import Formats
internal import Glibc
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Serving
internal import Synchronization

/// The scores that pages and other programs may choose, and the files that pages may have made. Reading and making have
/// threads of their own, with a low priority, so that neither the sound nor the pages wait.
final class LiveShelf: PageShelf {
    typealias Tell = @Sendable (ShelfAnswer, PageID?) -> Void

    /// A piece that has been chosen, and the name under which pages are told that it begins; nil if they are not.
    private typealias Choice = (piece: ReadyPiece, opened: String?)

    private struct State {
        var choice: Choice?
        var piece: PlayedPiece?
        var conductor: Conductor?
        var waiting: CheckedContinuation<Choice?, Never>?
        /// How the next piece is wanted.
        var wanted: PerformanceRequest
        /// The one file that is being made.
        var job: FileMaker.Job?
        var isOver = false
    }

    /// Guards the choice, the piece and the file: pages choose, the reader reads, the maker makes, and the performance waits.
    private let state: Mutex<State>
    private let request: PlayRequest
    /// How pieces after the first one are wanted.
    private let later: PerformanceRequest
    private let canWait: Bool
    private let tell: Tell
    /// The variables of the program, which tell where the user's scores are.
    private let environment = Environment.values
    private let reader = OwnThread()
    private let maker: FileMaker

    /// Scores are played as the request wants it. `canWait` says whether intervals of a plan can last until the lap button.
    init(_ request: PlayRequest, canWait: Bool, tell: @escaping Tell) {
        var later = request.performance
        later.passage.forgetFirstScore()
        state = Mutex(State(wanted: request.score == nil ? request.performance : later))
        (self.request, self.later, self.canWait) = (request, later, canWait)
        self.tell = tell
        maker = FileMaker(tell: tell)
    }

    /// Makes files of this piece from now on.
    func show(_ piece: PlayedPiece) { state.withLock { $0.piece = piece } }

    /// Ends this performance for a score that is chosen; at once, if one was chosen before there was anything to end.
    func conduct(_ conductor: Conductor) {
        let isOver = state.withLock { state in
            (state.conductor, state.wanted) = (conductor, later)
            return state.choice != nil
        }
        if isOver { conductor.send(.stop) }
    }

    /// Whether a score has been chosen that has not been played yet.
    var hasChoice: Bool { state.withLock { $0.choice != nil } }

    /// The piece that has been chosen, or is chosen next; nil once the program is to end. Only now are all pages told that it
    /// begins: until then, another page may have chosen another one, or somebody may have ended the music.
    func choice() async -> ReadyPiece? {
        let source = Signals.handle(Signals.endings) { [weak self] _ in self?.choose(nil) }
        defer { source.cancel() }
        let choice = await withCheckedContinuation { waiting in
            let found: Choice?? = state.withLock { state in
                if let choice = state.choice {
                    state.choice = nil
                    return choice
                }
                if state.isOver { return .some(nil) }
                state.waiting = waiting
                return nil
            }
            if let found { waiting.resume(returning: found) }
        }
        if let name = choice?.opened { tell(.opened(name), nil) }
        return choice?.piece
    }

    /// Ends the reading and making of files.
    func end() {
        choose(nil)
        state.withLock { $0.job?.interrupt.come() }
    }

    /// Ends the program if it waits for a choice, or comes to wait for one.
    func stopWaiting() { choose(nil) }

    /// Plays a piece instead of the music; nil ends the program as `stopWaiting` does.
    private func choose(_ choice: Choice?) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            if choice == nil { state.isOver = true }
            if state.waiting == nil {
                state.choice = choice
                // The music is told to end before its successor can be taken: later, this would end the successor.
                if choice != nil { state.conductor?.send(.stop) }
            }
            return state.waiting
        }
        waiting?.resume(returning: choice)
    }

    /// Why nothing can be chosen any more; nil if it can.
    private var refusal: String? {
        guard StandardStream.isEnding || state.withLock(\.isOver) else { return nil }
        return localized("the music is being ended: nothing else begins")
    }

    // MARK: - What pages ask

    func ask(_ request: ShelfRequest, of page: PageID, _ status: Status?) {
        switch request {
        case .list: reader.call { [self] in tell(.list(scores: scores, kinds: MadeKind.names), page) }
        case .open(let name): open(name) { [tell] in if let answer = $0 { tell(answer, page) } }
        case .make(let name):
            guard let status, let piece = state.withLock({ $0.piece }) else {
                return tell(.note(localized("no music yet")), page)
            }
            guard let kind = MadeKind(name) else {
                return tell(.note(localized("there is no kind of file '\(name)'")), page)
            }
            make(
                FileMaker.Job(
                    kind: kind, name: kind.fileName(status.performance.title), page: page, piece: piece, status: status
                ))
        case .cancel: forget(page)
        }
    }

    private func make(_ job: FileMaker.Job) {
        let other = state.withLock { state in
            defer { state.job = state.job ?? job }
            return state.job?.name
        }
        if let other { return tell(.note(localized("one file at a time: '\(other)' is being made")), job.page) }
        maker.make(job) { [self] answer in
            let isCancelled = state.withLock { state in
                state.job = nil
                return job.interrupt.hasCome
            }
            if !isCancelled { tell(answer, job.page) }
        }
    }

    /// Plays the score with this name instead of the music, and calls `told` once with the reason why not, or nil.
    func open(_ name: String, told: @escaping @Sendable (ShelfAnswer?) -> Void) {
        reader.call { [self] in
            // A name of the list is never taken for a path of this machine, also if there is a file of that name.
            let listing = ScoreListing.all(environment: environment).first { $0.name == name }
            guard let listing else { return told(.note(localized("there is no score '\(name)'"))) }
            do throws(ScoreSourceError) {
                accept(try LoadedScore.find(listing.source, reading), told)
            } catch {
                told(.note("\(error)"))
            }
        }
    }

    func take(_ bytes: [UInt8], named name: String, from page: PageID) {
        reader.call { [self] in
            accept(LoadedScore.find(bytes, name: name, folder: nil, reading)) { [tell] in
                if let answer = $0 { tell(answer, page) }
            }
        }
        giveBack()
    }

    /// Gives memory that is free back to the system: reading a large score takes much, and so does its music, until other
    /// music begins.
    func giveBack() { reader.call { malloc_trim(0) } }

    /// Plays a plan that pages have edited instead of the music; returns why it cannot be played, or nil.
    func start(_ plan: Plan) -> String? {
        do throws(PlanError) { _ = try (canWait ? plan : plan.closed()).score() } catch { return "\(error)" }
        if let refusal { return refusal }
        var reading = self.reading
        reading.format = .plan
        let text = plan.typed
        let found = LoadedScore.find(Array(text.utf8), name: text, folder: nil, reading)
        // A terminal that stops reading must not keep the pages waiting.
        guard let piece = StandardError.silently({ try? ready(found) }) else {
            reader.call { [self] in _ = try? ready(found) }
            return LiveShelf.unplayable(TextError.shown(text))
        }
        choose((piece, nil))
        return nil
    }

    func forget(_ page: PageID) { state.withLock { if $0.job?.page == page { $0.job?.interrupt.come() } } }

    private var scores: [(name: String, title: String)] {
        ScoreListing.all(environment: environment).map { listing in
            let title = listing.title ?? LoadedDocument.title(listing.source, name: listing.name) ?? listing.name
            return (listing.name, title)
        }
    }

    /// How a score is read.
    private var reading: LoadedScore.Choice {
        let language = (try? later.cues.spokenLanguage()) ?? .en
        return later.passage.reading(spoken: language, canWait: canWait)
    }

    /// The piece that has been found. Errors: it cannot be played with the options of the program, for a reason that has been told.
    private func ready(_ found: LoadedDocument) throws -> ReadyPiece {
        try ReadyPiece(.found(found), state.withLock(\.wanted), request)
    }

    private static func unplayable(_ name: String) -> String {
        localized("\(name) cannot be played with the options of the program; its terminal says why")
    }

    /// Plays what has been found instead of the music, if it can be played, and calls `told` once with the reason why not, or nil.
    private func accept(_ found: LoadedDocument, _ told: (ShelfAnswer?) -> Void) {
        let name = found.document.name
        if let refusal = found.refusal { return told(.problems("\(name): \(refusal)")) }
        guard found.document.score != nil else {
            let texts = found.document.diagnostics.map { $0.rendered() }
            return told(.problems(texts.joined(separator: "\n")))
        }
        guard let piece = try? ready(found) else { return told(.problems(LiveShelf.unplayable(name))) }
        if let refusal { return told(.note(refusal)) }
        choose((piece, name))
        told(nil)
    }
}
