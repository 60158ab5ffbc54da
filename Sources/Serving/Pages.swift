internal import Languages
package import Playback
package import Running
package import Screens
package import Synchronization

/// The pages that are connected, and what they still have to be sent.
///
/// The server's thread answers them; other threads tell what is new, and read who is here.
package final class Pages: Sendable {
    /// The messages of which a page gets the newest alone.
    package enum Kind: Sendable, Hashable {
        case timeline, sounds, state
        /// What a microphone hears of the player.
        case pitch
        /// For followers, the piece and where its music is.
        case score, music
        /// The last tap or message of a player, for pages and for followers.
        case told(Guest.Kind)
        /// For followers, that the program ends.
        case farewell

        /// Those for a follower or any other page that tell of the music, in the order in which it gets them. The last belongs
        /// to those before it, and is sent again after them.
        package static func all(forFollower follows: Bool) -> [Kind] {
            follows ? [.score, .music] : [.timeline, .sounds, .state]
        }

        /// Those that come after all of these, and belong to none.
        package static func others(forFollower follows: Bool) -> [Kind] {
            follows ? [.told(.follower), .farewell] : [.told(.page), .pitch]
        }
    }

    /// The newest messages.
    package struct Newest: Sendable {
        private var messages: [Kind: (number: Int, text: [UInt8])] = [:]
        /// What the state tells.
        package var status: Status?

        package init() {}

        /// The newest message of a kind with its number, 0 for none yet.
        package subscript(kind: Kind) -> (number: Int, text: [UInt8]) { messages[kind] ?? (0, []) }

        package mutating func put(_ kind: Kind, _ text: some Sequence<UInt8>) {
            messages[kind] = (self[kind].number + 1, Array(text))
        }

        /// Forgets the message of a kind; the next one has number 1.
        package mutating func remove(_ kind: Kind) { messages[kind] = nil }

        /// Forgets the last tap or message: pages and followers that come later do not get it.
        package mutating func forgetTold() {
            for kind in messages.keys { if case .told = kind { put(kind, []) } }
        }
    }

    /// One page.
    package struct Peer: Sendable {
        /// Whether it may control; nil before its hello.
        package var mayControl: Bool?
        package let page: PageID
        package var allowance: Allowance
        /// Answers that wait for their turn.
        package var answers: [[UInt8]] = []
        /// The numbers of the newest messages that it got.
        package var got: [Kind: Int] = [:]
        /// Its calculator, and the number of the newest plan that it got; nil if it shows none.
        package var calculator = PaceCalculator(.first)
        package var plan: Int?
        /// Whether it is a follower.
        package var follows = false
        /// What it has told of itself, and when its last message came (CLOCK_MONOTONIC, ns).
        package var report: GuestReport?
        package var contact: Int64

        package init(_ page: PageID, at now: Int64) {
            (self.page, allowance, contact) = (page, Allowance(at: now), now)
        }
    }

    /// What happens to a connection after a message.
    package enum Verdict: Equatable {
        /// It goes on.
        case goesOn
        /// It goes on, and has proved that it may see the music.
        case isWelcome
        /// It goes on, and other pages may have something to get.
        case concernsAll
        /// It is closed.
        case closed
    }

    /// What all these threads share.
    package struct State: Sendable {
        package var newest = Newest()
        package var perform: PageServer.Perform?
        /// Plays a plan in place of what plays; returns why that is not possible, or nil.
        package var start: PageServer.Start?
        package var desk = PlanDesk()
        package var hosts = PageHosts([], port: 0)
        package var shelf: (any PageShelf)?
        package var tickets = PageTickets()
        /// The server and its thread; nil once it is being ended. Only `close` frees the server, after its thread has ended.
        var server: (web: UInt, thread: UInt)?
        fileprivate var peers: [UInt: Peer] = [:]
        /// How many pages there have been.
        fileprivate var opened = 0
    }

    /// Guards what the server and the screens share. Held for moments only, and not while a performance or a shelf is asked for
    /// something, which may tell pages at once.
    package let state = Mutex(State())
    private let (control, watch): (PageToken, PageToken)
    private let choices: StandChoices
    /// The most answers that a page may leave unread.
    package static let mostAnswers = 64

    package init(_ control: PageToken, _ watch: PageToken, _ choices: StandChoices) {
        (self.control, self.watch, self.choices) = (control, watch, choices)
    }

    /// Every page that may see the music.
    package var welcome: [UInt] { state.withLock { $0.peers.compactMap { $1.mayControl == nil ? nil : $0 } } }

    /// Everyone who is connected and may see the music, in the order in which they have come.
    package var guests: [Guest] {
        state.withLock { Array($0.peers.values) }.compactMap(\.guest).sorted { $0.number < $1.number }
    }

    package func open(_ id: UInt) {
        state.withLock { state in
            state.opened += 1
            state.peers[id] = Peer(PageID(number: state.opened), at: monotonicNanoseconds())
        }
    }

    package func close(_ id: UInt) {
        let left = state.withLock { state -> (page: PageID, shelf: (any PageShelf)?)? in
            guard let peer = state.peers.removeValue(forKey: id), peer.mayControl == true else { return nil }
            state.tickets.forget(peer.page)
            return (peer.page, state.shelf)
        }
        if let left { left.shelf?.forget(left.page) }
    }

    /// Adds an answer of a shelf to what a page is sent, or all pages that may control; none is kept for a page that
    /// leaves too many unread.
    package func tell(_ answer: ShelfAnswer, _ page: PageID?) {
        state.withLock { state in
            guard page == nil || state.peers.values.contains(where: { $0.page == page }) else { return }
            let message = answer.message { file in
                state.tickets.forDownload(file, page ?? PageID(number: 0), at: monotonicNanoseconds())
            }
            for (id, peer) in state.peers where peer.mayControl == true && (page == nil || peer.page == page) {
                if peer.answers.count < Pages.mostAnswers { state.peers[id]?.answers.append(Array(message.utf8)) }
            }
        }
    }

    /// Takes a message of a page.
    package func receive(_ text: String, from id: UInt) -> Verdict {
        let now = monotonicNanoseconds()
        guard var peer = state.withLock({ $0.peers[id] }), peer.allowance.take(at: now), let sent = SentRequest(text)
        else {
            return .closed
        }
        let before = peer.answers.count
        peer.contact = now
        let isLate = sent.isLate(at: now)
        if let time = sent.time {
            guard peer.mayControl != nil else { return .closed }
            peer.answers.append(Array(PageMessage.arrived(time, inTime: !isLate).utf8))
        }
        let verdict = isLate ? .goesOn : answer(sent.request, &peer, at: now)
        guard peer.answers.count <= Pages.mostAnswers else { return .closed }
        let (shelf, status) = state.withLock { [peer] state in
            // Meanwhile a shelf may have answered.
            let answers = (state.peers[id]?.answers ?? []) + peer.answers.dropFirst(before)
            state.peers[id] = peer
            state.peers[id]?.answers = answers
            return (state.shelf, state.newest.status)
        }
        // A shelf answers at any time, so that it is asked once the page is as it will be.
        if case .shelf(let request) = sent.request, !isLate, peer.mayControl == true {
            shelf?.ask(request, of: peer.page, status)
        }
        return verdict
    }

    private func answer(_ request: PageRequest, _ peer: inout Peer, at now: Int64) -> Verdict {
        func say(_ message: String) { peer.answers.append(Array(message.utf8)) }
        func noMusic() -> Verdict {
            say(PageMessage.note(localized("no music yet")))
            return .goesOn
        }
        switch (request, peer.mayControl) {
        case (.hello(let token), nil):
            guard control.matches(token) || watch.matches(token) else { return .closed }
            peer.mayControl = control.matches(token)
            say(PageMessage.welcome(mayControl: control.matches(token), choices))
            return .isWelcome
        case (.hello, _), (_, nil): return .closed
        case (.follow, _):
            peer.follows = true
            peer.answers.append(FollowerMessage.welcome.text)
        case (.clock(let time), _) where peer.follows:
            peer.answers.append(FollowerMessage.clock(time, leader: now).text)
        case (.clock(let time), _): say(PageMessage.clock(time, now: now))
        case (.about(let report), _): peer.report = report
        case (.guests, true): say(PageMessage.guests(guests, at: now))
        case (.running, .some(let mayControl)):
            say(RunningMessage.texts(mayControl: mayControl))
            peer.plan = 0
        case (.pace(let edit), _):
            peer.calculator.carryOut(edit)
            say(RunningMessage.pace(peer.calculator))
        case (_, false): say(PageMessage.note(localized("this address can only watch")))
        case (.shelf, true): break
        case (.drop(let name), true):
            let ticket = state.withLock { $0.tickets.forUpload(named: name, peer.page, at: now) }
            say(PageMessage.mayDrop(ticket))
        case (.plan(let request), true):
            say(RunningMessage.outcome(carryOut(request)))
            return .concernsAll
        case (_, true):
            let (perform, status) = state.withLock { ($0.perform, $0.newest.status) }
            guard let status, let perform else { return noMusic() }
            if let note = perform(request, status) { say(PageMessage.note(note)) }
        }
        return .goesOn
    }

    private func carryOut(_ request: DeskRequest) -> PlanDesk.Outcome {
        var (outcome, start) = state.withLock { ($0.desk.carryOut(request), $0.start) }
        if let plan = outcome.started, let refusal = start?(plan) { outcome = .refused(refusal) }
        if outcome.isDone, outcome.started != nil || outcome.saved != nil { state.withLock { $0.desk.keep() } }
        return outcome
    }

    /// The next message for a page, and whether more wait; nil if it has everything.
    package func next(_ id: UInt) -> (text: [UInt8], hasMore: Bool)? {
        state.withLock { state in
            guard var peer = state.peers[id], peer.mayControl != nil, let text = peer.next(state.newest, state.desk)
            else { return nil }
            state.peers[id] = peer
            return (text, peer.next(state.newest, state.desk) != nil)
        }
    }

    /// Whether every page has the newest messages.
    package var areUpToDate: Bool {
        state.withLock { state in
            state.peers.values.allSatisfy { $0.mayControl == nil || $0.missing(state.newest) == nil }
        }
    }
}

extension Pages.Peer {
    /// How the leader sees it; nil before its hello.
    fileprivate var guest: Guest? {
        mayControl.map {
            Guest(follows ? .follower : .page, number: page.number, mayControl: $0, contact: contact, report: report)
        }
    }

    /// The first kind of message of which it has not got the newest.
    fileprivate func missing(_ newest: Pages.Newest) -> Pages.Kind? {
        (Pages.Kind.all(forFollower: follows) + Pages.Kind.others(forFollower: follows))
            .first { got[$0, default: 0] < newest[$0].number && !newest[$0].text.isEmpty }
    }

    /// Takes the next message; nil if it has everything.
    fileprivate mutating func next(_ newest: Pages.Newest, _ desk: PlanDesk) -> [UInt8]? {
        if !answers.isEmpty { return answers.removeFirst() }
        if let kind = missing(newest) {
            let ordered = Pages.Kind.all(forFollower: follows)
            if ordered.contains(kind), let last = ordered.last { got[last] = 0 }
            got[kind] = newest[kind].number
            return newest[kind].text
        }
        guard !follows, let plan, plan < desk.version else { return nil }
        self.plan = desk.version
        return mayControl == true ? desk.edited : desk.played
    }
}
