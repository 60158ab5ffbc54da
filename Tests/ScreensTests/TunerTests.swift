import Glibc
import Playback
import Scores
import Screens
import Testing
import Timing

@Suite("A tuner")
struct TunerTests {
    private func heard(_ hertz: Double, drones: [Double] = [], _ tuning: Tuning = Tuning(), a4: Double = 440)
        -> HeardPitch
    {
        HeardPitch(hertz: hertz, isSure: true, tuning: tuning, a4: a4, drones: drones)
    }

    @Test("a pitch is told against the nearest note of the tuning")
    func notes() {
        for note in 30...100 {
            for cents in [-49.0, -20, -0.1, 0, 3, 49] {
                let found = heard(442 * exp2((Double(note) - 69) / 12 + cents / 1200), a4: 442)
                #expect(found.note == note && abs(found.cents - cents) < 1e-6)
            }
        }
        #expect(heard(493.883).name == "B4" && heard(466.164).name == "Bb4")
        // A pure third above C in just intonation is 14 cents below that of equal temperament.
        let pure = Tuning(.temperament(.just))
        let c = pure.frequency(of: .note(60, cents: 0), a4: 440)
        #expect(abs(heard(c * 5 / 4, pure).cents) < 1e-6 && heard(c * 5 / 4, pure).note == 64)
    }

    @Test("a pitch is told against the purest interval over the drone, in every octave")
    func intervals() throws {
        let drone = 493.883
        for (over, under, cents) in [
            (3, 2, 2.0), (5, 4, -7), (1, 1, 0), (2, 1, 1), (1, 2, -3), (3, 4, 4), (5, 2, 0), (15, 8, 9), (1, 4, 1),
            (8, 3, 5),
        ] {
            let hertz = drone * Double(over) / Double(under) * exp2(cents / 1200)
            let interval = try #require(heard(hertz, drones: [drone]).interval)
            #expect(interval.over == over && interval.under == under, "\(over):\(under) is not \(interval)")
            #expect(abs(interval.cents - cents) < 1e-6)
        }
        // Of two drones, the simpler interval counts.
        let both = try #require(heard(drone * 1.5, drones: [drone * 1.5 / 1.25, drone]).interval)
        #expect(both.note == 1 && both.over == 3 && both.under == 2)
        #expect(heard(drone).interval == nil)
    }

    @Test("a strobe stands still when it is right, and turns once for each beat with its target")
    func strobe() {
        var setting = Tuner.Setting()
        setting.drones = [440.0 / 1.5]
        func turned(_ hertz: Double) -> (Double, Double) {
            var tuner = Tuner()
            var last = (0.0, 0.0)
            var sum = (0.0, 0.0)
            for _ in 0..<100 {
                tuner.take(hertz, isSure: true, for: 0.01, setting)
                func step(_ now: Double, _ before: Double) -> Double {
                    let turn = now - before
                    return turn - turn.rounded()
                }
                sum = (sum.0 + step(tuner.noteTurns, last.0), sum.1 + step(tuner.intervalTurns, last.1))
                last = (tuner.noteTurns, tuner.intervalTurns)
            }
            return sum
        }
        #expect(turned(440) == (0, 0))
        for beats in [-5.0, -0.3, 1, 2.5] {
            let (note, interval) = turned(440 + beats)
            #expect(abs(note - beats) < 1e-6 && abs(interval - beats) < 1e-6)
        }
        // Too fast for the eye, it turns at most six times a second.
        #expect(abs(turned(452).0 - 6) < 1e-6)
    }

    @Test("a note stays for a moment after it has ended, and its length is counted")
    func afterglow() {
        var tuner = Tuner()
        let setting = Tuner.Setting()
        for _ in 0..<50 { tuner.take(440, isSure: true, for: 0.01, setting) }
        #expect(abs(tuner.length - 0.5) < 1e-9)
        for _ in 0..<60 { tuner.take(nil, isSure: false, for: 0.01, setting) }
        #expect(tuner.heard?.name == "A4")
        for _ in 0..<20 { tuner.take(nil, isSure: false, for: 0.01, setting) }
        #expect(tuner.heard == nil && tuner.length == 0)
        tuner.take(494, isSure: true, for: 0.01, setting)
        #expect(abs(tuner.length - 0.01) < 1e-9)
    }

