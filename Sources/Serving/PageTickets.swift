/// The tickets with which pages send and fetch files over plain HTTP. A ticket is given out over the connection of a page
/// that may control, is valid once and for a minute, and ends with that connection.
package struct PageTickets: Sendable {
    /// How long a ticket is valid, in ns.
    package static let life: Int64 = 60_000_000_000
    /// The longest body that a page may send, in bytes.
    package static let longestBody = 2_000_000
    /// The most files that wait to be fetched.
    package static let mostFiles = 4

    package init() {}

    private struct Entry<Value: Sendable>: Sendable {
        var token: PageToken
        var page: PageID
        var until: Int64
        var value: Value
    }

    /// At most one upload is awaited and one is under way, so that uploads take little memory.
    private var awaited: Entry<String>?
    private var coming: Entry<String>?
    private var files: [Entry<PageFile>] = []

    /// A ticket to send a score of this name; an earlier one that has not been used is void.
    package mutating func forUpload(named name: String, _ page: PageID, at now: Int64) -> PageToken {
        let token = PageToken()
        awaited = Entry(token: token, page: page, until: now + PageTickets.life, value: name)
        return token
    }

    /// A ticket to fetch a file; of too many files the oldest is let go.
    package mutating func forDownload(_ file: PageFile, _ page: PageID, at now: Int64) -> PageToken {
        let token = PageToken()
        files = files.suffix(PageTickets.mostFiles - 1)
        files.append(Entry(token: token, page: page, until: now + PageTickets.life, value: file))
        return token
    }

    /// The status of the answer to a request to send a body; 200 uses the ticket up.
    package mutating func admit(_ ticket: String, type: String, length: UInt64, at now: Int64) -> Int32 {
        guard let entry = awaited, entry.token.matches(ticket), now < entry.until else { return 401 }
        guard type == "application/octet-stream" else { return 415 }
        guard length <= PageTickets.longestBody else { return 413 }
        guard length > 0 else { return 400 }
        (coming, awaited) = (entry, nil)
        return 200
    }

    /// What a body that has come is named, and from which page it is; nil if it is not awaited any more.
    package mutating func take(_ ticket: String) -> (name: String, page: PageID)? {
        guard let entry = coming, entry.token.matches(ticket) else { return nil }
        coming = nil
        return (entry.value, entry.page)
    }

    /// The file for a ticket, which is used up; nil if there is none.
    package mutating func fetch(_ ticket: String, at now: Int64) -> PageFile? {
        files.removeAll { now >= $0.until }
        guard let index = files.firstIndex(where: { $0.token.matches(ticket) }) else { return nil }
        return files.remove(at: index).value
    }

    /// Makes the tickets of a page void.
    package mutating func forget(_ page: PageID) {
        if awaited?.page == page { awaited = nil }
        if coming?.page == page { coming = nil }
        files.removeAll { $0.page == page }
    }
}
