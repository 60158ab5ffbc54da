import Cables
import Foundation
import Listening
import Playback
import SampleScores
import Scores
import SimulatedCardSupport
import Testing
import Timing

@Suite("Programs and controllers after a jump")
struct MIDIChaseTests {
    private func performance(_ text: String, _ stretches: [Passage.Stretch]? = nil, passes: Int = 1) throws
        -> Performance
    {
        let score = try score(text)
        let timeline = Timeline(score)
        let passage = Passage(timeline, stretches ?? [Passage.Stretch(0..<timeline.barCount)], passes: passes)
        var performance = Performance(of: score, passage: passage)
        performance.countIn = .time(.seconds(1))
        performance.waits = true
        return performance
    }

    /// What is sent, as the score writes it.
    private func written(_ sent: PlannedMIDI, from: Double = -.infinity) -> [String] {
        sent.notes.filter { $0.time >= from }.compactMap { _, message in
            switch message {
            case .channel(let channel, .program(let number)): "\(channel): program \(number)"
            case .channel(let channel, .control(let number, let value)): "\(channel): control \(number) \(value)"
            case .channel(let channel, .noteOn(let note, _)): "\(channel): note \(note) on"
            case .channel(let channel, .noteOff(let note)): "\(channel): note \(note) off"
            default: nil
            }
        }
    }

    private static let text = """
        bars:
          - {duration: 2, send: [midi program 5, midi ch 2 control 7 90, midi ch 10 note 37 on, midi ch 10 note 37 off]}
          - {duration: 2, send: [midi program 6, midi control 96 1, midi control 123 0]}
          - 2
          - {duration: 2, send: midi program 8}
          - 2
        """

    @Test(
        "one who begins in the middle gets the last program and controllers before it during the count-in, and no notes"
    )
    func start() throws {
        let sent = try PlannedMIDI(performance(Self.text, [Passage.Stretch(2..<5)]), MIDIPlan.Options())
        #expect(written(sent) == ["1: program 6", "2: control 7 90", "1: program 8"])
        let heard = try #require(sent.play.rows.first?.heard?.seconds)
        #expect(sent.notes[1].time < heard - 0.5)
    }

    @Test("from the beginning to the end, each message is sent once")
    func whole() throws {
        let sent = try PlannedMIDI(performance(Self.text), MIDIPlan.Options())
        #expect(
            written(sent) == [
                "1: program 5", "2: control 7 90", "10: note 37 on", "10: note 37 off", "1: program 6",
                "1: control 96 1", "1: control 123 0", "1: program 8",
            ])
    }

    @Test("a jump sends all of them, also if the machine should know them; so does going on after a pause")
    func jumps() throws {
        let jump = try PlannedMIDI(performance(Self.text), MIDIPlan.Options(), commands: [(4.5, .jump(.bar(4)))])
        #expect(written(jump).suffix(2) == ["1: program 8", "2: control 7 90"])
        let back = try PlannedMIDI(performance(Self.text), MIDIPlan.Options(), commands: [(9, .jump(.bar(2)))])
        #expect(
            written(back).suffix(4) == ["1: program 6", "1: control 96 1", "1: control 123 0", "1: program 8"]
                || written(back).suffix(3) == ["1: program 6", "2: control 7 90", "1: program 8"])
        let pause = try PlannedMIDI(
            performance(Self.text), MIDIPlan.Options(), commands: [(6, .pause), (7, .resume)])
        #expect(written(pause).suffix(3) == ["1: program 6", "2: control 7 90", "1: program 8"])
        let faster = try PlannedMIDI(
            performance(Self.text), MIDIPlan.Options(),
            commands: [(6.9, .speed(change: 10)), (8, .nudge(.milliseconds(20)))])
        #expect(written(faster).count == 8)
    }

    @Test("a loop that goes back by itself sends only what has changed")
    func loop() throws {
        let sent = try PlannedMIDI(performance(Self.text, [Passage.Stretch(2..<4)], passes: 3), MIDIPlan.Options())
        #expect(
            written(sent) == [
                "1: program 6", "2: control 7 90", "1: program 8", "1: program 6", "1: program 8", "1: program 6",
                "1: program 8",
            ])
        let heard = sent.play.rows.map { $0.heard?.seconds ?? .nan }
        #expect(abs(sent.notes[3].time - heard[2]) < 0.001 && abs(sent.notes[5].time - heard[4]) < 0.001)
        let one = try PlannedMIDI(performance(Self.text, [Passage.Stretch(3..<4)], passes: 3), MIDIPlan.Options())
        #expect(
            written(one) == ["1: program 6", "2: control 7 90", "1: program 8", "1: program 8", "1: program 8"])
    }

    @Test("a program comes with the bank that was set before it, and a reset ends what it resets")
    func banks() throws {
        let text = """
            bars:
              - {duration: 2, send: [midi control 0 3, midi control 32 1, midi program 5, midi control 1 9, midi control 7 80]}
              - {duration: 2, send: [midi control 0 4, midi control 121 0, midi control 64 127]}
              - 2
            """
        let sent = try PlannedMIDI(performance(text, [Passage.Stretch(2..<3)]), MIDIPlan.Options())
        #expect(
            written(sent) == [
                "1: control 0 3", "1: control 32 1", "1: program 5", "1: control 7 80", "1: control 0 4",
                "1: control 64 127",
            ])
    }

    @Test("the messages of all voices count, in the order of their times")
    func voices() throws {
        let text = """
            voices:
              a: {bars: [4, {duration: 4, send: midi program 1}, 4]}
              b: {bars: [3, {duration: 2, send: [midi program 2, midi ch 2 program 3]}, {duration: 4, send: midi ch 2 program 4}, 3]}
            """
        let sent = try PlannedMIDI(performance(text, [Passage.Stretch(2..<3)]), MIDIPlan.Options())
        #expect(written(sent) == ["1: program 1", "2: program 4"])
    }

    @Test("a cable that is plugged in gets what is true at that moment, and not what was before")
    func plugged() throws {
        let play = try SimulatedPlay.run(performance(Self.text), on: [:], policy: .rewind, keepsStatuses: true)
        var plan = MIDIPlan(MIDIPlan.Options())
        let begin = try #require(play.rows.dropFirst(3).first?.heard?.seconds) + play.origin
        let now = Int64((begin + 0.05) * 1e9)
        let status = try #require(play.statuses.last { $0.time * 1e9 <= Double(now) }?.status)
        let events: [MIDIMessage] = plan.step(status, at: now).events.map(\.message)
        #expect(events.contains(.channel(1, .program(6))) == false)
        #expect(events.contains(.channel(1, .program(8))) && events.contains(.channel(2, .control(7, value: 90))))
    }
}
