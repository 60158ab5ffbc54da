internal import Shared
package import Timing

/// A card whose clock turns, because CLOCK_MONOTONIC is slewed or its crystal changes, observed as the player does.
package struct TurningClock {
    package enum Pointer {
        /// Moves frame by frame, and is seen late by up to `jitter` s, or with an error of about `scatter` s.
        case fine(jitter: Double = 0, scatter: Double = 0)
        /// Moves by a millisecond, is observed at its steps, and is seen up to 200 µs late.
        case coarse
        /// An estimate with an error of 0.3 ms, which wanders with this time constant in s.
        case server(Double)
    }

    var pointer: Pointer
    /// Whether the device is looked at for every refill of a small buffer, not three times a second.
    var isSmall = false
    /// The seconds by which the card is ahead of its usual rate, `t` seconds after the turn began.
    var turn: (Double) -> Double = { _ in 0 }
    var random: Seeded
    package var skew = 170e-6

    package static let settled = 300.0
    private static let start: Int64 = 7_000_000_000_000
    private var wandering = (error: 0.0, time: 0.0)

    package init(
        _ pointer: Pointer, isSmall: Bool = false, seed: UInt64, turn: @escaping (Double) -> Double = { _ in 0 }
    ) {
        (self.pointer, self.isSmall, self.turn, random) = (pointer, isSmall, turn, Seeded(state: seed))
    }

    // MARK: - The truth

    package func frame(at t: Double) -> Double { 48_000 * (t * (1 + skew) + turn(max(t - Self.settled, 0))) }

    package func time(of frame: Double) -> Double {
        var t = frame / 48_000
        for _ in 0..<8 { t -= (self.frame(at: t) - frame) / 48_000 }
        return t
    }

    package static func nanoseconds(_ t: Double) -> Int64 { start + Int64(t * 1e9) }
    package static func seconds(_ nanoseconds: Double) -> Double { (nanoseconds - Double(start)) * 1e-9 }

    // MARK: - Observations

    private mutating func uniform() -> Double { Double.random(in: 0...1, using: &random) }
    /// A random number with mean 0 and variance 1, nearly normal.
    private mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform() } }

    package mutating func observation(at t: Double) -> (clock: ClockObservation, time: Double) {
        switch pointer {
        case .fine(let jitter, let scatter):
            let seen = frame(at: t - jitter * uniform() + scatter * normal())
            return (ClockObservation(time: Self.nanoseconds(t), frame: Int64(seen.rounded(.down))), t)
        case .coarse:
            let step = (frame(at: t) / 48).rounded(.up) * 48
            let seen = time(of: step) + 200e-6 * uniform()
            return (ClockObservation(time: Self.nanoseconds(seen), frame: Int64(step)), seen)
        case .server(let constant):
            let kept = max(1 - (t - wandering.time) / constant, 0)
            wandering = (wandering.error * kept + 0.3e-3 * (1 - kept * kept).squareRoot() * normal(), t)
            let seen = frame(at: t + wandering.error)
            return (ClockObservation(time: Self.nanoseconds(t), frame: Int64(seen.rounded(.down))), t)
        }
    }

    /// The pause until the next look: short while the clock is young, and if it may have turned.
    private mutating func pause(isYoung: Bool, isDoubted: Bool) -> Double {
        let usual = isSmall ? 0.018 : isYoung ? 0.05 : 0.38
        return (0.9 + 0.2 * uniform()) * (isDoubted ? min(usual, 0.05) : usual)
    }

    // MARK: - A player

    /// What a player made of the clock: how far boundaries were off, in s, and what was observed of that later.
    package struct Play {
        package struct Boundary {
            /// In seconds since the turn began.
            package var due: Double
            package var error: Double
            package var observed: Double
        }
        package var boundaries: [Boundary] = []
        package var model: ClockModel

        /// The furthest from the mean error before the turn, from `begin` to `end` seconds after it began.
        package func worst(from begin: Double, to end: Double = .infinity) -> Double {
            let usual = boundaries.filter { $0.due < 0 && $0.due > -200 }.map(\.error)
            let mean = usual.reduce(0, +) / Double(usual.count)
            return boundaries.filter { $0.due >= begin && $0.due < end }.map { abs($0.error - mean) }.max() ?? 0
        }

        /// The mean square of the errors from `begin` seconds after the turn began, about the mean before it.
        package func meanSquare(from begin: Double) -> Double {
            let usual = boundaries.filter { $0.due < 0 && $0.due > -200 }.map(\.error)
            let mean = usual.reduce(0, +) / Double(usual.count)
            let squares = boundaries.filter { $0.due >= begin }.map { ($0.error - mean) * ($0.error - mean) }
            return squares.reduce(0, +) / Double(squares.count)
        }

        /// How far what was observed was from the truth, at most and about its mean.
        package var worstLog: Double {
            let wrong = boundaries.map { $0.observed - $0.error }
            let mean = wrong.reduce(0, +) / Double(wrong.count)
            return wrong.map { abs($0 - mean) }.max() ?? 0
        }
    }

    /// Places a boundary every 0.37 s, up to four seconds ahead, and places it anew when the model has moved.
    package func play(until end: Double) -> Play {
        var card = self
        let wanders = if case .server = pointer { true } else { false }
        var model = ClockModel(
            nominalRate: 48_000, deviation: skew, uncertainty: 10e-6, noise: wanders ? 0.35e-3 : 10e-6,
            wanders: wanders)
        var play = Play(model: model)
        var (known, placedBy) = (model, model)
        var placed: [(due: Double, frame: Double)] = []
        var heard: [(due: Double, frame: Double)] = []
        var batch: [ClockObservation] = []
        var (look, step, next, doubtedUntil, youngUntil, looks) = (0.06, 0.06, 0.5, 0.0, 10.0, 0)
        var side = 0.0
        while min(look, step) < Self.settled + end {
            guard step < look else {
                var t = look
                looks += 1
                // A coarse pointer is observed at every third look, or at one in 48, unless the clock may have turned.
                var every = 1
                if case .coarse = pointer, t > doubtedUntil { every = (t < 10 ? 1 : 3) * (isSmall ? 16 : 1) }
                if looks % every == 0 {
                    let seen = card.observation(at: t)
                    batch.append(seen.clock)
                    t = seen.time
                    let expected = known.extrapolated(to: seen.clock.time)
                    let error = (Double(seen.clock.frame - expected.frame) - expected.fraction) / 48_000
                    let isOff = known.isSettled && abs(error) > known.tolerance
                    if isOff { doubtedUntil = max(doubtedUntil, t + 0.1) }
                    if isOff, side * error > 0 { (doubtedUntil, step) = (t + 1, min(step, t + 0.001)) }
                    side = isOff ? (error > 0 ? 1 : -1) : 0
                }
                look = t + card.pause(isYoung: t < 10, isDoubted: t < doubtedUntil)
                continue
            }
            let turns = model.turns
            for observation in batch { model.observe(observation) }
            batch = []
            known = model
            if model.turns > turns { youngUntil = step + 10 }
            let isYoung = step < youngUntil || !model.isSettled
            if model.isSettled {
                // As the conductor: what is nearer than 350 ms stays, and small moves are not followed.
                let ahead = FramePosition(frame: Int64(card.frame(at: step + 4)))
                let move = abs(model.time(of: ahead) - placedBy.time(of: ahead)) * 1e-9
                if move > (isYoung ? 5e-6 : max(5e-6, model.usualMove)) {
                    let near = step + 0.36
                    for n in placed.indices where placed[n].due > near {
                        placed[n].frame = Self.place(placed[n].due, model)
                    }
                    placedBy = model
                }
                while next < step + 4 {
                    placed.append((next, Self.place(next, model)))
                    next += 0.37
                }
                heard += placed.filter { $0.due < step }
                placed.removeAll { $0.due < step }
                // A row of the log waits for a second of observations.
                while let row = heard.first, row.due < step - 1 {
                    heard.removeFirst()
                    let whole = Int64(row.frame.rounded(.down))
                    let position = FramePosition(frame: whole, fraction: row.frame - Double(whole))
                    let observed = Self.seconds(model.observedTime(of: position))
                    guard row.due > Self.settled - 200 else { continue }
                    play.boundaries.append(
                        Play.Boundary(
                            due: row.due - Self.settled, error: card.time(of: row.frame) - row.due,
                            observed: observed - row.due))
                }
                model.forget(before: Self.nanoseconds((heard.first?.due ?? step) - 2))
            }
            step += isYoung ? 0.08 : 1.7
        }
        play.model = model
        return play
    }

    private static func place(_ due: Double, _ model: ClockModel) -> Double {
        let position = model.extrapolated(to: nanoseconds(due))
        return Double(position.frame) + position.fraction
    }
}
