import Cables
import SampleScores
import Scores
import Testing
import Timing

@Suite("Music that follows JACK's transport")
struct JackMusicTests {
    private static let rate = 48_000

    private func performance(_ bars: Range<Int>? = nil, speed: Int64 = 1_000_000) throws -> Performance {
        let score = try score("bars: [2, 3, 4, 5]")
        var performance = Performance(of: score, passage: Passage(Timeline(score), bars: bars))
        performance.speed = try #require(Speed(millionths: speed))
        return performance
    }

    /// The place of the music when the frames of the server are `now`, and whether it stands.
    private func place(
        _ transport: JackMusic.Transport, _ performance: Performance, begin: Duration = .zero, opened: UInt32,
        learnt: UInt32, now: UInt32
    ) -> (position: Duration, isPaused: Bool) {
        var follower = JackMusic(performance, at: begin, rate: Self.rate, late: 0, now: opened)
        _ = follower.take(learnt)
        let music = follower.music(transport)
        let time = follower.take(now) - music.zero
        return (music.paused ?? music.anchor.position(at: .nanoseconds(time)), music.paused != nil)
    }

    @Test(
        "while it rolls, the music is where the transport is, whenever the frames of the server wrap",
        arguments: [0, 1_000_000, UInt32.max - 200_000, .max - 100, .max])
    func rolls(opened: UInt32) throws {
        // It rolls from frame 96 000 on, since a little after the server was looked at.
        let begin = opened &+ 50_000
        for (learnt, later) in [(begin &- 700, 48_000), (begin &+ 240_000, 300_000)] as [(UInt32, UInt32)] {
            let found = place(
                .rolling(ahead: 96_000 &- begin), try performance(), opened: opened, learnt: learnt, now: begin &+ later
            )
            let due = Duration.milliseconds(Int(96_000 + later) / 48)
            #expect(abs((found.position - due) / .nanoseconds(1)) < 3 && !found.isPaused, "\(found)")
        }
    }

    @Test("the score begins at its time of the transport, a part of it at its own, and a speed stretches both")
    func begins() throws {
        func found(_ performance: Performance, _ frame: UInt32) -> (Duration, Bool) {
            let found = place(
                .rolling(ahead: frame &- 100), performance, begin: .seconds(2), opened: 50, learnt: 80, now: 100)
            return (found.position, found.isPaused)
        }
        func isNear(_ a: Duration, _ b: Duration) -> Bool { abs((a - b) / .nanoseconds(1)) < 3 }
        #expect(try isNear(found(performance(), 48_000).0, .seconds(-1)))
        #expect(try isNear(found(performance(), 240_000).0, .seconds(3)))
        #expect(try isNear(found(performance(2..<4), 480_000).0, .seconds(3)))
        // At half speed, the third bar begins 10 s after the score.
        #expect(try isNear(found(performance(2..<4, speed: 500_000), 672_000).0, .seconds(1)))
    }

    @Test("while it stands, the music stands at its place, and never before the beginning or after the end")
    func stands() throws {
        for (frame, due) in [(0, 0), (96_000, 0), (240_000, 3)] as [(UInt32, Int)] {
            let found = place(
                .stopped(frame), try performance(), begin: .seconds(2), opened: 7, learnt: 9, now: 1000)
            #expect(found.position == .seconds(due) && found.isPaused)
        }
        let end = place(.stopped(96_000_000), try performance(), opened: 7, learnt: 9, now: 1000)
        #expect(end.position < .seconds(14) && end.position > .seconds(13.9))
    }
}
