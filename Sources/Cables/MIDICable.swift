package import Playback
package import SystemPackage

/// Tells machines by MIDI what is played. It fills a queue of ALSA's sequencer a second ahead: the system sends what is in it,
/// however late the thread is.
package actor MIDICable: Cable {
    /// What happens to the cable.
    package enum Happening: Sendable, Equatable {
        /// The sequencer cannot be used.
        case isAway(Errno)
        /// A port is not there.
        case isMissing(String)
        /// Messages were lost, because there were too many.
        case isFull
    }

    package nonisolated let thread = OwnThread()
    private var plan: MIDIPlan
    private let ports: [String]
    private let say: @Sendable (Happening) -> Void
    private let sent: @Sendable (_ arrives: Bool) -> Void
    private var sequencer: MIDISequencer?
    private var newest: Status?
    /// When the sequencer and the ports are looked after next.
    private var lookAt = Int64.min
    /// The faults that have been said and are not over.
    private var said: [Happening] = []
    package var isOver = false

    /// How often it looks whether the ports are there, in ns.
    private static let look: Int64 = 1_000_000_000
    /// A clock of the queue that has moved by more is followed anew, in ns.
    private static let moved: Int64 = 50_000

    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// Makes a cable to the ports that are meant, see `MIDIPort`. Without one, others connect to its own port. `say` is
    /// called when something is amiss, once each time; `sent` as often as something is queued, or cannot be.
    package init(
        to ports: [String], _ options: MIDIPlan.Options, say: @escaping @Sendable (Happening) -> Void,
        sent: @escaping @Sendable (_ arrives: Bool) -> Void
    ) {
        (self.ports, self.say, self.sent) = (ports, say, sent)
        plan = MIDIPlan(options)
    }

    /// Takes up another performance. From any thread.
    package nonisolated func begin() { thread.call { self.assumeIsolated { $0.finish() } } }

    package func follow(_ status: Status) {
        newest = status
        plan.take(status, at: monotonicNanoseconds())
    }

    package func step() -> Duration? {
        guard !isOver else {
            finish()
            sequencer = nil
            return nil
        }
        let now = monotonicNanoseconds()
        if now >= lookAt {
            lookAfterPorts()
            if !said.isEmpty { sent(false) }
            lookAt = now + MIDICable.look
        }
        guard let sequencer, let newest else { return .nanoseconds(MIDICable.look) }
        if abs(sequencer.measure()) > MIDICable.moved { plan.replan() }
        let step = plan.step(newest, at: monotonicNanoseconds())
        if let moment = step.takesBack { sequencer.takeBack(after: moment) }
        var isWhole = true
        for event in step.events where !sequencer.add(event) { isWhole = false }
        note(.isFull, if: !isWhole)
        if !step.events.isEmpty { sent(said.isEmpty) }
        return .nanoseconds(max(min(step.next, lookAt) - monotonicNanoseconds(), 1_000_000))
    }

    /// Opens the sequencer and connects its port, if that has not been done or has come undone.
    private func lookAfterPorts() {
        if sequencer == nil {
            do throws(Errno) {
                sequencer = try MIDISequencer()
                plan.restart()
                said.removeAll { if case .isAway = $0 { true } else { false } }
            } catch {
                return note(.isAway(error), if: true)
            }
        }
        for port in ports {
            // All begin anew together, so that nothing arrives at the new one from the middle of something.
            guard let isConnected = sequencer?.connect(to: port, prepare: clear) else { continue }
            note(.isMissing(port), if: !isConnected)
        }
    }

    /// Says something once, until it is over.
    private func note(_ happening: Happening, if isAmiss: Bool) {
        if isAmiss, !said.contains(happening) {
            said.append(happening)
            say(happening)
        } else if !isAmiss {
            said.removeAll { $0 == happening }
        }
    }

    /// Ends what was sent of a performance.
    private func finish() {
        newest = nil
        clear()
    }

    /// Takes everything back from the queue, and stops the machines.
    private func clear() {
        let messages = plan.end(at: monotonicNanoseconds())
        guard let sequencer else { return }
        sequencer.takeBack(after: .min / 2)
        for message in messages { sequencer.send(message) }
    }
}
