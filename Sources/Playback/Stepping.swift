/// An actor with a thread of its own, on which it steps again and again until it is over.
package protocol Stepping: Actor {
    nonisolated var thread: OwnThread { get }
    /// Whether the next step is the last one.
    var isOver: Bool { get set }
    /// Does what is due; returns when to look again, nil after the last step.
    func step() -> Duration?
}

extension Stepping {
    /// Steps until the last one.
    package func run() async {
        await withCheckedContinuation { end in
            thread.loop(end, alsoAt: nil) { self.assumeIsolated { $0.step() } }
        }
    }

    /// Ends. From any thread.
    package nonisolated func end() {
        thread.call {
            self.assumeIsolated { $0.isOver = true }
            self.thread.wake()
        }
    }
}
