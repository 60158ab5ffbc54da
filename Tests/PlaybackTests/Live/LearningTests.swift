import Playback
import Scores
import Testing
import Timing

@Suite("A clock that is still being learned")
struct LearningTests {
    /// Bars of a quarter of a second on a card that is 200 ppm fast, which is not known at the start.
    struct Play {
        let shared = RecordingOutput.Shared()
        let conductor: Conductor

        init() {
            conductor = Conductor(
                Score.ofMilliseconds([[Int](repeating: 250, count: 40)]).performance(),
                output: RecordingOutput(shared), sound: .device("recording"), options: Conductor.Options())
        }

        /// Advances to a frame, and observes the card there if `looks` is true.
        func step(to frame: Int64, looks: Bool = true) async {
            shared.heard.withLock { $0 = frame }
            if looks {
                let seconds: Double = Double(frame) / 48_000 / 1.0002
                let time = Int64((seconds * 1e9).rounded())
                let look = EpochObservation(clock: ClockObservation(time: time, frame: frame), epoch: 1)
                shared.observations.withLock { $0 = [look] }
            }
            _ = await conductor.step()
        }
    }

    /// The frames of the clicks after an observation at one second and `refusals` refused transactions.
    static func clicks(refusals: Int) async -> [Int64] {
        let play = Play()
        for frame in stride(from: Int64(480), through: 9_600, by: 2_400) { await play.step(to: frame) }
        play.shared.refusals.withLock { $0 = refusals }
        await play.step(to: 48_000)
        await play.step(to: 50_000, looks: false)
        #expect(play.shared.refusals.withLock { $0 } == 0)
        return play.shared.clicks
    }

    @Test("clicks are moved to a better known clock even if the first attempt came too late")
    func refused() async throws {
        let (usual, refused) = await (Self.clicks(refusals: 0), Self.clicks(refusals: 1))
        #expect(refused == usual)
        // The clock has moved: the later clicks are not where the first observations would place them.
        let first = try #require(usual.first)
        let last = try #require(usual.last)
        #expect(usual.count > 15)
        #expect((last - first) % 12_000 != 0)
    }
}
