import Testing
import Timing

@Suite("Patient clock")
struct PatientClockTests {
    /// A card whose pointer moves every 4 ms, looked at about every 20 ms for six seconds, and what a model says of its rate.
    private static func rates(phase: Double, ppm: Double, patiently: Bool) -> Double {
        var patient = PatientClock(nominalRate: 48_000, noise: 10e-6, wanders: false)
        var hasty = ClockModel(nominalRate: 48_000)
        var (time, look) = (0.0, 0)
        while time < 6 {
            look += 1
            let (steps, ns) = (((time + phase) / 0.004).rounded(.down), Int64(time * 1e9))
            let seen = ClockObservation(time: ns, frame: Int64(steps * 192 * (1 + ppm * 1e-6)))
            patient.observe(seen)
            hasty.observe(seen)
            time += 0.02 * (0.5 + (Double(look) * 0.618034).truncatingRemainder(dividingBy: 1))
        }
        return (patiently ? patient.model : hasty).deviationPPM - ppm
    }

    @Test("of a pointer that moves every 4 ms it tells the rate much better than a model that believes at once")
    func steps() {
        func worst(patiently: Bool) -> Double {
            (0..<40).reduce(0.0) { worst, number in
                let ppm = Double(number * 10 % 100) - 50
                return max(worst, abs(Self.rates(phase: Double(number) * 0.0001, ppm: ppm, patiently: patiently)))
            }
        }
        let (patient, hasty) = (worst(patiently: true), worst(patiently: false))
        #expect(patient < 100, "\(patient)")
        #expect(hasty > 2 * patient, "\(hasty), \(patient)")
    }

    @Test("it has no observation before a second has passed, unless it is told to settle")
    func patience() {
        var clock = PatientClock(nominalRate: 48_000, noise: 10e-6, wanders: false)
        for look in Int64(0)..<50 {
            clock.observe(ClockObservation(time: look * 20_000_000, frame: look * 960))
            // An observation twice is one.
            clock.observe(ClockObservation(time: look * 20_000_000, frame: look * 960))
            #expect(!clock.model.isSettled)
        }
        var settled = clock
        settled.settle()
        #expect(settled.model.isSettled && settled.model.count == 50)
        clock.observe(ClockObservation(time: 1_000_000_000, frame: 48_000))
        #expect(clock.model.isSettled && clock.model.count == 51)
        #expect(abs(clock.model.deviationPPM) < 1)
    }

    @Test("after a restart in its first second it begins anew, and later it keeps the rate")
    func restart() {
        var clock = PatientClock(nominalRate: 48_000, noise: 10e-6, wanders: false)
        let rate = 48_000 * 1.0002
        func observe(from begin: Double, to end: Double, offset: Double) {
            for look in 0..<Int((end - begin) * 50) {
                let time = begin + Double(look) * 0.02
                clock.observe(ClockObservation(time: Int64(time * 1e9), frame: Int64(time * rate + offset)))
            }
        }
        observe(from: 0, to: 0.5, offset: 0)
        clock.restart()
        observe(from: 0.6, to: 1.5, offset: 1000)
        #expect(!clock.model.isSettled)
        observe(from: 1.5, to: 8, offset: 1000)
        #expect(abs(clock.model.deviationPPM - 200) < 10)
        clock.restart()
        #expect(!clock.model.isSettled && abs(clock.model.deviationPPM - 200) < 10)
        observe(from: 9, to: 9.2, offset: -5000)
        #expect(clock.model.isSettled)
    }

    @Test("the estimates of a sound server are believed at once")
    func server() {
        var clock = PatientClock(nominalRate: 48_000, noise: 0.35e-3, wanders: true)
        for look in Int64(0)..<5 { clock.observe(ClockObservation(time: look * 20_000_000, frame: look * 960)) }
        #expect(clock.model.isSettled)
    }
}
