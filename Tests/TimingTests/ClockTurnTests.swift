import Testing
import Timing
import TurningClock

/// A clock that turns: to the model, a crystal that changes and a CLOCK_MONOTONIC that NTP slews are the same.
@Suite("A clock that turns")
struct ClockTurnTests {
    static let fine: [TurningClock.Pointer] = [.fine(jitter: 50e-6), .fine(scatter: 5e-6)]

    /// The worst of two plays.
    static func worst(
        _ pointer: TurningClock.Pointer, isSmall: Bool, until end: Double, _ turn: @escaping (Double) -> Double,
        _ figure: (TurningClock.Play) -> Double
    ) -> Double {
        (1...2).map { seed in
            figure(TurningClock(pointer, isSmall: isSmall, seed: seed, turn: turn).play(until: end))
        }.max() ?? .infinity
    }

    /// A slew by `rate` that ends after some seconds.
    static func slew(_ rate: Double, for seconds: Double = .infinity) -> (Double) -> Double {
        { rate * min($0, seconds) }
    }

    /// What NTP has taken away of 5 ms, with a time constant of 64 s. The exponential function by compound interest, so
    /// that the tests need no C library.
    static func fading(_ t: Double) -> Double {
        var (power, left, n) = (1 - t / 64 / 4096, 1.0, 4096)
        while n > 0 {
            if n % 2 == 1 { left *= power }
            power *= power
            n /= 2
        }
        return 5e-3 * (1 - left)
    }

    @Test("a fine pointer: a slew of 100 ppm for 30 s puts no boundary more than 150 us off", arguments: [1.0, -1])
    func fineSlew(sign: Double) {
        for pointer in Self.fine {
            for isSmall in [false, true] {
                let slew = Self.slew(sign * 100e-6, for: 30)
                var after = 0.0
                let worst = Self.worst(pointer, isSmall: isSmall, until: 100, slew) {
                    after = max(after, $0.worst(from: 60))
                    return $0.worst(from: 0)
                }
                #expect(worst <= 150e-6 && after <= 40e-6, "\(pointer) \(isSmall)")
            }
        }
    }

    @Test("a fine pointer: a slew of 500 ppm for 60 s puts no boundary more than 1.2 ms off", arguments: [1.0, -1])
    func fastSlew(sign: Double) {
        for pointer in Self.fine {
            for isSmall in [false, true] {
                let slew = Self.slew(sign * 500e-6, for: 60)
                let worst = Self.worst(pointer, isSmall: isSmall, until: 90, slew) { $0.worst(from: 0) }
                #expect(worst <= 600e-6, "\(pointer) \(isSmall)")
            }
        }
    }

    @Test("a fine pointer: 5 ms that NTP takes away with a time constant of 64 s put no boundary more than 300 us off")
    func exponential() {
        for pointer in Self.fine {
            for isSmall in [false, true] {
                let worst = Self.worst(pointer, isSmall: isSmall, until: 200, Self.fading) { $0.worst(from: 0) }
                #expect(worst <= 150e-6, "\(pointer) \(isSmall)")
            }
        }
    }

    @Test("a fine pointer: a slip that nobody reports is corrected within two seconds", arguments: [0.4e-3, -1.4e-3])
    func slip(seconds: Double) {
        for pointer in Self.fine {
            for isSmall in [false, true] {
                let worst = Self.worst(pointer, isSmall: isSmall, until: 30) {
                    $0 > 0 ? seconds : 0
                } _: {
                    $0.worst(from: 2)
                }
                #expect(worst <= 100e-6, "\(pointer) \(isSmall)")
            }
        }
    }

    @Test("a coarse pointer: a slew of 100 ppm for 30 s puts no boundary more than 400 us off", arguments: [1.0, -1])
    func coarseSlew(sign: Double) {
        for isSmall in [false, true] {
            let slew = Self.slew(sign * 100e-6, for: 30)
            let worst = Self.worst(.coarse, isSmall: isSmall, until: 60, slew) { $0.worst(from: 0) }
            #expect(worst <= 400e-6, "\(isSmall)")
        }
    }

