package import Playback
internal import Score
internal import Synchronization
package import Timing

#if canImport(Glibc)
    import Glibc
#endif

/// What came of playing on a virtual card.
package struct SimulatedPlay: Sendable {
    /// The timing log.
    package var rows: [TimingRow] = []
    /// What the converter played.
    package var heard: [(position: FramePosition, time: Double)] = []
    /// The second from which the log counts.
    package var origin = 0.0
    /// The last status.
    package var status: Status?
    /// Every status, with the second at which it was there.
    package var statuses: [(time: Double, status: Status)] = []
    package var learnt: CardMemory.Entry?
    package var tones: [Event] = []
    package var wakes = 0

    /// A boundary as it was heard: when it was due, and by how much it came late, both in seconds.
    package struct Heard: Sendable {
        package var index: Int
        package var due: Double
        package var deviation: Double
    }

    /// Every boundary that the log calls heard, beside what the converter played.
    package var boundaries: [Heard] {
        zip(rows.filter { !$0.flags.contains(.lost) }, heard).map { row, heard in
            Heard(index: row.index, due: row.nominal.seconds, deviation: heard.time - origin - row.nominal.seconds)
        }
    }

    /// Mean, root mean square about it, and the furthest from it.
    package static func spread(_ heard: [Heard]) -> (offset: Double, rms: Double, max: Double) {
        let offset = heard.map(\.deviation).reduce(0, +) / Double(heard.count)
        let about = heard.map { $0.deviation - offset }
        return (offset, sqrt(about.map { $0 * $0 }.reduce(0, +) / Double(about.count)), about.map(abs).max() ?? 0)
    }

    /// Plays a performance on a card, with commands at seconds since the beginning, until `seconds` or its end.
    package static func run(
        _ performance: Performance, on device: VirtualCard.Device, for seconds: Double = .infinity,
        options: Conductor.Options = Conductor.Options(), commands: [(Double, Command)] = [],
        keepsStatuses: Bool = false
    ) async throws -> SimulatedPlay {
        let log = RowLog()
        var options = options
        options.log = { log.append($0) }
        let conductor = Conductor(performance, output: VirtualCard(device), sound: .device("virtual"), options: options)
        let began = device.now
        try await conductor.begin()
        var rest = commands[...]
        var play = SimulatedPlay()
        while device.now - began < seconds, let pause = await conductor.step() {
            let next = rest.first.map { $0.0 - (device.now - began) } ?? .infinity
            if next <= 1e-9 {
                await conductor.perform(rest.removeFirst().1)
                continue
            }
            if keepsStatuses, let status = await conductor.status { play.statuses.append((device.now, status)) }
            device.pass(min(pause.seconds, next))
        }
        play.status = await conductor.status
        play.rows = log.rows
        play.heard = device.heard
        play.origin = (await conductor.origin ?? 0) * 1e-9
        play.learnt = await conductor.learnt
        play.tones = device.tones
        play.wakes = device.wakes
        return play
    }
}

/// Rows as they come.
private final class RowLog: Sendable {
    private let kept = Mutex<[TimingRow]>([])
    package var rows: [TimingRow] { kept.withLock { $0 } }
    func append(_ row: TimingRow) { kept.withLock { $0.append(row) } }
}

extension Duration {
    package var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

extension FramePosition {
    package func isNear(_ other: FramePosition) -> Bool {
        abs(Double(frame - other.frame) + fraction - other.fraction) <= 1e-6
    }
}
