import Listening
import Playback
import Scores
import Shared
import SimulatedCardSupport
import Testing
import Timing

@Suite("Linear timecode on the simulated card")
struct TimecodeLiveTests {
    private static let card: [String: SimulatedCard.Value] = ["skew_ppm": 300, "jitter_us": 50]

    private static func performance(
        _ rate: Timecode.Rate, _ change: (inout LinearTimecode) -> Void = { _ in }
    ) throws -> Performance {
        let start = try Timecode(hours: 1, minutes: 0, seconds: 0, frames: 0, rate: rate)
        let line = (0..<20).map { 600 + 37 * $0 }
        return Score.ofMilliseconds(Array(repeating: line, count: 20)).performance {
            var timecode = LinearTimecode(start: start)
            change(&timecode)
            $0.linearTimecode = timecode
        }
    }

    @Test(
        "on a card that is 300 ppm fast, every frame is within 50 µs of its time",
        arguments: [Card.Policy.rewind, .small])
    func fastCard(policy: Card.Policy) throws {
        let performance = try Self.performance(.fps25)
        let play = try SimulatedPlay.run(performance, on: Self.card, policy: policy, for: 120)
        // The first seconds, in which the card's clock is being learnt, have a test of their own for clicks.
        let late = play.timecode.filter { $0.time > Simulation.beginning + 10 }.map { word in
            (word.word.time(.fps25).map { $0.seconds - 3600 } ?? .nan) - (word.time - play.origin)
        }
        #expect(late.count > 2600)
        #expect(late.map(abs).max() ?? 1 < 50e-6)
    }

    /// Random commands, each with its time.
    private static func commands(_ count: Int, seed: UInt64) -> [(Double, Command)] {
        var random = Seeded(state: seed)
        var time = 2.0
        return (0..<count).map { _ in
            time += random.chance(6) ? .random(in: 0...0.05, using: &random) : .random(in: 0.3...1.5, using: &random)
            let command: Command =
                switch random.int(0...11) {
                case 0, 1: .togglePause
                case 2: .jump(.nextBar)
                case 3: .jump(.previousLine)
                case 4: .jump(.thisBar)
                case 5: .jump(.bar(random.int(0...399)))
                case 6: .jump(.time(.milliseconds(random.int(0...300_000))))
                case 7: .speed(change: random.int(-8...8))
                case 8: .nudge(.milliseconds(random.int(-200...200)))
                case 9: .practice([Passage.Stretch(random.int(0...10)..<random.int(11...14))], passes: nil)
                case 10: .practice(nil, passes: nil)
                default: .clickLevel(decibels: -1)
                }
            return (time, command)
        }
    }

    @Test(
        "within four frames of any of 200 random commands, the timecode is that of the moment that is shown",
        arguments: [(1, false, false), (2, true, false), (3, false, true), (4, true, true)] as [(UInt64, Bool, Bool)])
    func commands(seed: UInt64, isScaled: Bool, holds: Bool) throws {
        let performance = try Self.performance(.fps25) { ($0.isScaled, $0.holds) = (isScaled, holds) }
        let commands = Self.commands(200, seed: seed)
        let play = try SimulatedPlay.run(
            performance, on: Self.card, policy: .rewind, for: (commands.last?.0 ?? 0) + 4, commands: commands,
            keepsStatuses: true)
        let effects = play.effects.compactMap { effect -> Double? in
            if case .command(_, _, let time) = effect { play.origin + time.seconds } else { nil }
        }
        #expect(effects.count > 120)
        var words = play.timecode[...]
        var checked = 0
        var faults: [String] = []
        for (effect, next) in zip(effects, effects.dropFirst()) {
            while let word = words.first, word.time < effect { words.removeFirst() }
            guard let status = play.statuses.last(where: { $0.time <= effect + 0.021 })?.status else { continue }
            let frame: Double = isScaled ? 0.04 * 1e6 / Double(status.speed.millionths) : 0.04
            // Music that was moved in a pause may have to wait after it.
            let begin = Double(status.zeroHeard) * 1e-9 + status.anchor.time.seconds
            let (settled, end) = (max(effect, begin) + 4 * frame, next - 0.1)
            guard end > settled else { continue }
            let here = words.filter { $0.time >= settled && $0.time < end }
            guard case .bar(let bar) = status.moment(at: Int64(settled * 1e9)) else { continue }
            if bar.isPaused, !holds {
                if !here.isEmpty { faults.append("\(effect): \(here.count) words in a pause") }
                continue
            }
            checked += 1
            // No frame is missing but those around the end of a loop.
            let least = ((end - settled) / frame).rounded(.down) - (status.isHome ? 1 : 7)
            if Double(here.count) < least { faults.append("\(effect): \(here.count) words of \(least)") }
            for each in here {
                // At the end of a loop, what is shown may change a moment later.
                let errors = [0, 60e-6].compactMap { late -> Double? in
                    guard case .bar(let bar) = status.moment(at: Int64((each.time + late) * 1e9)) else { return nil }
                    let film = film(bar, status, isScaled)
                    // While it is held, the frame that had begun.
                    let due = bar.isPaused ? ((film + 1e-5) * 25).rounded(.down) / 25 : film - late
                    return abs((word(each) ?? .nan) - due)
                }
                if let error = errors.min(), !(error < 60e-6) {
                    faults.append("\(effect): \(error) s off at \(each.time)")
                }
            }
        }
        #expect(checked > 60)
        #expect(faults.isEmpty, "\(faults.prefix(5))")
    }

    private func word(_ heard: (time: Double, word: TimecodeListener.Word)) -> Double? {
        heard.word.time(.fps25).map { $0.seconds - 3600 }
    }

    private func film(_ bar: Moment.Bar, _ status: Status, _ isScaled: Bool) -> Double {
        isScaled ? bar.elapsed.seconds : status.speed.realDuration(of: bar.elapsed).seconds
    }
}
