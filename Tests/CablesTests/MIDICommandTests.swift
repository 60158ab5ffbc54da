import Cables
import Foundation
import Playback
import SampleScores
import Scores
import Testing
import Timing

@Suite("When MIDI follows commands, and stops of the program")
struct MIDICommandTests {
    /// Music that is played as written, by a status that is made by hand.
    private func status(_ text: String, start: Timecode? = nil) throws -> Status {
        let score = try score(text)
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: 1))
        performance.linearTimecode = start.map { LinearTimecode(start: $0) }
        return Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil,
            zeroHeard: 10_000_000_000, sound: .silent("none"))
    }

    /// What leaves the queue, in s after time zero, if a thread plans every 100 ms and hears of statuses at some times. Each
    /// time, it is stopped for `late` s before it carries out its plan.
    private func planned(
        _ options: MIDIPlan.Options, _ statuses: [(at: Double, status: Status)], until end: Double, late: Double
    ) -> [(time: Double, message: MIDIMessage)] {
        var plan = MIDIPlan(options)
        var queue: [MIDIEvent] = []
        for tick in -10..<Int(end * 10) {
            let now = Double(tick) / 10
            guard let status = statuses.last(where: { $0.at <= now })?.status else { continue }
            let moment = status.zeroHeard + Int64(now * 1e9)
            let step = plan.step(status, at: moment)
            if let back = step.takesBack { queue.removeAll { $0.time > max(back, moment + Int64(late * 1e9)) } }
            queue += step.events
        }
        let zero = statuses[0].status.zeroHeard
        return queue.map { (Double($0.time - zero) * 1e-9, $0.message) }.filter { $0.0 < end }
    }

    @Test(
        "clock and timecode go on until a pause is heard, and again as the music is heard again", arguments: [0, 0.03])
    func latePause(late: Double) throws {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: .fps25)
        var status = try status("tempo: 120\nbars: [4/4 x 8]", start: start)
        var statuses = [(-1.0, status)]
        (status.pause, status.effect, status.commandCount) = (Status.Pause(.seconds(3)), .seconds(3), 1)
        statuses.append((2, status))
        (status.pause, status.effect, status.commandCount) = (nil, .milliseconds(6500), 2)
        (status.anchor, status.resumed) = (Anchor(time: .milliseconds(3500), speed: .asWritten), status.effect)
        statuses.append((5, status))
        let sent = planned(MIDIPlan.Options(timecode: true, clock: true), statuses, until: 8, late: late)
        func times(_ isWanted: (MIDIMessage) -> Bool) -> [Double] { sent.filter { isWanted($0.message) }.map(\.time) }
        let ticks = times { $0 == .clock }
        #expect(ticks.count == 144 + 72)
        for (n, time) in ticks.enumerated() {
            #expect(abs(time - (n < 144 ? 0 : 3.5) - Double(n) / 48) < 0.000_001, "tick \(n) at \(time)")
        }
        let stops = times { $0 == .stop }
        #expect(stops.count == 1 && abs(stops[0] - 3) < 0.000_001)
        #expect(times { $0 == .songPosition(24) || $0 == .continue }.allSatisfy { (6.494...6.5).contains($0) })
        let quarters = times { if case .quarterFrame = $0 { true } else { false } }
        #expect(quarters.allSatisfy { (0...3).contains($0) || $0 >= 6.5 })
        #expect(quarters.count { $0 > 2 && $0 < 3 } >= 99 && quarters.count { $0 > 6.5 && $0 < 7.6 } > 75)
        // The film stands where the music does.
        #expect(times { if case .fullFrame = $0 { true } else { false } }.contains { abs($0 - 3) < 0.000_001 })
    }

    @Test(
        "a jump that is heard late moves the song position when it is heard, and changes programs then",
        arguments: [0, 0.03])
    func lateJump(late: Double) throws {
        let text = "tempo: 120\nbars: [4/4, {meter: 4/4, send: midi program 7}, 4/4 x 6]"
        var status = try status(text)
        var statuses = [(-1.0, status)]
        status.anchor = Anchor(time: .milliseconds(1250), position: .seconds(8), speed: .asWritten)
        (status.effect, status.commandCount) = (.milliseconds(1250), 1)
        statuses.append((0.3, status))
        let sent = planned(MIDIPlan.Options(clock: true), statuses, until: 3, late: late)
        let ticks = sent.filter { $0.message == .clock }.map(\.time)
        #expect(ticks.count { $0 < 1.245 } == 60 && ticks.count { $0 >= 1.25 } == 84)
        #expect(sent.filter { $0.message == .songPosition(64) }.allSatisfy { (1.244...1.25).contains($0.time) })
        let programs = sent.filter { $0.message == .channel(1, .program(7)) }.map(\.time)
        #expect(programs.count == 1 && abs(programs[0] - 1.25) < 0.000_001)
    }

    @Test(
        "after a stop of the program of any length, ticks come in their order, and the machines are where the music is")
    func stops() throws {
        let status = try status("tempo: 120\nbars: [4/4 x 8]")
        for tenths in 2...60 {
            var (plan, sent, now) = (
                MIDIPlan(MIDIPlan.Options(clock: true)), [(time: Double, message: MIDIMessage)](), -0.5
            )
            while now < 16.5 {
                if (3..<3 + Double(tenths) / 10).contains(now) { now = 3 + Double(tenths) / 10 }
                let step = plan.step(status, at: status.zeroHeard + Int64(now * 1e9))
                sent += step.events.map { (max(Double($0.time - status.zeroHeard) * 1e-9, now), $0.message) }
                now = Double(step.next - status.zeroHeard) * 1e-9
            }
            #expect(zip(sent, sent.dropFirst()).allSatisfy { $0.time <= $1.time })
            let ticks = try #require(PlannedMIDI.ticks(of: sent))
            #expect(ticks.allSatisfy { (-0.001...0.201).contains($0.time - Double($0.number) / 48) }, "\(tenths)")
            let late = ticks.filter { $0.time - Double($0.number) / 48 > 0.001 }
            #expect(late.count <= ((7...12).contains(tenths) ? 10 : 0), "\(tenths)")
            let lost = 8 * 96 - ticks.count
            #expect(lost <= max((tenths - 7) * 5, 0), "\(lost) of \(tenths)")
        }
    }

    @Test("notes end, and the clock begins anew, after a stop of the program that was longer than the queue")
    func longStop() throws {
        let text = """
            tempo: 120
            bars: [{meter: 4/4, send: midi note 60 on}, {meter: 4/4, send: midi note 60 off}, 4/4 x 8]
            """
        let status = try status(text)
        var plan = MIDIPlan(MIDIPlan.Options(clock: true))
        let zero = status.zeroHeard
        _ = plan.step(status, at: zero - 100_000_000)
        let events = plan.step(status, at: zero + 8_050_000_000).events
        #expect(events.first?.message == .channel(1, .noteOff(60)))
        #expect(events.contains { $0.message == .stop } && events.contains { $0.message == .songPosition(65) })
        #expect(events.allSatisfy { $0.time >= zero + 8_050_000_000 })
    }
}