    @Test("words say in which direction a note is off, and that one is unsure")
    func words() {
        func text(_ cents: Double, _ isSure: Bool = true) -> String {
            let hertz = 440 * exp2(cents / 1200)
            return HeardPitch(hertz: hertz, isSure: isSure, tuning: Tuning(), a4: 440, drones: []).text
        }
        #expect(text(1.9) == "A4, in tune" && text(-1.9) == "A4, in tune")
        #expect(text(3.2) == "A4, 3 cents sharp" && text(-12.7) == "A4, 13 cents flat")
        #expect(text(0, false) == "A4, unsure: the drone has the same pitch")
    }

    private func status() -> Status {
        var performance = Status.of().performance
        performance.drone = Score.Drone(notes: [Score.Drone.Note(.b4)])
        return Status(
            performance: performance, anchor: Anchor(speed: .asWritten), countsTo: nil, pause: nil, zeroHeard: 0,
            sound: .device("test"))
    }

    private func rows(_ hertz: [Double], isSure: Bool = true, columns: Int = 80, rows: Int = 24) -> [String] {
        var tuner = Tuner()
        let setting = Tuner.Setting(status().performance)
        for hertz in hertz { tuner.take(hertz, isSure: isSure, for: 0.05, setting) }
        return TuneView(tuner, status()).canvas((columns, rows)).text
    }

    @Test(
        "the picture has the note, a needle in its place, and stripes that move to the right if it is sharp",
        arguments: [(80, 24), (100, 30), (40, 10)])
    func picture(columns: Int, height: Int) throws {
        let right = rows([740.82], columns: columns, rows: height)
        #expect(right.count == height && right.allSatisfy { $0.count <= columns })
        #expect(right[0].contains("drone B4 493.88 Hz") && right[0].hasSuffix("A4 440.0 Hz"))
        #expect(
            right.contains { $0.contains("F#5  740.82 Hz") }
                && right.contains {
                    $0.contains("3:2 over B4, 0.0 cents") || $0.contains("3:2 over B4, +0.0 cents")
                        || $0.contains("3:2 over B4, -0.0 cents")
                })
        #expect(right.last?.contains("F#5, in tune") == true && right.contains { $0.contains("●") })
        let low = rows([740.82 * exp2(-30.0 / 1200)], columns: columns, rows: height)
        let needle = try #require(low.first { $0.contains("▼") })
        let place = needle.distance(from: needle.startIndex, to: try #require(needle.firstIndex(of: "▼")))
        #expect(place < columns / 3)
        // After a sixteenth of a turn, the stripes are one column further to the right.
        func stripes(_ rows: [String]) -> [String] { rows.filter { $0.contains("████") } }
        let steady = stripes(right)
        let sharp = stripes(rows([740, 739.99 + 1.25 + 0.01], columns: columns, rows: height))
        #expect(!steady.isEmpty && steady.count == sharp.count && steady != sharp)
        #expect(steady == stripes(rows([739.99], columns: columns, rows: height)))
    }

    @Test("where there is no room for both, the drone is shown without A4")
    func narrow() {
        var status = status()
        status.performance.drone?.timbre.waveform = .reedOrgan
        let text = TuneView(Tuner(), status).canvas((40, 10)).text
        #expect(text[0] == "drone B4 493.88 Hz reed-organ")
        #expect(TuneView(Tuner(), status).canvas((80, 24)).text[0].hasSuffix("A4 440.0 Hz"))
    }

    @Test("a note that is not sure has no needle and gray stripes, and without a note the picture asks for one")
    func unsure() {
        let unsure = rows([493.88], isSure: false)
        #expect(unsure.contains { $0.contains("unsure") } && !unsure.contains { $0.contains("●") || $0.contains("█") })
        #expect(rows([]).contains { $0.contains("play a note") })
    }

    @Test("the partials of the drone are those of its waveform")
    func partials() {
        var performance = status().performance
        #expect(Tuner.Setting(performance).partials.count == 1)
        performance.drone?.timbre.waveform = .reedOrgan
        let partials = Tuner.Setting(performance).partials
        #expect(partials.count == 24 && abs(partials[1] - 987.77) < 0.01)
        performance.isDroneMuted = true
        #expect(Tuner.Setting(performance).partials.isEmpty && Tuner.Setting(performance).drones.isEmpty)
    }
}
