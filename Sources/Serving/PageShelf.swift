package import Playback
internal import Scores

/// Requests of pages beside the music that plays: another score, and files of the music.
///
/// Every call comes on the server's thread, which it must not keep waiting; answers go out by `PageServer.tell`.
package protocol PageShelf: Sendable {
    /// A page that may control asks; `status` is the newest, nil before any music.
    func ask(_ request: ShelfRequest, of page: PageID, _ status: Status?)
    /// A page has sent a score. Its name is for messages and its ending, and never a path.
    func take(_ bytes: [UInt8], named name: String, from page: PageID)
    /// A page has gone.
    func forget(_ page: PageID)
}

/// A page that is connected; no two have the same.
package struct PageID: Sendable, Hashable {
    /// Counts from 1.
    let number: Int

    package init(number: Int) {
        self.number = number
    }
}

/// What a page asks of a shelf.
package enum ShelfRequest: Sendable, Equatable {
    /// The scores that can be chosen, and the kinds of files that can be made.
    case list
    /// Play the score of this name.
    case open(String)
    /// Make a file of the music, of the kind with this name.
    case make(String)
    /// Stop making it.
    case cancel
}

/// An answer of a shelf.
package enum ShelfAnswer: Sendable {
    /// The scores with their names and titles, and the names of the kinds of files.
    case list(scores: [(name: String, title: String)], kinds: [String])
    /// Something to tell the player.
    case note(String)
    /// A score that was sent cannot be played: its errors with their places, several lines.
    case problems(String)
    /// A score begins, under this name.
    case opened(String)
    /// A share, 0 to 1, of a file of this name has been made.
    case progress(String, Double)
    /// A file has been made.
    case made(PageFile)
    /// A file of this name is being sent to the page.
    case fetching(String)
    /// It has been sent, whole or not.
    case fetched(String, isWhole: Bool)

    /// The message to a page; `ticket` gives the right to fetch a file.
    func message(ticket: (PageFile) -> PageToken) -> String {
        switch self {
        case .list(let scores, let kinds):
            let list = scores.map { JSON.object(["name": .text($0.name), "title": .text($0.title)]) }
            return JSON.line([("scores", .list(list)), ("kinds", .list(kinds.map { .text($0) }))])
        case .note(let text): return PageMessage.note(text)
        case .problems(let text): return JSON.line([("problems", .text(text))])
        case .opened(let name): return JSON.line([("opened", .text(name))])
        case .progress(let name, let share):
            return JSON.line([("making", .text(name)), ("percent", .number(Int(share * 100)))])
        case .made(let file):
            return JSON.line([("made", .text(file.name)), ("ticket", .text(ticket(file).text))])
        case .fetching(let name): return JSON.line([("fetching", .text(name))])
        case .fetched(let name, let isWhole):
            return JSON.line([("fetched", .text(name)), ("isWhole", .number(isWhole ? 1 : 0))])
        }
    }
}
