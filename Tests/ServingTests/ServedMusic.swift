internal import Playback
internal import SampleScores
internal import Scores
internal import Screens
internal import Synchronization
internal import Testing
internal import Timing

internal import Serving

/// A server with music on its pages, and what its pages have asked for.
final class ServedMusic: Sendable {
    let server: PageServer
    let asked = Asked()

    final class Asked: Sendable {
        let requests = Mutex<[PageRequest]>([])
    }

    /// A server on any free port. Pages have `hello` seconds for their first message, and `reading` seconds to read what is
    /// sent to them.
    init(reading: Int = 20, bars: Int = 40, hello: Int = 5) throws {
        var settings = PageServer.Settings()
        settings.port = 0
        settings.hello = hello
        settings.reading = reading
        server = try PageServer(settings)
        server.listen { [asked] request, _ in
            asked.requests.withLock { $0.append(request) }
            return nil
        }
        var screen = PageScreen(server)
        _ = screen.show(ServedMusic.status(bars: bars), at: 0)
    }

    /// Music in bars of a second, of which time zero was heard at 100 s.
    static func status(bars: Int, speed: Speed = .asWritten) -> Status {
        let lines = stride(from: 0, to: bars, by: 8).map { first in
            Score.Line(
                label: "Line \(first / 8)", bars: (first..<min(first + 8, bars)).map { _ in Score.Bar(.seconds(1)) })
        }
        let score = Score(lines: lines)
        let performance = Performance(of: score, passage: Passage(Timeline(score)))
        return Status(
            performance: performance, anchor: Anchor(speed: speed), countsTo: nil, pause: nil,
            zeroHeard: 100_000_000_000, sound: .device("test"))
    }

    /// Checks that a well-behaved page still gets everything.
    func checkThatItServes() throws {
        let browser = try RawBrowser.live(port: server.port)
        browser.send(RawBrowser.message("hello \(server.watch.text)"))
        try browser.read { $0.text.contains("\"state\"") }
        #expect(browser.text.contains("\"bars\": {\"fields\""), "\(browser.text)")
    }
}
