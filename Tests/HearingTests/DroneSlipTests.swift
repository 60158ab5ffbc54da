import Glibc
import Hearing
import Testing

/// A drone that was learned, and then comes some frames earlier or later, as after a fault of a sound card.
@Suite("A drone that slips")
struct DroneSlipTests {
    private static let rate = PitchTests.rate
    private static let drone = PitchTests.hertz(71, 0)
    private static let partials = (1...24).map { Double($0) * drone }
    /// When it slips, in samples.
    private static let cut = 5 * rate / 2

    /// Where the frames are lost: the room hears their loss at once, or its echo later.
    enum Place: CaseIterable { case recording, playing }

    private static func under(_ waveform: Waveform, _ seconds: Double, _ hertz: Double = drone) -> [Float] {
        PitchTests.tone(waveform, seconds: seconds, rate: rate, level: 0.3, nominal: hertz) { _ in hertz }
    }

    /// A sound without `lost` of its samples, which are repeated if that is negative, and with silence for `gap` samples.
    private static func slipped(_ sound: [Float], by lost: Int, gap: Int = 0) -> [Float] {
        sound[..<cut] + [Float](repeating: 0, count: gap) + sound[(cut + lost)...]
    }

    /// The sound in a room with one reflection, and with some noise.
    private static func room(_ sound: [Float], level: Float) -> [Float] {
        let late = 263
        var random = SystemlessNoise(5)
        return sound.indices.map { n in
            let echo: Float = n < late ? 0 : 0.4 * sound[n - late]
            return level * (sound[n] + echo + 0.001 * random.next())
        }
    }

    private static func frames(_ sound: [Float], partials: [Double] = partials) -> [PitchTracker.Frame] {
        var tracker = PitchTracker(rate: rate, drone: partials)
        return tracker.add(sound)
    }

    @Test("nobody is told to play, and the drone is known again within a second", arguments: Waveform.allCases)
    func alone(waveform: Waveform) {
        let sound = Self.under(waveform, 4.5)
        for (index, lost) in [1, 5, 13, 47, 480, 4800, -1, -240].enumerated() {
            for place in Place.allCases {
                let level: Float = index % 2 == 0 ? 1 : 0.1
                let heard =
                    place == .recording
                    ? Self.slipped(Self.room(sound, level: level), by: lost)
                    : Self.room(Self.slipped(sound, by: lost), level: level)
                let frames = Self.frames(heard).filter { $0.seconds > 2 }
                let told = frames.filter(\.isSure)
                #expect(told.isEmpty, "\(lost) \(place): \(told.count), \(told.first?.hertz ?? 0) Hz")
                #expect(frames.allSatisfy { $0.seconds < 3.6 || $0.path == .confirmed }, "\(lost) \(place)")
            }
        }
    }

    @Test("after silence for frames that were lost, the same", arguments: [30, 240, 800, 2400])
    func gap(length: Int) {
        for waveform in [Waveform.sine, .reedOrgan] {
            let sound = Self.slipped(Self.under(waveform, 5.5), by: length + 7, gap: length)
            #expect(Self.frames(Self.room(sound, level: 1)).allSatisfy { $0.seconds < 2 || !$0.isSure }, "\(waveform)")
        }
    }

    @Test("a chord is not taken for the low note whose harmonics it has", arguments: [1, 13, 240])
    func chord(lost: Int) {
        let notes = [PitchTests.hertz(50, 0), PitchTests.hertz(57, 0)]
        let sound = zip(Self.under(.sine, 4, notes[0]), Self.under(.sine, 4, notes[1])).map { $0 + $1 }
        let frames = Self.frames(Self.slipped(Self.room(sound, level: 0.5), by: lost), partials: notes)
        #expect(frames.allSatisfy { $0.seconds < 2 || !$0.isSure })
    }

    @Test("a note in unison a second later is told, and right", arguments: Waveform.allCases)
    func after(waveform: Waveform) {
        for (lost, cents) in [(5, 3.0), (47, -8), (480, 0)] {
            let hertz = Self.drone * exp2(cents / 1200)
            var sound = Self.slipped(Self.room(Self.under(waveform, 5.5), level: 1), by: lost)
            let begin = Self.cut + Self.rate
            let player = PitchTests.tone(.oboe, seconds: 1, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz }
            for (n, value) in player.enumerated() { sound[begin + n] += value }
            let frames = Self.frames(sound).filter { $0.seconds > 3.6 && $0.seconds < 4.5 }
            let errors = frames.filter(\.isSure).compactMap(\.hertz).map { abs(1200 * log2($0 / hertz)) }
            #expect(10 * errors.count > 9 * frames.count, "\(lost): \(errors.count) of \(frames.count)")
            #expect((errors.max() ?? 9) < 3, "\(lost): \(errors.max() ?? 0)")
        }
    }

    @Test("a note in unison is told a tenth of a second after it began, and stays so", arguments: Waveform.allCases)
    func unison(waveform: Waveform) {
        for (index, cents) in [-20, -3, 0.5, 3, 20].enumerated() {
            let hertz = Self.drone * exp2(cents / 1200)
            let begin = Self.cut + index * 11
            var sound = Self.room(Self.under(.reedOrgan, 3.5), level: 1)
            let player = PitchTests.tone(waveform, seconds: 1, rate: Self.rate, level: 0.1, nominal: hertz) { _ in hertz
            }
            for (n, value) in player.enumerated() where begin + n < sound.count { sound[begin + n] += value }
            let frames = Self.frames(sound).filter { $0.seconds > Double(begin) / Double(Self.rate) + 0.1 }
            #expect(frames.allSatisfy { $0.isSure && $0.hertz != nil }, "\(cents)")
        }
    }

    @Test("after silence for lost frames a note in unison is unsure, until the drone has been heard alone again")
    func during() {
        let player = Self.under(.oboe, 1.5, Self.drone * 1.002)
        var sound = Self.under(.reedOrgan, 7)
        for (n, value) in player.enumerated() { sound[2 * Self.rate + n] += 0.3 * value }
        let frames = Self.frames(Self.slipped(Self.room(sound, level: 1), by: 487, gap: 480))
        #expect(frames.contains { $0.isSure && $0.seconds < 2.5 })
        #expect(frames.allSatisfy { $0.seconds < 2.52 || !$0.isSure })
        #expect(frames.last?.path == .confirmed)
    }
}
