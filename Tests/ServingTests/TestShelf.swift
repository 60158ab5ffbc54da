internal import Glibc
internal import Playback
internal import Synchronization

internal import Serving

/// A shelf that remembers what it was asked, and answers nothing by itself.
final class TestShelf: PageShelf {
    /// What a shelf is told.
    enum Event: Equatable {
        case asked(ShelfRequest)
        case taken(String, [UInt8])
        case forgotten
    }

    private let seen = Mutex<(events: [Event], page: PageID?)>(([], nil))

    /// Everything so far, in order.
    var events: [Event] { seen.withLock { $0.events } }
    /// The page that asked last.
    var page: PageID? { seen.withLock { $0.page } }

    func ask(_ request: ShelfRequest, of page: PageID, _ status: Status?) {
        seen.withLock { $0 = ($0.events + [.asked(request)], page) }
    }

    func take(_ bytes: [UInt8], named name: String, from page: PageID) {
        seen.withLock { $0 = ($0.events + [.taken(name, bytes)], page) }
    }

    func forget(_ page: PageID) { seen.withLock { $0.events.append(.forgotten) } }

    /// A file without a name on the disk, with these bytes.
    static func file(_ bytes: [UInt8], name: String) -> PageFile? {
        var template = Array("/tmp/barline-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        unlink(template)
        guard descriptor >= 0, write(descriptor, bytes, bytes.count) == bytes.count else { return nil }
        return PageFile(descriptor, name: name, type: "application/octet-stream")
    }
}
