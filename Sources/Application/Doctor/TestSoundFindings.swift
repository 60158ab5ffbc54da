internal import Languages
internal import Playback
internal import Scores
internal import Timing

extension Finding {
    /// Plays four clicks over a short drone, and tells what became of them.
    static func testSound(_ device: String) async -> [Finding] {
        let subject = localized("test sound")
        let bars = [Score.Bar](repeating: Score.Bar(.milliseconds(500)), count: 4)
        let score = Score(drone: Score.Drone(notes: [Score.Drone.Note(.b4)]), lines: [Score.Line(bars: bars)])
        let performance = Performance(of: score, passage: Passage(Timeline(score), passes: 1))
        let (heard, told) = AsyncStream.makeStream(of: Void.self)
        var options = Conductor.Options()
        options.heard = { boundary in if boundary.isHeard { told.yield() } }
        let card: Card
        do throws(CardError) { card = try Card(device) } catch {
            return [.problem(subject, error.description, advice: localized("try again, or choose another device"))]
        }
        let conductor = Conductor(performance, output: card, sound: .device(device), options: options)
        do throws(EngineError) { try await conductor.run() } catch {
            return [.problem(subject, "\(error)", advice: localized("free some memory, and try again"))]
        }
        let status = await conductor.status
        if case .lost(_, let reason) = status?.sound {
            let seen = localized("the device was lost: \(reason)")
            return [.problem(subject, seen, advice: localized("connect it again"))]
        }
        told.finish()
        var clicks = 0
        for await _ in heard { clicks += 1 }
        let xruns = status?.xruns ?? 0
        let played =
            clicks == bars.count
            ? good(
                subject, localized("\(clicks) clicks and a drone have been played"),
                advice: localized(
                    "if you heard nothing, something after the device is muted: look at `alsamixer` (M unmutes), the "
                        + "volume of the desktop and the cable, or try another `--device`"))
            : problem(
                subject, localized("the device played only \(clicks) of \(bars.count) clicks"),
                advice: localized(
                    "see 'real-time priority' below, close programs that keep the machine busy, and try again"))
        guard xruns > 0 else { return [played] }
        return [
            played,
            note(
                subject, localized("the device ran dry \(xruns) times"),
                advice: localized("see 'real-time priority' below")),
        ]
    }
}
