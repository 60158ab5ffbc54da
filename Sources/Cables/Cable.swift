internal import Glibc
package import Playback

/// A cable to other machines: an actor with a thread of its own, of ordinary priority. However long sending takes, the music
/// never waits for it.
package protocol Cable: Actor {
    nonisolated var thread: OwnThread { get }
    /// The newest status of the performance.
    var newest: Status? { get set }
    /// Whether the performance is over, and the next step is the last one.
    var isOver: Bool { get set }
    /// Sends what is due; returns when to look again, nil after the last step.
    func step() -> Duration?
}

extension Cable {
    /// Takes a status of the performance. From any thread.
    package nonisolated func take(_ status: Status) {
        thread.call {
            self.assumeIsolated { $0.newest = status }
            self.thread.wake()
        }
    }

    /// Sends until `end` is called.
    package func run() async {
        await withCheckedContinuation { end in
            thread.loop(end, alsoAt: nil) { self.assumeIsolated { $0.step() } }
        }
    }

    /// Tells that the performance is over, and ends. From any thread.
    package nonisolated func end() {
        thread.call {
            self.assumeIsolated { $0.isOver = true }
            self.thread.wake()
        }
    }
}
