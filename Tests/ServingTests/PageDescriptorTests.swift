import Glibc
import Shared
import Testing

@Suite("The open files of a server") struct PageDescriptorTests {
    @Test("connections leave descriptors to the rest of the program, and are taken again once others have gone")
    func spare() async {
        await #expect(processExitsWith: .success) {
            let music = try ServedMusic(hello: 3600)
            let port = music.server.port
            var limit = rlimit(rlim_cur: 100, rlim_max: 100)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var pages: [RawBrowser] = []
            func isTaken() throws -> Bool {
                let page = try RawBrowser(port: port)
                page.send(RawBrowser.upgrade(port: port))
                try page.read { $0.text.contains("\r\n\r\n") }
                if !page.isClosed { pages.append(page) }
                return !page.isClosed
            }
            func checkSpare() throws {
                let spare = (0..<8).map { _ in dup(0) }
                try #require(spare.allSatisfy { $0 >= 0 })
                for descriptor in spare { close(descriptor) }
            }
            while try isTaken() { try checkSpare() }
            try checkSpare()
            try #require(pages.count > 10)
            pages.removeFirst(5)
            // The server learns of their end after this.
            try wait(for: "a new connection") { try isTaken() }
        }
    }
}
