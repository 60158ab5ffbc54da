import Playback
import Scores
import Screens
import Testing
import Timing

/// Lines while a card carries out commands long after they were given.
@Suite("Lines of bars before a command is heard")
struct LateCommandTests {
    /// A piece with bars at 0, 3, 5.7 and 6.7 s, after a number of commands, of which the last takes effect then.
    private func after(
        _ count: Int, effect: Double?, frame: Int64? = nil, at place: (time: Double, position: Double) = (0, 0),
        paused: Duration? = nil, in passage: Passage? = nil, isJump: Bool = true
    ) -> Status {
        func duration(_ seconds: Double) -> Duration { .nanoseconds(Int64((seconds * 1e9).rounded())) }
        var status = Status.of(
            anchor: Anchor(time: duration(place.time), position: duration(place.position), speed: .asWritten),
            paused: paused)
        (status.commandCount, status.effect, status.effectFrame) = (count, effect.map(duration), frame)
        status.jumps = isJump ? count : 0
        if let passage { status.performance.passage = passage }
        return status
    }

    /// When each bar gets its line, in seconds, if the screen is called with the newest status whenever it asks for it.
    private func lines(_ statuses: [(at: Double, status: Status)], until end: Double) -> [String] {
        var (told, text) = ([String](), "")
        var screen = LineScreen { text += $0 }
        for (index, (at, status)) in statuses.enumerated() {
            let next = index + 1 < statuses.count ? seconds(statuses[index + 1].at) : seconds(end)
            var now = seconds(at)
            while now < next {
                let wake = screen.show(status, at: now)
                for line in text.split(separator: "\n") where line.hasPrefix("    ") {
                    told.append("\(line.split(separator: " ")[0]) at \((Double(now) / 1e8).rounded() / 10)")
                }
                text = ""
                now = max(wake, now + 1_000_000)
            }
        }
        return told
    }

    @Test("they come when the bars are heard, and not when the command is given")
    func whenHeard() {
        let jump = after(1, effect: 6, at: (6, 0))
        #expect(
            lines([(0, after(0, effect: nil)), (1, jump)], until: 10)
                == ["1.1 at 0.0", "1.2 at 3.0", "2.1 at 5.7", "1.1 at 6.0", "1.2 at 9.0"])
        // Another command is given before the first one is heard.
        let faster = after(2, effect: 8, at: (6, 0))
        #expect(
            lines([(0, after(0, effect: nil)), (1, jump), (2, faster)], until: 10)
                == ["1.1 at 0.0", "1.2 at 3.0", "2.1 at 5.7", "1.1 at 6.0", "1.2 at 9.0"])
        // The same once the music was placed anew, when the status tells no more of the command.
        let placed = after(1, effect: nil, at: (6, 0))
        #expect(
            lines([(0, after(0, effect: nil)), (1, jump), (2, placed)], until: 8)
                == ["1.1 at 0.0", "1.2 at 3.0", "2.1 at 5.7", "1.1 at 6.0"])
        #expect(
            lines([(0, after(0, effect: nil)), (1, placed)], until: 8)
                == ["1.1 at 0.0", "1.2 at 3.0", "2.1 at 5.7", "1.1 at 6.0"])
    }

    @Test("of two commands at one frame, only the last one has lines, although its time is estimated anew")
    func oneFrame() {
        let first = after(1, effect: 4, frame: 192_000, at: (4, 0))
        let second = after(2, effect: 4.000_000_3, frame: 192_000, at: (4.000_000_3, 5.7))
        for second in [(at: 1.5, status: second), (4.5, second)] {
            let told = lines([(0, after(0, effect: nil)), (1, first), second], until: 4.7)
            #expect(told.filter { $0.hasPrefix("2.1") }.count == 1, "\(told)")
        }
        #expect(
            lines([(0, after(0, effect: nil)), (1, first), (1.5, second)], until: 4.7)
                == ["1.1 at 0.0", "1.2 at 3.0", "2.1 at 4.0"])
        // A jump to the beginning of the bar, and a pause at the same frame: the bar has a line, for it stands there.
        let jump = after(1, effect: 4, frame: 192_000, at: (4, 3))
        let pause = after(2, effect: 4.000_000_3, frame: 192_000, at: (4, 3), paused: .nanoseconds(3_000_000_300))
        #expect(
            lines([(0, after(0, effect: nil)), (1, jump), (1.1, pause)], until: 6)
                == ["1.1 at 0.0", "1.2 at 3.0", "1.2 at 4.0"])
    }

    @Test("a shift that passes the end of a loop of one bar does not swallow the next pass")
    func loopOfOneBar() {
        let timeline = Status.of().performance.passage.timeline
        let loop = Passage(timeline, [Passage.Stretch(2..<3)], passes: nil)
        // The passes are a second long. At 1.9 s the music is moved ahead by a fifth of a second.
        let shifted = after(1, effect: 1.9, at: (-0.2, 0), in: loop, isJump: false)
        #expect(
            lines([(0, after(0, effect: nil, in: loop)), (1.5, shifted)], until: 3.5)
                == ["2.1 at 0.0", "2.1 at 1.0", "2.1 at 1.9", "2.1 at 2.8"])
    }

    @Test("a shift back writes no line a second time, to the bar before or to the begin of a bar that a jump has begun")
    func shiftBack() {
        let shifted = after(1, effect: 3.01, at: (0.02, 0), isJump: false)
        #expect(
            lines([(0, after(0, effect: nil)), (2.5, shifted)], until: 6) == ["1.1 at 0.0", "1.2 at 3.0", "2.1 at 5.7"])
        let jump = after(1, effect: 4, at: (4, 0))
        var again = after(2, effect: 4.000_5, at: (4.007, 0))
        again.jumps = 1
        #expect(
            lines([(0, after(0, effect: nil)), (1, jump), (2, again)], until: 6)
                == ["1.1 at 0.0", "1.2 at 3.0", "1.1 at 4.0"])
    }
}
