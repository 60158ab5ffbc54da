internal import CWeb
internal import Playback
internal import Synchronization

/// The calls of the C library, all on the server's thread.
extension PageServer {
    /// Opens a server whose calls go to the pages of a context.
    static func open(
        _ settings: Settings, _ context: Unmanaged<Pages>, _ failure: inout cweb_failure
    ) -> OpaquePointer? {
        var owner = cweb_owner(
            context: context.toOpaque(),
            admit: { context, host, origin, isUpgrade in
                guard let host, let origin, let pages = served(context) else { return 400 }
                let (asked, from) = (String(cString: host), String(cString: origin))
                return pages.state.withLock { $0.hosts.status(host: asked, origin: from, isUpgrade: isUpgrade) }
            },
            opened: { context, peer in if let peer { served(context)?.open(UInt(bitPattern: peer)) } },
            received: { context, peer, text, length in
                guard let peer, let text, let pages = served(context) else { return false }
                let message = String(decoding: UnsafeRawBufferPointer(start: text, count: length), as: UTF8.self)
                let verdict = pages.receive(message, from: UInt(bitPattern: peer))
                guard verdict != .closed else { return false }
                if verdict == .isWelcome { cweb_trust(peer) }
                if verdict == .concernsAll { wakeAll(pages) }
                cweb_want(peer)
                return true
            },
            writable: { context, peer in
                guard let peer, let pages = served(context) else { return false }
                guard let next = pages.next(UInt(bitPattern: peer)) else { return true }
                let isSent = next.text.withUnsafeBytes {
                    cweb_send(peer, $0.bindMemory(to: CChar.self).baseAddress, next.text.count)
                }
                if next.hasMore { cweb_want(peer) }
                return isSent
            },
            closed: { context, peer in if let peer { served(context)?.close(UInt(bitPattern: peer)) } },
            upload: { context, ticket, type, length in
                guard let ticket, let type, let pages = served(context) else { return 401 }
                let (text, kind) = (String(cString: ticket), String(cString: type))
                return pages.state.withLock {
                    $0.tickets.admit(text, type: kind, length: length, at: monotonicNanoseconds())
                }
            },
            uploaded: { context, ticket, bytes, length in
                guard let ticket, let pages = served(context) else { return 410 }
                let text = String(cString: ticket)
                let (found, shelf) = pages.state.withLock { ($0.tickets.take(text), $0.shelf) }
                guard let bytes, let found, let shelf else { return 410 }
                let body = Array(UnsafeBufferPointer(start: bytes, count: length))
                shelf.take(body, named: found.name, from: found.page)
                return 202
            },
            download: { context, ticket, download in
                guard let ticket, let download, let pages = served(context) else { return false }
                let text = String(cString: ticket)
                guard
                    let (file, page, number) = pages.state.withLock({
                        $0.tickets.fetch(text, at: monotonicNanoseconds())
                    })
                else { return false }
                guard let descriptor = file.opened() else {
                    report(
                        pages, .fetched(file.name, isWhole: false),
                        pages.state.withLock { $0.tickets.endFetch(number) }?.page)
                    return false
                }
                report(pages, .fetching(file.name), page)
                download.pointee.descriptor = descriptor
                download.pointee.number = number
                download.pointee.length = file.length
                withUnsafeMutableBytes(of: &download.pointee.type) { copy(file.type, $0) }
                withUnsafeMutableBytes(of: &download.pointee.disposition) { copy(file.disposition, $0) }
                return true
            },
            downloaded: { context, number, isWhole in
                guard let pages = served(context),
                    let (name, page) = pages.state.withLock({ $0.tickets.endFetch(number) })
                else { return }
                report(pages, .fetched(name, isWhole: isWhole), page)
            },
            woken: { context in if let pages = served(context) { wakeAll(pages) } })
        func open(_ address: UnsafePointer<CChar>?) -> OpaquePointer? {
            var plan = cweb_settings(
                address: address, port: Int32(settings.port), connections: Int32(connections),
                message: PageRequest.longest, hello_seconds: Int32(settings.hello),
                reading_seconds: Int32(settings.reading))
            return cweb_open(&plan, &owner, &failure)
        }
        return settings.address.map { $0.withCString(open) } ?? open(nil)
    }
}

/// Copies a text as a string of C, as far as there is room.
private func copy(_ text: String, _ room: UnsafeMutableRawBufferPointer) {
    let bytes = Array(text.utf8.prefix(room.count - 1)) + [0]
    room.copyBytes(from: bytes)
}

/// Tells a page something from the server's own thread.
private func report(_ pages: Pages, _ answer: ShelfAnswer, _ page: PageID?) {
    guard let page else { return }
    pages.tell(answer, page)
    wakeAll(pages)
}

/// Asks every page that may see the music for room for a message.
private func wakeAll(_ pages: Pages) {
    for id in pages.welcome {
        if let peer = OpaquePointer(bitPattern: id) { cweb_want(peer) }
    }
}

/// The pages that the C library calls for.
private func served(_ context: UnsafeMutableRawPointer?) -> Pages? {
    context.map { Unmanaged<Pages>.fromOpaque($0).takeUnretainedValue() }
}
