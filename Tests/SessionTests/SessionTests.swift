import Foundation
import Glibc
import Session
import Shared
import Synchronization
import Testing

struct SessionTests {
    /// The requests that a session has received.
    final class Asked: Sendable {
        let requests = Mutex<[SessionRequest]>([])

        /// A session that notes what it is asked, and answers "here".
        func server(_ folder: SessionFolder) throws -> SessionServer {
            try SessionServer(folder) { request in
                self.requests.withLock { $0.append(request) }
                return "here"
            }
        }
    }

    private func mode(_ path: String) -> mode_t {
        var about = stat()
        return stat(path, &about) == 0 ? about.st_mode & 0o777 : 0
    }

    @Test("every known request is answered")
    func requests() async throws {
        let runtime = try Runtime()
        let server = try SessionServer(runtime.folder) { "you asked: \($0.rawValue)" }
        defer { server.end() }
        for request in SessionRequest.allCases {
            #expect(try await ask(request, runtime.folder) == "you asked: \(request.rawValue)")
        }
    }

    @Test("an answer of any length arrives whole, even if it does not fit into the buffer of a socket")
    func long() async throws {
        let runtime = try Runtime()
        let answer = String(repeating: "a page with a long name, é; ", count: 100_000)
        let server = try SessionServer(runtime.folder) { _ in answer }
        defer { server.end() }
        #expect(try await ask(.statusJSON, runtime.folder) == answer)
    }

    @Test("a request is not carried out once nobody waits for its answer")
    func abandoned() async throws {
        let runtime = try Runtime()
        let asked = Asked()
        let server = try asked.server(runtime.folder)
        defer { server.end() }
        // As in a process that is frozen, nothing is accepted meanwhile.
        let (isBusy, goesOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        ControlLoop.shared.after(.zero) {
            isBusy.signal()
            goesOn.wait()
        }
        let folder = runtime.folder
        let sent = try await waiting {
            isBusy.wait()
            defer { goesOn.signal() }
            let peer = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(peer) }
            guard try folder.withAddress({ connect(peer, $0, $1) }) == 0 else { return -1 }
            return send(peer, "stop\n", 5, 0)
        }
        #expect(sent == 5)
        // Each comes after the one that was abandoned.
        for _ in 0..<2 { #expect(try await ask(.status, runtime.folder) == "here") }
        let requests = asked.requests.withLock { $0 }
        #expect(requests == [.status, .status])
    }

    @Test("a request that a session does not carry out is an error, with the session's reason")
    func declined() async throws {
        let runtime = try Runtime()
        let server = try SessionServer(runtime.folder) { request throws(SessionError) in
            throw SessionError.declined("no \(request.rawValue) now")
        }
        defer { server.end() }
        for request in SessionRequest.allCases {
            await #expect(throws: SessionError.declined("no \(request.rawValue) now")) {
                try await ask(request, runtime.folder)
            }
        }
    }

    @Test("the socket belongs to its user alone")
    func modes() throws {
        let runtime = try Runtime()
        let server = try SessionServer(runtime.folder) { _ in "" }
        defer { server.end() }
        #expect(mode(runtime.folder.path) == 0o700)
        #expect(mode(runtime.folder.path + "/session") == 0o600)
        #expect(mode(runtime.folder.path + "/lock") == 0o600)
    }

    @Test("there is one session: a second one learns of the first, and can begin after its end")
    func one() async throws {
        let runtime = try Runtime()
        let first = try SessionServer(runtime.folder) { _ in "bar 7" }
        let folder = runtime.folder
        let second = try await waiting { () -> SessionError? in
            do throws(SessionError) { _ = try SessionServer(folder) { _ in "" } } catch { return error }
            return nil
        }
        guard case .running = second else { throw second ?? .none }
        // As long as another thread is just starting a program, this has copies of all descriptors.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
        let copies = open.filter { descriptor in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
            return path?.hasSuffix(runtime.folder.lock.split(separator: "/").suffix(3).joined(separator: "/")) ?? false
        }.map { dup($0) }
        defer { copies.forEach { close($0) } }
        #expect(copies.count == 1)
        first.end()
        let third = try SessionServer(runtime.folder) { _ in "bar 1" }
        #expect(try await ask(.status, runtime.folder) == "bar 1")
        third.end()
        await #expect(throws: SessionError.none) { try await ask(.status, runtime.folder) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: runtime.folder.path) == ["lock"])
    }