    @Test(
        "behind a sound server, a slew of 100 ppm for 30 s puts no boundary more than 1.5 ms off, and 10 s later boundaries are off by less than estimates scatter",
        arguments: [0.05, 0.3, 1, 2])
    func server(wander: Double) {
        for isSmall in [false, true] {
            for sign in [1.0, -1] {
                var after: [Double] = []
                let slewed = Self.worst(
                    .server(wander), isSmall: isSmall, until: 60, Self.slew(sign * 100e-6, for: 30)
                ) {
                    after.append($0.meanSquare(from: 40))
                    return $0.worst(from: 0)
                }
                #expect(slewed <= 1.5e-3, "\(isSmall) \(sign)")
                let mean = after.reduce(0, +) / Double(after.count)
                #expect(mean <= 9e-8, "\(isSmall) \(sign)")
            }
        }
    }

    @Test("behind a sound server, a slip of 4 ms is corrected within two seconds", arguments: [0.05, 0.3, 1, 2])
    func serverSlip(wander: Double) {
        for isSmall in [false, true] {
            for seconds in [4e-3, -4e-3] {
                let slipped = Self.worst(.server(wander), isSmall: isSmall, until: 60) {
                    $0 > 0 ? seconds : 0
                } _: {
                    $0.worst(from: 2)
                }
                #expect(slipped <= 0.8e-3, "\(isSmall) \(seconds)")
            }
        }
    }

    @Test(
        "behind a sound server, a crystal that changes for good is followed, and so is a slew that fades",
        arguments: [0.05, 0.3, 1, 2])
    func serverCrystal(wander: Double) {
        for isSmall in [false, true] {
            var after: [Double] = []
            let worst = Self.worst(.server(wander), isSmall: isSmall, until: 200, Self.slew(100e-6)) {
                after.append($0.meanSquare(from: 60))
                return $0.worst(from: 0)
            }
            #expect(worst <= 1.5e-3, "\(isSmall)")
            let mean = after.reduce(0, +) / Double(after.count)
            #expect(mean <= 4e-8, "\(isSmall)")
            let faded = Self.worst(.server(wander), isSmall: isSmall, until: 200, Self.fading) { $0.worst(from: 0) }
            #expect(faded <= 1.5e-3, "\(isSmall)")
        }
    }

    @Test("a crystal that changes for good by 100 ppm is followed as a slew is", arguments: [1.0, -1])
    func crystal(sign: Double) {
        for pointer in Self.fine {
            var after = 0.0
            let worst = Self.worst(pointer, isSmall: false, until: 200, Self.slew(sign * 100e-6)) {
                after = max(after, $0.worst(from: 60))
                return $0.worst(from: 0)
            }
            #expect(worst <= 150e-6 && after <= 40e-6, "\(pointer)")
        }
    }

    @Test(
        "what is observed later tells when a boundary was heard, also where the clock turns between two looks",
        arguments: [100e-6, -100e-6, 500e-6, -500e-6])
    func observed(rate: Double) {
        for pointer in Self.fine {
            for isSmall in [false, true] {
                for phase in [0, 0.13, 0.26] {
                    let worst = Self.worst(pointer, isSmall: isSmall, until: 60) {
                        rate * min(max($0 - phase, 0), 30)
                    } _: {
                        $0.worstLog
                    }
                    #expect(worst <= 30e-6, "\(pointer) \(isSmall) \(phase)")
                }
            }
        }
    }

    @Test("what is observed later is as good as ever while a clock is steady")
    func observedSteady() {
        for pointer in Self.fine {
            for isSmall in [false, true] {
                let steady = Self.worst(pointer, isSmall: isSmall, until: 60, { _ in 0 }) { $0.worstLog }
                #expect(steady <= 20e-6, "\(pointer) \(isSmall)")
            }
        }
    }

    @Test("steady cards do not turn for hours, however they scatter")
    func steady() {
        for pointer in Self.fine + [.coarse] {
            for isSmall in [false, true] {
                let play = TurningClock(pointer, isSmall: isSmall, seed: 7).play(until: 3600)
                #expect(play.model.turns == 0 && play.model.anchors == 1, "\(pointer) \(isSmall)")
            }
        }
    }

    @Test(
        "steady servers seem to turn once in an hour at most, and their boundaries stay in place",
        arguments: [(0.05, 0.1e-3), (0.3, 0.1e-3), (1, 0.1e-3), (2, 0.15e-3)])
    func steadyServer(wander: Double, scatter: Double) {
        for isSmall in [false, true] {
            let play = TurningClock(.server(wander), isSmall: isSmall, seed: 7).play(until: 3600)
            #expect(play.model.turns <= 1 && play.model.anchors == 1, "\(isSmall)")
            #expect(play.meanSquare(from: 0) < scatter * scatter, "\(isSmall)")
        }
    }
}
