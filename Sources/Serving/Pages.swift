internal import Playback
internal import Running
internal import Synchronization

/// The pages that are connected, and what they still have to be sent.
///
/// The server's thread alone reads and changes `peers`; the locks are held for moments only.
final class Pages: Sendable {
    /// The newest messages with their numbers; 0 for none yet.
    struct Newest: Sendable {
        var state: (number: Int, text: [UInt8]) = (0, [])
        var timeline: (number: Int, text: [UInt8]) = (0, [])
        /// What the state tells.
        var status: Status?
    }

    /// One page.
    struct Peer: Sendable {
        /// Whether it may control; nil before its hello.
        var mayControl: Bool?
        var allowance: Allowance
        /// Answers that wait for their turn.
        var answers: [[UInt8]] = []
        /// The numbers of the newest state and timeline that it got.
        var state = 0
        var timeline = 0
        /// Its calculator, and the number of the newest plan that it got; nil if it shows none.
        var calculator = PaceCalculator(.first)
        var plan: Int?

        init(at now: Int64) { allowance = Allowance(at: now) }
    }

    /// What happens to a connection after a message.
    enum Verdict: Equatable {
        /// It goes on.
        case goesOn
        /// It goes on, and has proved that it may see the music.
        case isWelcome
        /// It goes on, and other pages may have something to get.
        case concernsAll
        /// It is closed.
        case closed
    }

    let newest = Mutex(Newest())
    let perform = Mutex<PageServer.Perform?>(nil)
    /// Plays a plan in place of what plays; returns why that is not possible, or nil.
    let start = Mutex<PageServer.Start?>(nil)
    let desk = Mutex(PlanDesk())
    let hosts = Mutex(PageHosts([], port: 0))
    private let peers = Mutex<[UInt: Peer]>([:])
    private let (control, watch): (PageToken, PageToken)
    /// The most answers that a page may leave unread.
    static let mostAnswers = 64

    init(_ control: PageToken, _ watch: PageToken) { (self.control, self.watch) = (control, watch) }

    /// Every page that may see the music.
    var welcome: [UInt] { peers.withLock { $0.compactMap { $1.mayControl == nil ? nil : $0 } } }

    func open(_ id: UInt) { peers.withLock { $0[id] = Peer(at: monotonicNanoseconds()) } }

    func close(_ id: UInt) { peers.withLock { _ = $0.removeValue(forKey: id) } }

    /// Takes a message of a page.
    func receive(_ text: String, from id: UInt) -> Verdict {
        let now = monotonicNanoseconds()
        guard var peer = peers.withLock({ $0[id] }), peer.allowance.take(at: now), let request = PageRequest(text)
        else {
            return .closed
        }
        let verdict = answer(request, &peer, at: now)
        guard peer.answers.count <= Pages.mostAnswers else { return .closed }
        peers.withLock { $0[id] = peer }
        return verdict
    }

    private func answer(_ request: PageRequest, _ peer: inout Peer, at now: Int64) -> Verdict {
        func say(_ message: String) { peer.answers.append(Array(message.utf8)) }
        switch (request, peer.mayControl) {
        case (.hello(let token), nil):
            guard control.matches(token) || watch.matches(token) else { return .closed }
            peer.mayControl = control.matches(token)
            say(PageMessage.welcome(mayControl: control.matches(token)))
            return .isWelcome
        case (.hello, _), (_, nil): return .closed
        case (.clock(let time), _): say(PageMessage.clock(time, now: now))
        case (.running, .some(let mayControl)):
            say(RunningMessage.texts(mayControl: mayControl))
            peer.plan = 0
        case (.pace(let edit), _):
            peer.calculator.carryOut(edit)
            say(RunningMessage.pace(peer.calculator))
        case (_, false): say(PageMessage.note("this address can only watch"))
        case (.plan(let request), true):
            say(RunningMessage.outcome(carryOut(request)))
            return .concernsAll
        case (_, true):
            guard let perform = perform.withLock({ $0 }), let status = newest.withLock({ $0.status }) else { break }
            if let note = perform(request, status) { say(PageMessage.note(note)) }
        }
        return .goesOn
    }

    private func carryOut(_ request: PlanRequest) -> PlanDesk.Outcome {
        var outcome = desk.withLock { $0.carryOut(request) }
        if let plan = outcome.started, let start = start.withLock({ $0 }), let refusal = start(plan) {
            outcome = PlanDesk.Outcome(isDone: false, message: refusal)
        }
        if outcome.isDone, outcome.started != nil || outcome.saved != nil { desk.withLock { $0.keep() } }
        return outcome
    }

    /// The next message for a page, and whether more wait; nil if it has everything.
    func next(_ id: UInt) -> (text: [UInt8], hasMore: Bool)? {
        let newest = newest.withLock { $0 }
        let desk = desk.withLock { $0 }
        return peers.withLock { peers in
            guard var peer = peers[id], peer.mayControl != nil else { return nil }
            defer { peers[id] = peer }
            var text: [UInt8]?
            if !peer.answers.isEmpty {
                text = peer.answers.removeFirst()
            } else if peer.timeline < newest.timeline.number {
                text = newest.timeline.text
                peer.timeline = newest.timeline.number
                // A state belongs to the timeline before it.
                peer.state = 0
            } else if peer.state < newest.state.number {
                text = newest.state.text
                peer.state = newest.state.number
            } else if let plan = peer.plan, plan < desk.version {
                text = peer.mayControl == true ? desk.edited : desk.played
                peer.plan = desk.version
            }
            let hasMore =
                !peer.answers.isEmpty || peer.timeline < newest.timeline.number || peer.state < newest.state.number
                || peer.plan.map { $0 < desk.version } ?? false
            return text.map { ($0, hasMore) }
        }
    }
}
