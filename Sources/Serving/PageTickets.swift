/// The tickets with which pages send and fetch files over plain HTTP. A ticket is given out over the connection of a page
/// that may control, is valid once and for a minute, and ends with that connection.
package struct PageTickets: Sendable {
    /// How long a ticket is valid, in ns.
    package static let life: Int64 = 60_000_000_000
    /// The longest body that a page may send, in bytes.
    package static let longestBody = 2_000_000
    /// The most files that wait to be fetched, and the most bodies that are under way at a time: they are in memory.
    package static let (mostFiles, mostBodies) = (4, 4)

    package init() {}

    private struct Entry<Value: Sendable>: Sendable {
        var token: PageToken
        var page: PageID
        var until: Int64
        var value: Value
    }

    /// The names of what pages want to send, at most one each, and of what is under way.
    private var awaited: [PageID: Entry<String>] = [:]
    private var coming: [Entry<String>] = []
    private var files: [Entry<PageFile>] = []
    /// The files that are being fetched, by their numbers, and how many there have been.
    private var fetched: [UInt64: (name: String, page: PageID)] = [:]
    private var fetches: UInt64 = 0

    /// A ticket to send a score of this name; an earlier one of this page that has not been used is void.
    package mutating func forUpload(named name: String, _ page: PageID, at now: Int64) -> PageToken {
        let token = PageToken()
        awaited[page] = Entry(token: token, page: page, until: now + PageTickets.life, value: name)
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
        guard let entry = awaited.values.first(where: { $0.token.matches(ticket) }), now < entry.until else {
            return 401
        }
        guard type == "application/octet-stream" else { return 415 }
        guard length <= PageTickets.longestBody else { return 413 }
        guard length > 0 else { return 400 }
        guard coming.count < PageTickets.mostBodies else { return 503 }
        coming.append(entry)
        awaited[entry.page] = nil
        return 200
    }

    /// What a body that has come, or has ended early, is named, and from which page it is; nil if that page has gone.
    package mutating func take(_ ticket: String) -> (name: String, page: PageID)? {
        guard let index = coming.firstIndex(where: { $0.token.matches(ticket) }) else { return nil }
        let entry = coming.remove(at: index)
        return (entry.value, entry.page)
    }

    /// The file for a ticket, which is used up, with its page and a number by which it is known until it has been sent; nil if
    /// there is none.
    package mutating func fetch(_ ticket: String, at now: Int64) -> (file: PageFile, page: PageID, number: UInt64)? {
        files.removeAll { now >= $0.until }
        guard let index = files.firstIndex(where: { $0.token.matches(ticket) }) else { return nil }
        let entry = files.remove(at: index)
        fetches += 1
        fetched[fetches] = (entry.value.name, entry.page)
        return (entry.value, entry.page, fetches)
    }

    /// The name and the page of a file that is not being sent any more.
    package mutating func endFetch(_ number: UInt64) -> (name: String, page: PageID)? {
        fetched.removeValue(forKey: number)
    }

    /// Makes the tickets of a page void.
    package mutating func forget(_ page: PageID) {
        awaited[page] = nil
        coming.removeAll { $0.page == page }
        files.removeAll { $0.page == page }
    }
}
