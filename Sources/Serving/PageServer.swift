internal import Glibc
internal import Languages
package import Playback
internal import Synchronization
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
        /// The time for a page's first message, and the time after which a page that does not read is dropped; both in s.
        var (hello, reading) = (5, 20)

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

    let thread: PageThread

    /// Opens a server.
    package init(_ settings: Settings) throws(PageServerError) {
        let pages = Pages(control, watch)
        thread = try PageThread(settings, pages)
        port = thread.port
        pages.hosts.withLock { [port] in
            $0 = PageHosts(settings.hosts, port: port, proxies: settings.proxies)
        }
    }

    deinit { thread.end() }

    /// The path of the page with its secret, which browsers do not send in requests.
    package func path(mayControl: Bool) -> String { "/#" + (mayControl ? control : watch).text }

    /// Shows a status to every page, and the timeline and the sounds that it belongs to if they are new.
    func show(_ status: Status, state: String, timeline: String? = nil, sounds: String? = nil) {
        thread.pages.newest.withLock { newest in
            newest.status = status
            newest.state = (newest.state.number + 1, Array(state.utf8))
            if let timeline { newest.timeline = (newest.timeline.number + 1, Array(timeline.utf8)) }
            if let sounds { newest.sounds = (newest.sounds.number + 1, Array(sounds.utf8)) }
            // Followers have no use for the music of an unknown piece.
            guard newest.score.number > 0 else { return }
            let music = FollowerMessage.music(newest.score.number, LeaderMusic(status))
            newest.music = (newest.music.number + 1, music.text)
        }
        thread.wake()
    }

    /// Gives followers the score of the piece that begins: a file of Barline.
    package func share(_ score: [UInt8]) {
        thread.pages.newest.withLock { newest in
            let number = newest.score.number + 1
            newest.score = (number, FollowerMessage.score(number, score).text)
            newest.music.text = []
            newest.music.number = 0
        }
    }

    /// Passes requests to `perform` from now on.
    package func listen(_ perform: @escaping Perform) { thread.pages.perform.withLock { $0 = perform } }

    /// Lets pages choose scores and make files from now on.
    package func offer(_ shelf: any PageShelf) { thread.pages.shelf.withLock { $0 = shelf } }

    /// Tells a page something, or all that may control.
    package func tell(_ answer: ShelfAnswer, _ page: PageID?) {
        thread.pages.tell(answer, page)
        thread.wake()
    }

    /// How many pages are connected and may see the music.
    var pageCount: Int { thread.pages.welcome.count }

    /// Ends the server and closes all connections, after a moment in which they learn of the end. Safe to call twice.
    package func end() {
        for _ in 0..<40 where !thread.pages.areUpToDate { usleep(5000) }
        thread.end()
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
