internal import Playback
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
        let page: PageID
        var allowance: Allowance
        /// Answers that wait for their turn.
        var answers: [[UInt8]] = []
        /// The numbers of the newest state and timeline that it got.
        var state = 0
        var timeline = 0

        init(_ page: PageID, at now: Int64) { (self.page, allowance) = (page, Allowance(at: now)) }
    }

    /// What happens to a connection after a message.
    enum Verdict: Equatable {
        /// It goes on.
        case goesOn
        /// It goes on, and has proved that it may see the music.
        case isWelcome
        /// It is closed.
        case closed
    }

    let newest = Mutex(Newest())
    let perform = Mutex<PageServer.Perform?>(nil)
    let hosts = Mutex(PageHosts([], port: 0))
    let shelf = Mutex<(any PageShelf)?>(nil)
    let tickets = Mutex(PageTickets())
    private let peers = Mutex<[UInt: Peer]>([:])
    private let opened = Mutex(0)
    private let (control, watch): (PageToken, PageToken)
    /// The most answers that a page may leave unread.
    static let mostAnswers = 64

    init(_ control: PageToken, _ watch: PageToken) { (self.control, self.watch) = (control, watch) }

    /// Every page that may see the music.
    var welcome: [UInt] { peers.withLock { $0.compactMap { $1.mayControl == nil ? nil : $0 } } }

    func open(_ id: UInt) {
        let number = opened.withLock { count in
            count += 1
            return count
        }
        peers.withLock { $0[id] = Peer(PageID(number: number), at: monotonicNanoseconds()) }
    }

    func close(_ id: UInt) {
        guard let peer = peers.withLock({ $0.removeValue(forKey: id) }), peer.mayControl == true else { return }
        tickets.withLock { $0.forget(peer.page) }
        shelf.withLock { $0 }?.forget(peer.page)
    }

    /// Adds an answer of a shelf to what a page is sent, or all pages that may control; none is kept for a page that
    /// leaves too many unread.
    func tell(_ answer: ShelfAnswer, _ page: PageID?) {
        let isHere = peers.withLock { $0.values.contains { $0.page == page } }
        guard isHere || page == nil else { return }
        let message = answer.message { file in
            tickets.withLock { tickets in
                tickets.forDownload(file, page ?? PageID(number: 0), at: monotonicNanoseconds())
            }
        }
        peers.withLock { peers in
            for (id, peer) in peers where peer.mayControl == true && (page == nil || peer.page == page) {
                if peer.answers.count < Pages.mostAnswers { peers[id]?.answers.append(Array(message.utf8)) }
            }
        }
    }

    /// Takes a message of a page.
    func receive(_ text: String, from id: UInt) -> Verdict {
        let now = monotonicNanoseconds()
        guard var peer = peers.withLock({ $0[id] }), peer.allowance.take(at: now), let request = PageRequest(text)
        else {
            return .closed
        }
        let before = peer.answers.count
        let verdict = answer(request, &peer, at: now)
        guard peer.answers.count <= Pages.mostAnswers else { return .closed }
        peers.withLock { [peer] peers in
            // Meanwhile a shelf may have answered.
            let answers = (peers[id]?.answers ?? []) + peer.answers.dropFirst(before)
            peers[id] = peer
            peers[id]?.answers = answers
        }
        // A shelf answers at any time, so that it is asked once the page is as it will be.
        if case .shelf(let request) = request, peer.mayControl == true {
            shelf.withLock { $0 }?.ask(request, of: peer.page, newest.withLock { $0.status })
        }
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
        case (_, false): say(PageMessage.note("this address can only watch"))
        case (.shelf, true): break
        case (.drop(let name), true):
            let ticket = tickets.withLock { $0.forUpload(named: name, peer.page, at: now) }
            say(PageMessage.mayDrop(ticket))
        case (_, true):
            guard let perform = perform.withLock({ $0 }), let status = newest.withLock({ $0.status }) else { break }
            if let note = perform(request, status) { say(PageMessage.note(note)) }
        }
        return .goesOn
    }

    /// The next message for a page, and whether more wait; nil if it has everything.
    func next(_ id: UInt) -> (text: [UInt8], hasMore: Bool)? {
        let newest = newest.withLock { $0 }
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
            }
            let hasMore =
                !peer.answers.isEmpty || peer.timeline < newest.timeline.number || peer.state < newest.state.number
            return text.map { ($0, hasMore) }
        }
    }
}