    @Test("if many sessions begin at once, exactly one succeeds")
    func race() async throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let begun = await withTaskGroup(of: SessionServer?.self) { group in
            for _ in 0..<8 { group.addTask { try? await waiting { try SessionServer(folder) { _ in "" } } } }
            return await group.reduce(into: [SessionServer]()) { servers, server in
                if let server { servers.append(server) }
            }
        }
        // This keeps the sessions alive until here.
        defer { begun.forEach { $0.end() } }
        #expect(begun.count == 1)
        #expect(try await ask(.status, folder) == "")
    }

    @Test(
        "a socket without a listener is not a session: a request removes it, a new session replaces it",
        arguments: [true, false])
    func stale(asks: Bool) async throws {
        let runtime = try Runtime()
        // The files that a killed program leaves: its socket without a listener, and its lock file without a lock.
        let left = runtime.folder.path + "/session"
        mkdir(runtime.folder.path, 0o700)
        let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(left.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        close(number)
        _ = FileManager.default.createFile(atPath: runtime.folder.path + "/lock", contents: nil)
        if asks {
            await #expect(throws: SessionError.none) { try await ask(.stop, runtime.folder) }
            #expect(!FileManager.default.fileExists(atPath: left))
        } else {
            let server = try SessionServer(runtime.folder) { _ in "here" }
            #expect(try await ask(.status, runtime.folder) == "here")
            server.end()
        }
    }

    @Test("a peer that sends nothing, nonsense or too much does not block others")
    func hostile() async throws {
        let runtime = try Runtime()
        let server = try SessionServer(runtime.folder) { _ in "here" }
        defer { server.end() }
        var open: [Int32] = []
        for text in ["", "stop", "shutdown\n", "\n", String(repeating: "x", count: 100_000), "\u{0}\n"] {
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let path = runtime.folder.path + "/session"
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let connected = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try #require(connected == 0)
            _ = text.withCString { send(number, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
            open.append(number)
            #expect(try await ask(.status, runtime.folder) == "here")
        }
        open.forEach { close($0) }
        #expect(try await ask(.status, runtime.folder) == "here")
    }

    /// A listening socket in place of a session's, which answers nothing by itself.
    private func impostor(_ runtime: Runtime, backlog: Int32 = 16) throws -> Int32 {
        mkdir(runtime.folder.path, 0o700)
        // Not for the programs that other tests start: as long as one has it, it is open.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, type, 0)
        try #require(try runtime.folder.withAddress { bind(number, $0, $1) } == 0 && listen(number, backlog) == 0)
        return number
    }

    @Test("a session that hangs is asked once whether it has ended")
    func hangs() async throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let number = try impostor(runtime)
        defer { close(number) }
        await #expect(throws: SessionError.silent) {
            try await waiting { try SessionClient.waitForEnd(folder, patience: .milliseconds(300)) }
        }
        let peers = (0..<16).map { _ in accept(number, nil, nil) }.filter { $0 >= 0 }
        peers.forEach { close($0) }
        #expect(peers.count == 1)
    }

    @Test("a session is waited for as long as it answers, but not without a limit")
    func goesOn() async throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let (asked, ask) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let server = try SessionServer(folder) { _ in
            ask.yield()
            return "bar 7"
        }
        let patience = Shared.patience
        await #expect(throws: SessionError.running("bar 7")) {
            try await waiting { try SessionClient.waitForEnd(folder, patience: patience, longest: .seconds(1)) }
        }
        async let over: Void = waiting { try SessionClient.waitForEnd(folder, patience: patience, longest: patience) }
        var count = 0
        for await _ in asked {
            count += 1
            if count == 10 { break }
        }
        server.end()
        try await over
    }

    @Test("a session that ends while a question waits has ended, and is not said to be silent")
    func endsMeanwhile() async throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let number = try impostor(runtime)
        async let ended: Void = waiting {
            var listening = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            poll(&listening, 1, -1)
            unlink(folder.path + "/session")
            close(number)
        }
        await #expect(throws: SessionError.none) {
            try await waiting { try SessionClient.ask(.status, folder, patience: patience) }
        }
        try await ended
    }

    @Test("a session that accepts no peers does not answer")
    func full() async throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let number = try impostor(runtime, backlog: 0)
        defer { close(number) }
        let peer = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(peer) }
        try #require(try folder.withAddress { connect(peer, $0, $1) } == 0)
        await #expect(throws: SessionError.silent) {
            try await waiting { try SessionClient.ask(.status, folder, patience: .milliseconds(300)) }
        }
    }

    @Test("a session that answers byte by byte without an end does not answer")
    func drips() async throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let number = try impostor(runtime)
        defer { close(number) }
        async let sent = waiting {
            var listening = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            poll(&listening, 1, 60_000)
            let peer = accept(number, nil, nil)
            defer { close(peer) }
            var count = 0
            while send(peer, "x", 1, Int32(MSG_NOSIGNAL)) == 1 {
                count += 1
                usleep(10_000)
            }
            return count
        }
        await #expect(throws: SessionError.silent) {
            try await waiting { try SessionClient.ask(.status, folder, patience: .milliseconds(300)) }
        }
        // The client has not read on until the line was too long.
        #expect(try await sent < 10_000)
    }

    @Test("another user is refused, even if the file modes allow access", .enabled(if: geteuid() == 0))
    func foreign() async throws {
        let runtime = try Runtime()
        let asked = Asked()
        let server = try asked.server(runtime.folder)
        defer { server.end() }
        for path in [runtime.path, runtime.folder.path] { chmod(path, 0o755) }
        chmod(runtime.folder.path + "/session", 0o666)
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX); s.settimeout(60); s.connect(sys.argv[1]); s.sendall(b'stop\\n'); print(s.recv(99).decode(), end='')
            """
        let arguments = [
            "/usr/bin/setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "-c", script,
            runtime.folder.path + "/session",
        ]
        let answer = try await waiting { try Child.output(of: arguments).text }
        #expect(answer == "refused\n")
        let requests = asked.requests.withLock { $0 }
        #expect(requests == [])
    }

    @Test("without a free descriptor for a peer, accepting is tried again later, not at once")
    func descriptors() {
        func accept(_ results: [Int32]) -> (served: [Int32], next: ControlLoop.Next, calls: Int) {
            var (served, calls) = ([Int32](), 0)
            let next = SessionServer.accept {
                defer { calls += 1 }
                if results[calls] < 0 { errno = -results[calls] }
                return results[calls]
            } _: {
                served.append($0)
            }
            return (served, next, calls)
        }
        for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
            #expect(accept([5, 6, -code]) == ([5, 6], .rests(.milliseconds(100)), 3))
        }
        #expect(accept([5, -EAGAIN]) == ([5], .goesOn, 2))
        #expect(accept([-EINTR, -ECONNABORTED, 7, -EAGAIN]) == ([7], .goesOn, 4))
    }
}
