import Playback
import Scores
import Screens
import Synchronization
import Testing
import Timing
import UserSettings

@Suite("A terminal without pictures")
struct PlainStandTests {
    /// What has been written.
    private final class Paper: Sendable {
        private let written = Mutex("")
        var text: String { written.withLock { $0 } }
        func write(_ text: String) { written.withLock { $0 += text } }
        func clear() { written.withLock { $0 = "" } }
    }

    private let paper = Paper()

    private func stand(_ keys: KeyBindings = .standard) -> PlainStand {
        PlainStand(Stand(StandChoices(keys: keys)), ScoreWords()) { [paper] in paper.write($0) }
    }

    private func press(_ text: String, _ stand: PlainStand) -> [Command] {
        text.flatMap { stand.press($0 == "\r" ? .enter : $0 == "\u{7F}" ? .backspace : .character($0), at: 0) }
    }

    @Test("a question is asked in a line, and other lines wait until it is answered")
    func question() {
        let stand = stand()
        var screen = PlainScreen(stand, ScoreWords())
        _ = screen.show(.of(), at: seconds(1))
        paper.clear()
        #expect(press("g2.3", stand) == [])
        _ = screen.show(.of(), at: seconds(4))
        #expect(paper.text == "go to (bar 5.7, label, or time 2:30): 2.3")
        #expect(press("\u{7F}2\r", stand) == [.jump(.bar(3))])
        stand.skipConfirmation()
        #expect(paper.text.hasSuffix("2.3\u{8} \u{8}2\n"))
        paper.clear()
        _ = screen.show(.of(), at: seconds(4))
        #expect(paper.text.hasPrefix("    1.2"))
    }

    @Test("a question that is open when a piece ends is asked again in the next one, with what has been typed")
    func nextPiece() {
        var choices = StandChoices()
        choices.prompt = StandChoices.Prompt(kind: .waveform, text: "sin").inNextPiece
        let stand = PlainStand(Stand(choices), ScoreWords()) { [paper] in paper.write($0) }
        var screen = PlainScreen(stand, ScoreWords())
        _ = screen.show(.of(), at: 0)
        #expect(paper.text.hasPrefix("waveform (") && paper.text.hasSuffix("): sin"))
        #expect(press("e\r", stand) == [.droneWaveform(.sine)])
    }

    @Test("an invalid answer gives the reason, and an abandoned question says so")
    func wrong() {
        let stand = stand()
        var screen = PlainScreen(stand, ScoreWords())
        _ = screen.show(.of(), at: 0)
        #expect(press("gX\r", stand) == [])
        _ = screen.show(.of(), at: 0)
        #expect(paper.text.contains("\nthere is no label 'X' in the piece"))
        #expect(press("p", stand) == [] && stand.press(.escape, at: 0) == [])
        #expect(paper.text.hasSuffix("\ncancelled\n"))
    }

    @Test("a line says if a command is refused because only the leader can do it")
    func refused() {
        let stand = stand()
        var screen = PlainScreen(stand, ScoreWords())
        _ = screen.show(.of(), at: 0)
        paper.clear()
        #expect(press(" ", stand) == [.togglePause])
        stand.skipConfirmation("not here")
        _ = screen.show(.of(), at: 0)
        #expect(paper.text == "not here\n")
    }

    @Test("a pause that is confirmed is not told twice, also if no key has given it; nor is its end")
    func pausedOnce() {
        let stand = stand()
        var screen = PlainScreen(stand, ScoreWords())
        _ = screen.show(.of(), at: seconds(1))
        paper.clear()
        var paused = Status.of()
        paused.pause = Status.Pause(.seconds(1))
        for (command, before, after, text) in [
            (Command.pause, Status.of(), paused, "paused, line 1, bar 1 of 2  A\n"),
            (.resume, paused, .of(), "playing, line 1, bar 1 of 2  A\n"),
        ] {
            stand.expectConfirmation()
            _ = screen.show(after, at: seconds(1))
            #expect(paper.text == "")
            _ = stand.confirm(command, before, after, at: seconds(1))
            _ = screen.show(after, at: seconds(1))
            #expect(paper.text == text)
            paper.clear()
        }
    }

    @Test("a key without a command is answered, too")
    func answers() throws {
        let stand = stand(try KeyBindings(text: "help f1"))
        var screen = PlainScreen(stand, ScoreWords())
        func said(_ key: Key) -> String {
            _ = screen.show(.of(), at: seconds(1))
            paper.clear()
            #expect(stand.press(key, at: seconds(1)) == [])
            _ = screen.show(.of(), at: seconds(1))
            return paper.text
        }
        #expect(said(.character("y")) == "y has no meaning; F1 lists the keys\n")
        #expect(said(.character("s")) == "Piece, A (1.1), 2.0 s left, 0:01.0 of 0:07.7\n")
        #expect(said(.character("[")) == "loop from line 1, bar 1 of 2  A\n")
        #expect(said(.character("t")) == "tap\n")
        #expect(said(.character("f")) == "flashes need the picture of the stand\n")
        let help = said(.function(1))
        #expect(help.contains("Space: pause, resume (also Page Down)\n") && help.contains("Left arrow: start of bar"))
        // The page of the stand's picture is not open afterwards.
        #expect(said(.function(1)) == help)
    }

