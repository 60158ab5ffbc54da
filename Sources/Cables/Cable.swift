package import Playback

/// A cable to other machines: an actor with a thread of its own, of ordinary priority. However long sending takes, the music
/// never waits for it.
package protocol Cable: Stepping {
    /// The newest status of the performance.
    var newest: Status? { get set }
}

extension Cable {
    /// Takes a status of the performance. From any thread.
    package nonisolated func take(_ status: Status) {
        thread.call {
            self.assumeIsolated { $0.newest = status }
            self.thread.wake()
        }
    }
}
