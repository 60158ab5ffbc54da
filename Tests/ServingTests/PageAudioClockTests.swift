internal import Foundation
internal import Shared
internal import Testing

/// The page's own sound, by the clock of its device.
@Suite struct PageAudioClockTests {
    /// How one reading of the device's clock is wrong, in s.
    enum Scatter: CaseIterable {
        case even, bell, latePeaks

        func error(_ generator: inout Seeded) -> Double {
            let (a, b) = (Double.random(in: 1e-12...1, using: &generator), Double.random(in: 0...1, using: &generator))
            return switch self {
            case .even: 0.010 * (a - 0.5)
            case .bell: 0.005 * (-2 * Foundation.log(a)).squareRoot() * Foundation.cos(2 * .pi * b)
            // One reading in 25 is late by far.
            case .latePeaks: 0.010 * (a - 0.5) - (b < 0.04 ? 0.030 : 0)
            }
        }
    }

    @Test(
        "clicks are within 3 ms of the player's for 10 min, with 200 ppm between the clocks and a scatter of 5 ms",
        arguments: Scatter.allCases, [0, 200e-6, -200e-6])
    func sound(scatter: Scatter, drift: Double) throws {
        var generator = Seeded(state: 11)
        // The page's time in ms; the sound card's in s; the player's in s.
        func sound(_ time: Double) -> Double { 0.5 + time / 1000 * (1 + drift) }
        func player(_ time: Double) -> Double { 7000 + time / 1000 * (1 - drift / 2) }
        var input: [String] = []
        for step in 0..<6000 {
            let time = Double(step) * 100 + Double.random(in: 0...20, using: &generator)
            input.append("[0, \(time), \(sound(time) + scatter.error(&generator))]")
            let trip = Double.random(in: 0.3...4, using: &generator)
            let share = Double.random(in: 0...1, using: &generator)
            if step % 4 == 0 { input.append("[1, \(time), \(time + trip), \(player(time + trip * share))]") }
        }
        // Each second, where the click that is heard two seconds later is put.
        let found = try PageScript.run(
            """
            import { AudioClock } from "./audioclock.js";
            import { PlayerClock } from "./clock.js";
            const [audio, player] = [new AudioClock(), new PlayerClock()];
            let next = 10000;
            for (const [kind, ...values] of input) {
              if (kind === 0) audio.observe(...values);
              else player.take(...values);
              if (values[0] < next) continue;
              const click = player.at(next) + 2;
              console.log(click, audio.at(player.when(click)));
              next += 1000;
            }
            """, input: "[" + input.joined(separator: ",") + "]")
        let errors = try found.map { line in
            let (click, put) = (try #require(Double(line[0])), try #require(Double(line[1])))
            return abs(put - sound((click - 7000) / (1 - drift / 2) * 1000))
        }
        #expect(errors.count >= 585)
        let sorted = errors.sorted()
        let most: Double = sorted[sorted.count * 95 / 100]
        #expect(most < 0.003, "95 %: \(most)")
        #expect(errors.dropFirst(60).allSatisfy { $0 < 0.003 }, "after a minute: \(errors.dropFirst(60).max() ?? 0)")
    }

    @Test(
        "after a device has run dry, the sound is within 3 ms again 3 s later", arguments: [0.004, 0.024, -0.024, 0.3])
    func steps(step: Double) throws {
        var generator = Seeded(state: 12)
        func sound(_ time: Double) -> Double { time / 1000 * (1 + 100e-6) - (time > 60_000 ? step : 0) }
        let times = (0..<1200).map { Double($0) * 100 + Double.random(in: 0...20, using: &generator) }
        let input = times.map { "[\($0), \(sound($0) + Double.random(in: -0.0005...0.0005, using: &generator))]" }
        let found = try PageScript.run(
            """
            import { AudioClock } from "./audioclock.js";
            const audio = new AudioClock();
            for (const [time, sound] of input) {
              audio.observe(time, sound);
              console.log(audio.at(time + 2000));
            }
            """, input: "[" + input.joined(separator: ",") + "]")
        for (line, time) in zip(found, times) where (10_000...57_000).contains(time) || time > 63_000 {
            #expect(abs(try #require(Double(line[0])) - sound(time + 2000)) < 0.003, "at \(time) ms")
        }
        #expect(found.count == times.count)
    }

    @Test("a page converts the player's time to its own and back")
    func inverse() throws {
        let found = try PageScript.run(
            """
            import { PlayerClock } from "./clock.js";
            const player = new PlayerClock();
            for (let n = 0; n < 400; n += 1) player.take(n * 700, n * 700 + 2, 5000.123456 + n * 0.7 * 1.0003);
            for (const time of [0, 1234.5, 280000, 3e6]) console.log(time, player.when(player.at(time)));
            """, input: "[]")
        for line in found.dropFirst() {
            #expect(abs(try #require(Double(line[0])) - (try #require(Double(line[1])))) < 0.01)
        }
        #expect(found.count == 4)
    }
}
