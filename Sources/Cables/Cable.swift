package import Playback

/// A cable to other machines: an actor with a thread of its own, of ordinary priority. However long sending takes, the music
/// never waits for it.
package protocol Cable: Stepping {
    /// Takes up a status of the performance, on the cable's thread. None is left out, even if the thread is late.
    func follow(_ status: Status)
}

extension Cable {
    /// Takes a status of the performance. From any thread.
    package nonisolated func take(_ status: Status) {
        thread.call {
            self.assumeIsolated { $0.follow(status) }
            self.thread.wake()
        }
    }
}
