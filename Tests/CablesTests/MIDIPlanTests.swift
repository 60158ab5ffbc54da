import Cables
import Foundation
import Listening
import Playback
import SampleScores
import Scores
import Shared
import SimulatedCardSupport
import Testing
import Timing

@Suite("What MIDI tells")
struct MIDIPlanTests {
    private func performance(_ text: String, passes: Int = 1, start: Timecode? = nil) throws -> Performance {
        let score = try score(text)
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: passes))
        performance.countIn = .time(.seconds(1))
        performance.waits = true
        performance.linearTimecode = start.map { LinearTimecode(start: $0) }
        return performance
    }

    private static let metered = """
        tempo: 100
        bars: [4/4 x 2, 3/4, {meter: 4/4, ramp: {to: 160, over: 4 bars}}, 4/4 x 3, 6/8 x 2, 2.7, 5/16, 3/32, 4/4 x 2]
        """

    @Test("the quarter frames tell the timecode of the score, at every rate", arguments: ["24", "25", "29.97", "30"])
    func timecode(rate: String) throws {
        let rate = try #require(Timecode.Rate(rawValue: rate))
        // Minutes in which drop-frame timecode leaves out numbers, and midnight.
        for (minutes, frames) in [(0, 12), (59, 3)] {
            let start = try Timecode(hours: 23, minutes: minutes, seconds: 50, frames: frames, rate: rate)
            let sent = try PlannedMIDI(
                performance("bars: [3.3, 2, 1.7, 4.123, 6, 5]", start: start), MIDIPlan.Options(timecode: true))
            let timecodes = try #require(try sent.timecodes(rate))
            let length = 22.123 * rate.perSecond.value / 2
            #expect(abs(Double(timecodes.count) - length) <= 3)
            let zero = sent.play.rows[0].heard?.seconds ?? .nan
            // In the first seconds the card's clock is still being learnt.
            for (time, timecode) in timecodes where time > zero + 10 {
                let film = timecode.time(after: start).seconds
                #expect(abs(time - zero - (film < 0 ? film + 86_400 : film)) < 0.0002, "\(timecode.text)")
            }
            #expect(sent.isInOrder)
        }
    }

    @Test("a whole timecode tells where the music begins, and where it stands")
    func wholeFrames() throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        let sent = try PlannedMIDI(
            performance("bars: [2, 2, 2, 2]", start: start), MIDIPlan.Options(timecode: true),
            commands: [(5, .pause), (6, .jump(.bar(3))), (7, .resume)])
        let whole = sent.sent.compactMap { time, message -> (Double, [Int])? in
            guard case .fullFrame(let hours, let minutes, let seconds, let frames) = message else { return nil }
            return (time, [hours, minutes, seconds, frames].map(Int.init))
        }
        // At 25 frames per second, the hours say so.
        #expect(whole.first.map { $0.1 == [0x21, 0, 0, 0] && $0.0 < 0 } ?? false)
        #expect(whole.contains { $0.1 == [0x21, 0, 6, 0] })
        let timecodes = try #require(try sent.timecodes(.fps25))
        #expect(timecodes.last.map { $0.timecode.text.hasPrefix("01:00:07") } ?? false)
    }

    @Test("timecode runs before the music if it has a preroll")
    func preroll() throws {
        var performance = try performance("bars: [4, 2]")
        let start = try Timecode(hours: 10, minutes: 0, seconds: 0, frames: 0, rate: .fps30)
        performance.linearTimecode = LinearTimecode(start: start, preroll: .seconds(2))
        let sent = try PlannedMIDI(performance, MIDIPlan.Options(timecode: true))
        let timecodes = try #require(try sent.timecodes(.fps30))
        let zero = sent.play.rows[0].heard?.seconds ?? .nan
        let first = try #require(timecodes.first)
        #expect(abs(first.time - zero + 2) < 0.1 && first.timecode.text.hasPrefix("09:59:58"))
    }

    @Test("timecode that follows the speed of the music has the same frames at every speed")
    func scaled() throws {
        var performance = try performance("bars: [4, 4, 4]")
        performance.speed = try #require(Speed(millionths: 800_000))
        let start = try Timecode(hours: 10, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        var settings = LinearTimecode(start: start)
        settings.isScaled = true
        performance.linearTimecode = settings
        let sent = try PlannedMIDI(performance, MIDIPlan.Options(timecode: true))
        let timecodes = try #require(try sent.timecodes(.fps25))
        #expect(abs(timecodes.count - 150) <= 2)
        let zero = sent.play.rows[0].heard?.seconds ?? .nan
        for (time, timecode) in timecodes where time > zero + 10 {
            #expect(abs((time - zero) * 0.8 - timecode.time(after: start).seconds) < 0.0002)
        }
    }

    @Test("a quarter note has 24 ticks, also through ramps, and bars of seconds stop the machines")
    func clock() throws {
        let sent = try PlannedMIDI(performance(Self.metered), MIDIPlan.Options(clock: true))
        let ticks = try #require(sent.ticks)
        let heard = sent.play.rows.map { $0.heard?.seconds ?? .nan }
        // The ticks of each bar; those after the bar of seconds begin at a sixteenth.
        let counts = [96, 96, 72, 96, 96, 96, 96, 72, 72, 0, 30, 9, 96, 96]
        var first = 0
        for (bar, count) in counts.enumerated() {
            let end = bar + 1 < heard.count ? heard[bar + 1] : .infinity
            let own = ticks.filter { $0.time > heard[bar] - 0.005 && $0.time < end - 0.005 }
            let skipped = bar == 10 ? -first % 6 + (first % 6 > 0 ? 6 : 0) : 0
            #expect(own.map(\.number) == Array(first + skipped..<first + max(count, skipped)), "bar \(bar + 1)")
            first += count
        }
        // The last bars of the ramp, where the card's clock is learnt: v = v0 + (v1 - v0) u from beat to beat.
        let (v0, v1, begin) = (100.0 / 60, 160.0 / 60, 264)
        for (time, number) in ticks where (begin + 200...begin + 384).contains(number) {
            let u = Double(number - begin) / 384
            let due = 16 * u / v0 * log1p((v1 / v0 - 1) * u) / ((v1 / v0 - 1) * u)
            #expect(abs(time - heard[3] - due) < 0.0003, "tick \(number)")
        }
        let isStop = sent.sent.map { $0.message == .stop }
        #expect(sent.sent.count { $0.message == .start } == 1 && isStop.count { $0 } == 2)
        #expect(sent.isInOrder && isStop.last == true)
    }

    @Test("after a jump, the song position is that of the bar, and in a loop it goes back")
    func songPosition() throws {
        let sent = try PlannedMIDI(
            performance("tempo: 120\nbars: [4/4 x 8]"), MIDIPlan.Options(clock: true),
            commands: [(5.3, .jump(.bar(6))), (8, .practice([Passage.Stretch(2..<4)], passes: 2))])
        let ticks = try #require(sent.ticks)
        var told = 0
        for row in sent.play.rows {
            guard let heard = row.heard?.seconds else { continue }
            let near = ticks.filter { abs($0.time - heard) < 0.003 }
            // Where a command has just taken effect, machines begin at the next sixteenth, and a tick of the music before it may
            // be near.
            guard let tick = near.last else { continue }
            told += 1
            #expect(near.count <= 2 && tick.number == 96 * (row.index - 1))
        }
        #expect(told >= sent.play.rows.count - 2)
    }

    @Test("nothing is out of order after random commands, and the machines are where the music is", arguments: 0..<16)
    func random(seed: UInt64) throws {
        var random = Seeded(state: seed + 400)
        let choices: [Command] = [
            .togglePause, .jump(.nextBar), .jump(.previousBar), .jump(.thisBar), .jump(.nextLine), .speed(change: 10),
            .speed(change: -15),
            .jump(.bar(2)), .nudge(.milliseconds(20)), .nudge(.milliseconds(-20)), .jump(.firstBar), .continue,
            .practice([Passage.Stretch(1..<3)], passes: nil), .practice(nil, passes: nil),
        ]
        var (time, commands) = (3.0, [(Double, Command)]())
        for _ in 0..<30 {
            time += Double(random.int(30...1500)) / 1000
            commands.append((time, choices[random.int(0...choices.count - 1)]))
        }
        commands += [(time + 1, .practice(nil, passes: nil)), (time + 1.1, .resume), (time + 4, .stop)]
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        let text = """
            tempo: 140
            lines: [[4/4, {meter: 3/4, send: midi note 60 on}, {meter: 4/4, hold: until cue}], [2.5, 5/8, 4/4 x 4]]
            """
        let stall: Int64 = seed.isMultiple(of: 2) ? 0 : 170
        let sent = try PlannedMIDI(
            performance(text, passes: 50, start: start), MIDIPlan.Options(timecode: true, clock: true),
            commands: commands, stall: stall)
        #expect(sent.isInOrder)
        let ticks = try #require(sent.ticks)
        let begin = sent.play.origin - Simulation.beginning
        // Where a command is on its way, or has just been heard of.
        func isUnsure(_ time: Double) -> Bool {
            commands.contains { (-0.3...(stall > 0 ? 0.6 : 0.3)).contains(time + begin - $0.0) }
        }
        let timecodes = try #require(try sent.timecodes(.fps25)).filter { !isUnsure($0.time) && $0.time > 2 }
        for (time, timecode) in timecodes {
            let now = time + sent.play.origin
            let status = try #require(sent.play.statuses.last { $0.time <= now }?.status)
            guard case .bar(let bar) = status.moment(at: Int64(now * 1e9)) else { continue }
            let film = status.speed.realDuration(of: bar.elapsed).seconds
            #expect(abs(timecode.time(after: start).seconds - film) < 0.0003, "\(timecode.text) at \(time)")
        }
        #expect(timecodes.count > 20)
        var told = 0
        let first = [0, 96, 168, 264, 264, 324, 420, 516, 612]
        for row in sent.play.rows {
            guard let heard = row.heard?.seconds, row.index != 4 else { continue }
            // A thread that stalls hears late of a jump.
            if stall > 0, isUnsure(heard) { continue }
            let near = ticks.filter { abs($0.time - heard) < 0.003 }
            let numbers = near.map(\.number)
            #expect(
                numbers.isEmpty || numbers.contains(first[row.index - 1]),
                "bar \(row.index) at \(heard): \(numbers)")
            told += numbers.isEmpty ? 0 : 1
        }
        // After a jump, machines begin at the next sixteenth.
        #expect(told >= (stall > 0 ? 2 : 5))
        // No note is left on.
        var on = 0
        for case .channel(_, let message) in sent.sent.map(\.message) {
            if case .noteOn = message { on = 1 } else { on = 0 }
        }
        #expect(on == 0)
    }

    @Test("a thread that stalls for 170 ms loses nothing")
    func stalls() throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps30)
        let performance = try performance(Self.metered, start: start)
        let options = MIDIPlan.Options(timecode: true, clock: true)
        let (prompt, late) = try (PlannedMIDI(performance, options), PlannedMIDI(performance, options, stall: 170))
        let (expected, found) = (prompt.sent.drop { $0.time < 0.2 }, late.sent.drop { $0.time < 0.2 })
        #expect(expected.map(\.message) == found.map(\.message))
        for (a, b) in zip(expected, found) { #expect(abs(a.time - b.time) < 0.0002) }
    }

    @Test("the messages of the score are sent as their bars begin, and what a pause makes wrong is taken back")
    func messages() throws {
        let text = """
            bars:
              - {duration: 2, send: [midi ch 10 note 37 on 80, midi program 5, /go 1]}
              - {duration: 2, send: midi ch 10 note 37 off}
              - {duration: 2, send: midi ch 2 note 40 on}
              - {duration: 2, send: midi control 7 100}
            """
        let sent = try PlannedMIDI(performance(text), MIDIPlan.Options(), commands: [(6.4, .pause), (8, .resume)])
        #expect(
            sent.notes.map(\.message) == [
                .channel(10, .noteOn(37, velocity: 80)), .channel(1, .program(5)), .channel(10, .noteOff(37)),
                .channel(2, .noteOn(40, velocity: 100)), .channel(2, .noteOff(40)),
                .channel(1, .program(5)), .channel(1, .control(7, value: 100)),
            ])
        let heard = sent.play.rows.map { $0.heard?.seconds ?? .nan }
        for (note, row) in zip([0, 1, 2, 3, 6], [0, 0, 1, 2, 3]) {
            #expect(abs(sent.notes[note].time - heard[row]) < 0.001)
        }
        // The note ends in the pause, and the program is sent again after it.
        #expect(sent.notes[4].time < heard[2] + 1.9 && sent.notes[5].time > sent.notes[4].time + 1.5)
        #expect(sent.notes[6].time > heard[2] + 3)
    }

    @Test(
        "a bar that is heard while a pause or a jump is on its way sends its note, which ends with it",
        arguments: 0..<20)
    func onTheWay(step: Int) throws {
        let text = "lines: [{repeat: 40, bars: [{duration: 0.1, send: midi note 60 on}]}]"
        let time = 3.5 + Double(step) * 0.01
        let sent = try PlannedMIDI(
            performance(text), MIDIPlan.Options(),
            commands: [(time, .pause), (time + 1, .resume), (time + 1.5, .jump(.bar(30)))])
        let heard = sent.play.rows.compactMap { $0.heard?.seconds }
        let begun = sent.notes.filter { $0.message == .channel(1, .noteOn(60, velocity: 100)) }.map(\.time)
        #expect(begun.count == heard.count)
        for (begun, heard) in zip(begun, heard) { #expect(abs(begun - heard) < 0.002) }
        let inPause = time + 0.6 - (sent.play.origin - Simulation.beginning)
        #expect(sent.notes.last { $0.time < inPause }?.message == .channel(1, .noteOff(60)))
    }

    @Test("a bar with more messages than a queue holds sends all of them")
    func many() throws {
        let list = Array(repeating: "midi note 1 off", count: 100).joined(separator: ", ")
        let bars = Array(repeating: "{duration: 0.05, send: [\(list)]}", count: 30).joined(separator: ", ")
        let sent = try PlannedMIDI(performance("bars: [\(bars)]"), MIDIPlan.Options())
        #expect(sent.notes.count == 3000 && sent.isInOrder)
    }
}
