import Foundation
import Glibc
import Session
import Shared
import Testing

@Suite("A session that is suspended")
struct SuspendedSessionTests {
    /// A process that does nothing, and is stopped as by Ctrl-Z.
    private static func stoppedProcess() throws -> Child {
        let process = try Child(["/bin/sleep", "600"])
        process.send(SIGSTOP)
        var info = siginfo_t()
        while waitid(P_PID, id_t(process.pid), &info, WSTOPPED | WNOWAIT) != 0, errno == EINTR {}
        return process
    }

    @Test("it is said at once, however often it is asked, and it gets no request that it would carry out later")
    func atOnce() throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let process = try Self.stoppedProcess()
        defer { process.end() }
        mkdir(folder.path, 0o700)
        try "\(process.pid)\n".write(toFile: folder.lock, atomically: false, encoding: .utf8)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(listener) }
        try #require(try folder.withAddress { bind(listener, $0, $1) } == 0 && listen(listener, 4) == 0)
        for request in [SessionRequest.status, .stop, .pause, .continue] + Array(repeating: .statusJSON, count: 20) {
            // An hour: a wait for the answer would not end.
            #expect(throws: SessionError.suspended) {
                try SessionClient.ask(request, folder, patience: .seconds(3600))
            }
        }
        while case let peer = accept(listener, nil, nil), peer >= 0 {
            var byte: UInt8 = 0
            #expect(recv(peer, &byte, 1, Int32(MSG_DONTWAIT)) == 0, "nothing was sent")
            close(peer)
        }
    }

    @Test("a second session is told that the first one is suspended, not only that it is playing")
    func second() throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let process = try Self.stoppedProcess()
        defer { process.end() }
        mkdir(folder.path, 0o700)
        try "\(process.pid)\n".write(toFile: folder.lock, atomically: false, encoding: .utf8)
        let lock = open(folder.lock, O_RDWR)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
        defer { close(listener); close(lock) }
        try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
        try #require(try folder.withAddress { bind(listener, $0, $1) } == 0 && listen(listener, 4) == 0)
        #expect(throws: SessionError.suspended) { try SessionServer(folder) { _ in "" } }
    }

    @Test("a session that is stopped while it is asked is found out")
    func meanwhile() throws {
        let runtime = try Runtime()
        let folder = runtime.folder
        let process = try Child(["/bin/sleep", "600"])
        defer { process.end() }
        mkdir(folder.path, 0o700)
        try "\(process.pid)\n".write(toFile: folder.lock, atomically: false, encoding: .utf8)
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        try #require(try folder.withAddress { bind(listener, $0, $1) } == 0 && listen(listener, 4) == 0)
        Thread.detachNewThread {
            // Once the request is there, the process stops.
            let peer = accept(listener, nil, nil)
            var byte: UInt8 = 0
            _ = recv(peer, &byte, 1, Int32(MSG_PEEK))
            process.send(SIGSTOP)
        }
        #expect(throws: SessionError.suspended) {
            try SessionClient.ask(.status, folder, patience: .seconds(3600))
        }
    }
}
