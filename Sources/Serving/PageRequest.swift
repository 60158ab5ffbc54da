package import Playback
package import Running
package import Scores
package import Screens

/// A message from a page: words in a line of text.
package enum PageRequest: Sendable, Equatable {
    /// The secret of the page's address, which must come first.
    case hello(token: String)
    /// The page asks for the player's time; the number is its own time, and comes back unchanged.
    case clock(Int64)
    /// The page is a follower, which plays the score itself.
    case follow
    /// What the page tells of itself.
    case about(GuestReport)
    /// The page wants to know who is connected.
    case guests
    /// A key of the stand.
    case key(String)
    /// The player begins a bar, at a time of CLOCK_MONOTONIC in µs, as far as the page knows it.
    case tap(Int64)
    /// A text typed in answer to one of the stand's questions.
    case typed(StandControls.Question, String)
    /// Another score, or a file.
    case shelf(ShelfRequest)
    /// The page wants to send a score of this name.
    case drop(String)
    /// The page shows the calculator and the plan from now on.
    case running
    /// A change of the page's calculator.
    case pace(PaceEdit)
    /// A change of the plan.
    case plan(DeskRequest)

    /// The longest message, in bytes: a hundred characters of any script, which are three bytes each, and their question.
    package static let longest = 400

    /// Reads a message; nil if it is none.
    package init?(_ text: String) {
        guard text.utf8.count <= PageRequest.longest,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return nil }
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 2, !words[1].isEmpty else { return nil }
        switch words[0] {
        case "hello": self = .hello(token: words[1])
        case "clock":
            guard let time = Int64(words[1]), "\(time)" == words[1] else { return nil }
            self = .clock(time)
        case "follow":
            guard words[1] == "score" else { return nil }
            self = .follow
        case "about":
            guard let report = GuestReport(message: words[1]) else { return nil }
            self = .about(report)
        case "guests":
            guard words[1] == "show" else { return nil }
            self = .guests
        case "key":
            guard StandControls.all.contains(where: { $0.name == words[1] }) else { return nil }
            self = .key(words[1])
        case "tap":
            guard let time = Int64(words[1]), "\(time)" == words[1] else { return nil }
            self = .tap(time)
        case "list": self = .shelf(.list)
        case "cancel": self = .shelf(.cancel)
        case "open": self = .shelf(.open(words[1]))
        case "make": self = .shelf(.make(words[1]))
        case "drop": self = .drop(words[1])
        case "running":
            guard words[1] == "show" else { return nil }
            self = .running
        case "pace":
            guard let edit = PaceEdit(message: words[1]) else { return nil }
            self = .pace(edit)
        case "plan":
            guard let request = DeskRequest(message: words[1]) else { return nil }
            self = .plan(request)
        default:
            guard let question = StandControls.Question(rawValue: words[0]) else { return nil }
            self = .typed(question, words[1])
        }
    }
}

/// A request as a page sends it: `at 1234567 key Space` with its time, or `key Space` without one.
package struct SentRequest: Sendable, Equatable {
    package let request: PageRequest
    /// When it was sent, in µs of CLOCK_MONOTONIC, as far as the page knows it; nil if the page does not tell.
    package let time: Int64?

    /// Reads a message; nil if it is none.
    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
        guard words.count == 3, words[0] == "at" else {
            guard let request = PageRequest(text) else { return nil }
            (self.request, time) = (request, nil)
            return
        }
        guard text.utf8.count <= PageRequest.longest, let time = Int64(words[1]), "\(time)" == words[1],
            let request = PageRequest(words[2])
        else { return nil }
        (self.request, self.time) = (request, time)
    }

    /// Whether it was too long on its way at `now` (CLOCK_MONOTONIC, ns): the player has given it up, or has done something else.
    package func isLate(at now: Int64) -> Bool { time.map { $0 < (now - PageRequest.oldest) / 1000 } ?? false }
}

extension PageRequest {
    /// How long a request with its time, or a tap, may have been on its way, in ns.
    fileprivate static let oldest: Int64 = 2_000_000_000

    /// The commands that it asks for at `now` (CLOCK_MONOTONIC, ns) on the stand that all pages share. Errors: a typed
    /// text is not valid; the message is for the player.
    package func commands(on stand: Stand, _ status: Status, at now: Int64) throws(TextError) -> [Command] {
        switch self {
        case .hello, .clock, .follow, .about, .guests, .shelf, .drop, .running, .pace, .plan: []
        case .key(let name): StandControls.press(name, on: stand, status, at: now)
        case .tap(let microseconds):
            // A page that knows the clock badly cannot tap long ago, nor in the future.
            [.tell(.tap(at: min(max(microseconds, (now - PageRequest.oldest) / 1000), now / 1000) * 1000))]
        case .typed(let question, let text): try StandControls.answer(question, text, status)
        }
    }
}
