internal import CWeb
internal import Glibc
internal import Languages
package import Playback
package import Running
package import Scores
package import Screens
internal import Timing

/// Serves the page to browsers, on its own thread, apart from the sound: however slow or hostile a browser is, no
/// boundary waits for it.
///
/// A page gets the newest state and timeline, never a queue of old ones, so that a slow one costs no memory.
package final class PageServer: Sendable {
    /// How a server is opened.
    package struct Settings: Sendable {
        /// The IPv4 address to listen on; nil for all that the machine has.
        package var address: String? = "127.0.0.1"
        /// The TCP port; 0 for any that is free.
        package var port = PageServer.standardPort
        /// The hosts under which browsers ask for it, without a port.
        package var hosts = PageServer.loopback
        /// The names of proxies, with a port unless it is the usual one.
        package var proxies: [String] = []
        /// How pages flash on devices that have not chosen it.
        package var choices = StandChoices()
        /// The time for a page's first message, and the time after which a page that does not read is dropped; both in s.
        package var (hello, reading) = (5, 20)

        /// The defaults: this machine alone.
        package init() {}
    }

    /// The port unless another is chosen.
    package static let standardPort = 8573
    /// The names of this machine for itself.
    package static let loopback = ["127.0.0.1", "localhost"]
    /// The most connections at a time.
    static let connections = 256

    /// Carries out a request of a page that may control, made when the newest status was as given; returns a word to the
    /// player, or nil. Called on the server's thread, which it must not keep waiting.
    package typealias Perform = @Sendable (PageRequest, Status) -> String?

    /// The TCP port.
    package let port: Int
    /// The secrets in the addresses of pages that control, and of pages that only watch.
    package let (control, watch) = (PageToken(), PageToken())

    package let pages: Pages

    /// Opens a server.
    package init(_ settings: Settings) throws(PageServerError) {
        pages = Pages(control, watch, settings.choices)
        // The thread owns the pages as long as it runs.
        let context = Unmanaged.passRetained(pages)
        var failure = CWEB_NONE
        guard let web = PageServer.open(settings, context, &failure) else {
            context.release()
            switch failure {
            case CWEB_NO_LIBRARY: throw .noLibrary(String(cString: cweb_package()))
            case CWEB_NO_PORT: throw .noPort(settings.port)
            default: throw .noMemory
            }
        }
        port = Int(cweb_port(web))
        pages.state.withLock { [port] in
            $0.hosts = PageHosts(settings.hosts, port: port, proxies: settings.proxies)
        }
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { web in
                if let web { cweb_run(OpaquePointer(web)) }
                return nil
            }, UnsafeMutableRawPointer(web))
        guard status == 0 else {
            cweb_close(web)
            context.release()
            throw .noMemory
        }
        pages.state.withLock { [thread] in $0.server = (UInt(bitPattern: web), thread) }
    }

    deinit { close() }

    /// The path of the page with its secret, which browsers do not send in requests; of a page that shows one voice, with its
    /// name.
    package func path(mayControl: Bool, voice: String = "") -> String {
        "/#" + (mayControl ? control : watch).text + (voice.isEmpty ? "" : "&voice=" + PageServer.escaped(voice))
    }

    /// A text as addresses have it.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isSafe = character.isASCII && (character.isLetter || character.isNumber)
            return isSafe ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    /// Shows a status to every page, and the timeline and the sounds that it belongs to if they are new.
    func show(_ status: Status, state: String, timeline: String? = nil, sounds: String? = nil) {
        change { shared in
            shared.newest.status = status
            shared.newest.put(.state, state.utf8)
            if let timeline { shared.newest.put(.timeline, timeline.utf8) }
            if let sounds { shared.newest.put(.sounds, sounds.utf8) }
            // Followers have no use for the music of an unknown piece.
            let piece = shared.newest[.score].number
            if piece > 0 { shared.newest.put(.music, FollowerMessage.music(piece, LeaderMusic(status)).text) }
        }
    }

    /// Shows what a microphone hears of the player.
    func show(pitch: String) { change { $0.newest.put(.pitch, pitch.utf8) } }

    /// Sends a tap or a message, as `text` says it, to the pages and followers that it is for, and to those that come later.
    func tellAll(_ told: Told, _ text: String) {
        change { shared in
            for kind in told.word.listeners {
                switch kind {
                case .page:
                    let message = PageMessage.told(text, at: told.arrived, isOnlyRead: told.word.isOnlyRead)
                    shared.newest.put(.told(kind), message.utf8)
                case .follower:
                    shared.newest.put(.told(kind), FollowerMessage.told(text, at: told.arrived).text)
                }
            }
        }
    }

    /// Gives followers the score of the piece that begins, a file of Barline, the text of the plan that it is, and the scale of
    /// its Scala file.
    package func share(_ score: [UInt8], plan: String = "", scale: Tuning.Scale? = nil) {
        pages.state.withLock { state in
            let number = state.newest[.score].number + 1
            state.newest.put(.score, FollowerMessage.score(number, score, plan: plan, scale: scale).text)
            state.newest.remove(.music)
        }
    }

    /// Everyone who is connected and may see the music.
    package var guests: [Guest] { pages.guests }

    /// Passes requests to `perform` from now on.
    package func listen(_ perform: @escaping Perform) {
        var perform: Perform? = perform
        // The performance before is released after the lock: its thread is waited for.
        pages.state.withLock { swap(&$0.perform, &perform) }
    }

    /// Plays a plan in place of what plays, soon; returns why that is not possible, or nil. Called on the server's thread,
    /// which it must not keep waiting.
    package typealias Start = @Sendable (Plan) -> String?

    /// Passes plans that pages start to `start` from now on.
    package func startPlans(_ start: @escaping Start) { pages.state.withLock { $0.start = start } }

    /// Begins a piece, and forgets the last message of the piece before. The table of the pages shows its `plan`, which is nil for a
    /// score.
    package func begin(_ plan: Plan?, in unit: DistanceUnit?) {
        change {
            $0.desk.play(plan, in: unit)
            $0.newest.forgetTold()
        }
    }

    /// Lets pages choose scores and make files from now on.
    package func offer(_ shelf: any PageShelf) { pages.state.withLock { $0.shelf = shelf } }

    /// Tells a page something, or all that may control.
    package func tell(_ answer: ShelfAnswer, _ page: PageID?) {
        pages.tell(answer, page)
        change { _ in }
    }

    /// Ends the server and closes all connections, once they have learned of the end, or after two seconds: on a busy machine
    /// the server's thread may have to wait for its turn. Safe to call twice.
    package func end() {
        change { $0.newest.put(.farewell, FollowerMessage.farewell.text) }
        for _ in 0..<400 where !pages.areUpToDate { usleep(5000) }
        close()
    }

    /// Changes what pages get, and wakes the server's thread, which sends it.
    private func change(_ body: (inout Pages.State) -> Void) {
        pages.state.withLock { state in
            body(&state)
            if let web = state.server.flatMap({ OpaquePointer(bitPattern: $0.web) }) { cweb_wake(web) }
        }
    }

    private func close() {
        let ended = pages.state.withLock { state in
            defer { state.server = nil }
            return state.server
        }
        guard let ended, let web = OpaquePointer(bitPattern: ended.web) else { return }
        cweb_stop(web)
        pthread_join(ended.thread, nil)
        cweb_close(web)
        Unmanaged.passUnretained(pages).release()
    }
}

/// Why pages cannot be served.
package enum PageServerError: Error, Equatable, CustomStringConvertible {
    /// The library is not installed; with its package.
    case noLibrary(String)
    /// The port, or the address, cannot be used.
    case noPort(Int)
    /// There is no memory or thread for it.
    case noMemory

    /// The error as a phrase, with what to do.
    package var description: String {
        switch self {
        case .noLibrary(let package):
            localized("serving needs the library \(package); `apt install \(package)` installs it")
        case .noPort(let port):
            localized(
                "port \(port) cannot be used, perhaps because another program serves there; --port chooses another")
        case .noMemory: localized("there is no memory or thread for the server")
        }
    }
}
