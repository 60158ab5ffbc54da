internal import Synchronization
internal import Testing

/// Notifications on a real desktop.
@Suite struct NotifyTests {
    @Test("every interval is shown, one at a time; the stop button ends the music, and no notification remains")
    func shows() async throws {
        let (scratch, desktop) = (try Scratch(), try await Desktop.make())
        let plan = "run \"Fast & <wild>\" 0:00.4, walk 0:00.4, run 0:00.4, walk 10:00"
        let most = Mutex(0)
        let hasPressed = Mutex(false)
        let outcome = try await Program.run(
            ["play", plan, "--device", "null", "--notify", "--count-in", "0", "--no-cues"], in: scratch,
            environment: desktop.environment
        ) { _ in
            let count = try desktop.count
            most.withLock { $0 = max($0, count) }
            guard desktop.shown.contains("Walk 2 of 2, 10:00"), count == 1 else { return }
            let isFirst = hasPressed.withLock { pressed in
                defer { pressed = true }
                return !pressed
            }
            if isFirst { try desktop.press() }
        }
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        #expect(outcome.text.contains("\nstopped in walk 2 of 2"), "\(outcome.text)")
        let shown = desktop.shown
        for text in ["Fast & <wild>, 0:00.4", "Walk 1 of 2, 0:00.4", "Run, 0:00.4", "Walk 2 of 2, 10:00"] {
            #expect(shown.contains("summary: '\(text)'"))
        }
        #expect(shown.contains("then walk 0:00.4") && shown.contains("then the end"))
        #expect(shown.components(separatedBy: "summary: ").count == 5)
        #expect(shown.contains("\"stop\": \"Stop\""))
        let highest = most.withLock { $0 }
        #expect(highest == 1)
        #expect(try await desktop.left == 0)
    }

    @Test("a desktop that answers too late still shows the later intervals, and one note is printed")
    func slowDesktop() async throws {
        let (scratch, desktop) = (try Scratch(), try await Desktop.make())
        let plan = "run 0:00.4, walk 0:00.4, run 0:08"
        let hasStalled = Mutex(false)
        let outcome = try await Program.run(
            ["play", plan, "--device", "null", "--notify", "--count-in", "0", "--no-cues"], in: scratch,
            environment: desktop.environment
        ) { _ in
            let isFirst = try hasStalled.withLock { stalled in
                guard !stalled, try desktop.count == 1 else { return false }
                stalled = true
                return true
            }
            if isFirst { desktop.stall(for: .seconds(4)) }
        }
        #expect(outcome.code == 0)
        #expect(outcome.errors.hasPrefix("barline: note: desktop notifications are not available ("))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #expect(desktop.shown.components(separatedBy: "summary: ").count == 4)
        #expect(try await desktop.left == 0)
    }
}
