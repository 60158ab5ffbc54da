import Playback
import Synchronization
import Testing
import Timing

extension ConductorTests {
    @Test("what a microphone hears of the last bars after the end of the music is in the last status")
    func hearsOut() async throws {
        let later = Mutex<Conductor?>(nil)
        let bar = Timeline(Self.score)[0]
        let (conductor, output) = Self.conductor { _ in
        } options: { options in
            options.hearOut = {
                let conductor = later.withLock { $0 }
                for number in 1...2 { conductor?.hear(Status.Heard(number: number, bar: bar, late: .zero)) }
            }
        }
        later.withLock { $0 = conductor }
        let running = Task { try await conductor.run() }
        var last: Status?
        for await status in conductor.statuses {
            last = status
            output.heard.withLock { $0 += 96_000 }
            await conductor.perform(.speed(change: 0))
        }
        try await running.value
        #expect(last?.hasEnded == true && last?.lastHeard.map(\.number) == [1, 2])
        #expect(await conductor.status?.heard?.number == 2)
    }
}
