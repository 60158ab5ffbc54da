internal import CMalloc
internal import Formats
internal import Glibc
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Serving
internal import Synchronization

/// The scores that pages and other programs may choose, and the files that pages may have made. Reading and making have
/// threads of their own, with a low priority, so that neither the sound nor the pages wait.
final class LiveShelf: PageShelf {
    typealias Tell = @Sendable (ShelfAnswer, PageID?) -> Void

    private struct State {
        var choice: ScoreChoice?
        var piece: PlayedPiece?
        var conductor: Conductor?
        var waiting: CheckedContinuation<ScoreChoice?, Never>?
        /// The one file that is being made.
        var job: FileMaker.Job?
        var isOver = false
    }

    /// Guards the choice, the piece and the file: pages choose, the reader reads, the maker makes, and the performance waits.
    private let state = Mutex(State())
    private let wanted: PerformanceRequest
    private let canWait: Bool
    private let tell: Tell
    private let reader = OwnThread()
    private let maker: FileMaker

    /// `canWait` says whether intervals of a plan can last until the lap button.
    init(_ wanted: PerformanceRequest, canWait: Bool, tell: @escaping Tell) {
        var wanted = wanted
        wanted.passage.forgetFirstScore()
        (self.wanted, self.canWait) = (wanted, canWait)
        self.tell = tell
        maker = FileMaker(tell: tell)
    }

    /// Makes files of this piece from now on.
    func show(_ piece: PlayedPiece) { state.withLock { $0.piece = piece } }

    /// Ends this performance for a score that is chosen; at once, if one was chosen before there was anything to end.
    func conduct(_ conductor: Conductor) {
        let isOver = state.withLock { state in
            state.conductor = conductor
            return state.choice != nil
        }
        if isOver { conductor.send(.stop) }
    }

    /// Whether a score has been chosen that has not been played yet.
    var hasChoice: Bool { state.withLock { $0.choice != nil } }

    /// The score that has been chosen, or is chosen next; nil once the program is to end.
    func choice() async -> ScoreChoice? {
        let source = Signals.handle(Signals.endings) { [weak self] _ in self?.choose(nil) }
        defer { source.cancel() }
        return await withCheckedContinuation { waiting in
            let found: ScoreChoice?? = state.withLock { state in
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
    }

    /// Ends the reading and making of files.
    func end() {
        choose(nil)
        state.withLock { $0.job?.interrupt.come() }
    }

    /// Plays a score instead of the music; nil ends the program if it waits for a choice, or comes to wait for one.
    func choose(_ choice: ScoreChoice?) {
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

    // MARK: - What pages ask

    func ask(_ request: ShelfRequest, of page: PageID, _ status: Status?) {
        switch request {
        case .list: reader.call { [self] in tell(.list(scores: LiveShelf.scores, kinds: MadeKind.names), page) }
        case .open(let name): open(name) { [tell] in tell($0, page) }
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

    /// Plays the score with this name instead of the music, and calls `told` with what has become of it.
    func open(_ name: String, told: @escaping @Sendable (ShelfAnswer) -> Void) {
        reader.call { [self] in
            // Only names of the list: a name is never taken for a path of this machine.
            guard ScoreListing.all(environment: Environment.values).contains(where: { $0.name == name }) else {
                return told(.note(localized("there is no score '\(name)'")))
            }
            do throws(ScoreSourceError) {
                accept(try LoadedScore.find(name, reading), told)
            } catch {
                told(.note("\(error)"))
            }
        }
    }

    func take(_ bytes: [UInt8], named name: String, from page: PageID) {
        reader.call { [self] in
            accept(LoadedScore.find(bytes, name: name, folder: nil, reading)) { [tell] in tell($0, page) }
        }
        giveBack()
    }

    /// Gives memory that is free back to the system: reading a large score takes much, and so does its music, until other
    /// music begins.
    func giveBack() { reader.call { malloc_trim(0) } }

    /// Plays a plan that pages have edited instead of the music; returns why it cannot be played, or nil.
    func start(_ plan: Plan) -> String? {
        do throws(PlanError) { _ = try (canWait ? plan : plan.closed()).score() } catch { return "\(error)" }
        choose(.plan(plan))
        return nil
    }

    func forget(_ page: PageID) { state.withLock { if $0.job?.page == page { $0.job?.interrupt.come() } } }

    private static var scores: [(name: String, title: String)] {
        ScoreListing.all(environment: Environment.values).map { listing in
            let title = listing.title ?? LoadedDocument.title(listing.source, name: listing.name) ?? listing.name
            return (listing.name, title)
        }
    }

    /// How a score is read.
    private var reading: LoadedScore.Choice {
        let language = (try? wanted.cues.spokenLanguage()) ?? .en
        return wanted.passage.reading(spoken: language, canWait: canWait)
    }

    /// Plays what has been found instead of the music, if it can be played.
    private func accept(_ found: LoadedDocument, _ told: (ShelfAnswer) -> Void) {
        let name = found.document.name
        if let refusal = found.refusal { return told(.problems("\(name): \(refusal)")) }
        guard found.document.score != nil else {
            let texts = found.document.diagnostics.map { $0.rendered() }
            return told(.problems(texts.joined(separator: "\n")))
        }
        // When it begins, its diagnostics are reported again.
        let performance = StandardError.silently { try? wanted.performance(of: .found(found), canWait: canWait) }
        guard performance != nil else {
            // Tried again aloud: the terminal says why.
            _ = try? wanted.performance(of: .found(found), canWait: canWait)
            let problem = localized(
                "\(name) cannot be played with the options of the program; its terminal says why")
            return told(.problems(problem))
        }
        told(.opened(name))
        choose(.found(found))
    }
}
