import Formats
import Listening
import Playback
import Scores
import Screens
import Shared
import Testing
import Timing

@Suite("Lines of text while commands come")
struct CommandLinesTests {
    @Test("each bar that is heard has its line, also if a command is on its way just then", arguments: 0..<6)
    func onTheWay(seed: UInt64) throws {
        var random = Seeded(state: seed + 90)
        let choices: [Command] = [
            .jump(.nextBar), .jump(.nextLine), .jump(.previousLine), .speed(change: 10), .speed(change: -10),
            .toggleCountIn,
            .practice([Passage.Stretch(1..<4)], passes: nil), .practice(nil, passes: nil),
        ]
        var (time, commands) = (3.0, [(Double, Command)]())
        for _ in 0..<40 {
            time += Double(random.int(200...900)) / 1000
            commands.append((time, choices[random.int(0...choices.count - 1)]))
        }
        commands.append((time + 1, .stop))
        let bars = [190, 250, 170, 310, 230, 270].map { Score.Bar(.milliseconds($0)) }
        let score = Score(lines: [Score.Line(bars: Array(bars[..<3])), Score.Line(bars: Array(bars[3...]))])
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: 60))
        let play = try SimulatedPlay.run(
            performance, on: ["skew_ppm": 80, "jitter_us": 50], policy: .rewind, commands: commands, keepsStatuses: true
        )
        // A bar that begins again has no second line.
        let told = EndingLawTests.lines(play).compactMap {
            $0.hasPrefix("    ") ? String($0.split(separator: " ")[0]) : nil
        }
        let heard = play.rows.filter { $0.heard != nil }.map { "\(($0.index - 1) / 3 + 1).\(($0.index - 1) % 3 + 1)" }
        #expect(once(told) == once(heard) && heard.count > 40, "\(once(told))\n\(once(heard))\n\(commands)")
    }

    /// The places of all lines of bars, and of all boundaries that were heard, in a piece of two bars a line.
    private func places(
        _ text: String, program: PracticeProgram? = nil, speed: Speed = .asWritten, _ commands: [(Double, Command)]
    ) throws -> (told: [String], heard: [String]) {
        let score = try Score.of(text)
        let timeline = Timeline(score)
        var performance = Performance(of: score, passage: Passage(timeline))
        if let stretches = try program?.stretches(of: timeline, bars: 0..<timeline.barCount) {
            performance.passage = Passage(timeline, stretches, passes: nil)
        }
        (performance.speed, performance.waits) = (speed, true)
        let play = try SimulatedPlay.run(
            performance, on: ["skew_ppm": 80, "jitter_us": 50], policy: .rewind, commands: commands, keepsStatuses: true
        )
        let told = EndingLawTests.lines(play).compactMap {
            $0.hasPrefix("    ") ? String($0.split(separator: " ")[0]) : nil
        }
        let heard = play.rows.filter { $0.heard != nil }
        return (told, heard.map { "\(timeline[$0.index - 1].line).\(timeline[$0.index - 1].bar)" })
    }

    @Test("a program that begins again in a later pass, and is left, has no lines for bars that nobody heard")
    func programAgain() throws {
        let (program, timeline) = (PracticeProgram.eachLine(times: 2), Timeline(try Score.of(Self.even)))
        let again = try program.stretches(of: timeline, bars: 0..<4)
        for later in [0.4, 1.1] {
            let (told, heard) = try places(
                Self.even, program: program, speed: try speed(2_000_000),
                [(5.1, .practice(again, passes: nil)), (5.1 + later, .practice(nil, passes: nil)), (9, .stop)])
            #expect(told == heard && heard.count > 15, "\(told)\n\(heard)")
        }
    }

    @Test(
        "a bar that begins again at a hold, or just before another command, has its line, and a stop at a hold adds none"
    )
    func restarted() throws {
        let held = try places(
            "lines: [[{duration: 0.6, hold: until cue}, 0.6]]",
            [
                (2.2, .practice([Passage.Stretch(0..<1)], passes: nil)), (2.7, .jump(.previousBar)),
                (3.2, .jump(.previousBar)), (4.8, .stop),
            ])
        #expect(held.told == ["1.1", "1.1", "1.1"] && held.heard == held.told, "\(held)")
        for time in stride(from: 2.5, to: 3.5, by: 0.1) {
            let (told, heard) = try places(
                Self.even, program: .eachLine(times: 1), speed: try speed(500_000),
                [(time, .jump(.thisBar)), (time, .toggleClicks), (6, .stop)])
            #expect(told == heard && heard.count > 4, "\(told)\n\(heard)")
        }
    }

    private static let even = "lines: [[0.5, 0.5], [0.5, 0.6]]"

    private func once(_ places: [String]) -> [String] {
        places.enumerated().filter { $0.offset == 0 || places[$0.offset - 1] != $0.element }.map(\.element)
    }
}