    @Test(
        "each command is confirmed by its effect",
        arguments: [
            (.speed(change: 5), "speed 100%"), (.toggleClicks, "clicks -6 dB"),
            (.toggleCountIn, "jumps are not counted in"),
            (.nudge(.milliseconds(-10)), "shifted 10 ms earlier"),
            (.droneLevel(decibels: 1), "drone B4 493.88 Hz -24 dB"),
            (.a4(hertz: 1), "A4 440.0 Hz"), (.silence(nil), "no silent bars"),
            (.practice(nil, passes: nil), "no loop or program to end"),
            (.togglePause, "playing, line 1, bar 1 of 2  A"),
            (.jump(.nextBar), "still at line 1, bar 1 of 2  A"), (.stop, "stopping"),
            (.revert, "reset: 100%   A4 440.0   drone B4 493.88 Hz -24 dB   clicks -6 dB"),
        ] as [(Command, String)])
    func confirmed(command: Command, text: String) {
        let stand = stand()
        #expect(stand.confirm(command, .of(), .of(), at: 0) == text)
    }

    @Test(
        "a speed is confirmed as it sounds in the step of a program, and a tap in a pause is not said to be too early")
    func confirmedAsHeard() {
        let stand = stand()
        var ladder = Status.of()
        let passage = ladder.performance.passage
        ladder.performance.passage = Passage(
            passage.timeline, [.init(0..<2, speed: .asWritten.adding(percentagePoints: -50))], passes: nil)
        #expect(stand.confirm(.speed(change: 5), ladder, ladder, at: seconds(1)) == "speed 50%")
        var paused = Status.of()
        paused.pause = Status.Pause(.seconds(1))
        let tap = Command.tell(.tap(at: seconds(1)))
        #expect(stand.confirm(tap, paused, paused, at: seconds(1)) == "the music stands still: taps do not count")
        var waiting = Status.of()
        waiting.begins = .seconds(5)
        #expect(stand.confirm(tap, waiting, waiting, at: seconds(1)) == "not playing yet")
    }

    @Test("the bar in a confirmation has no second line, and an older status adds no lines")
    func once() {
        let stand = stand()
        var screen = PlainScreen(stand, ScoreWords())
        _ = screen.show(.of(), at: seconds(1))
        paper.clear()
        var after = Status.of(anchor: Anchor(time: .seconds(1), position: .milliseconds(5700), speed: .asWritten))
        after.commandCount = 1
        #expect(stand.press(.down, at: seconds(1)) == [.jump(.nextLine)])
        // The bar that follows from a command waits for its confirmation.
        _ = screen.show(after, at: seconds(1))
        #expect(paper.text == "")
        #expect(stand.confirm(.jump(.nextLine), .of(), after, at: seconds(1)) == "line 2, bar 1 of 2")
        _ = screen.show(.of(), at: seconds(1))
        #expect(paper.text == "line 2, bar 1 of 2\n")
        _ = screen.show(after, at: seconds(2.1))
        #expect(paper.text.hasPrefix("line 2, bar 1 of 2\n    2.2"))
    }

    @Test("a loop has lines in its first pass only, and dropouts are reported when they begin")
    func endless() {
        let stand = stand()
        var screen = PlainScreen(stand, ScoreWords())
        var status = Status.of()
        status.performance.passage = Passage(status.home.timeline, [Passage.Stretch(1..<2)], passes: nil)
        for second in 0..<60 {
            status.xruns = UInt64(second)
            _ = screen.show(status, at: seconds(Double(second)))
        }
        let lines = paper.text.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("    1.2") }.count == 1, "\(lines)")
        #expect(lines.filter { $0.contains("dropout") } == ["1 dropout (xrun)"])
    }

    @Test("a calculator prints a line for each change, and does not repeat the rest")
    func news() {
        let before = ["> distance [1]0 km", "  time 40:00", "= pace 4:00", "", "q quit"]
        let after = ["> distance 1[0] km", "  time 40:00", "= pace 4:00", "not a distance", "q quit"]
        #expect(TerminalFoot.news(in: before, after: []) == [before[0], before[1], before[2], "q quit"])
        #expect(TerminalFoot.news(in: after, after: before) == ["> distance 1[0] km", "not a distance"])
        #expect(TerminalFoot.news(in: ["  distance 10 km", "> time 4▏"], after: before) == ["> time 4"])
        #expect(TerminalFoot.news(in: before, after: before) == [])
    }
}
