package import Timing

/// Records a take on a thread of its own, of ordinary priority: the audio thread has nothing to do with it.
package actor TakeRecorder: Stepping {
    package nonisolated let thread = OwnThread()
    private let take: Take
    package var isOver = false

    /// The actor's own thread.
    package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.executor }

    /// How often the microphone is read, on average: its buffer holds two seconds.
    private static let pause = Duration.milliseconds(50)

    package init(_ take: sending Take) { self.take = take }

    /// Records what has come, until `finish` is called or the take has ended by itself.
    package func step() -> Duration? {
        guard !isOver, take.step(at: monotonicNanoseconds()) else { return nil }
        return take.microphone.pause(about: TakeRecorder.pause)
    }

    /// Takes a boundary. From any thread.
    package nonisolated func add(_ row: TimingRow, heard: Double) {
        thread.call { self.assumeIsolated { $0.take.add(row, heard: heard) } }
    }

    /// Takes clicks that are final. From any thread.
    package nonisolated func expect(_ clicks: [DueClick], before time: Double) {
        thread.call { self.assumeIsolated { $0.take.expect(clicks, before: time) } }
    }

    /// Hears what has been recorded until now to its end, once the music is over. What its ear tells has been told then.
    package func hearOut() { take.hearOut(at: monotonicNanoseconds()) }

    /// Ends the recording, and keeps its files. Returns why it had ended by itself before, if it had, and the path that it got,
    /// if any. Errors: they cannot be written.
    package func finish() throws(RenderError) -> (ended: Take.News?, kept: String?) {
        isOver = true
        thread.wake()
        let kept = try take.finish(at: monotonicNanoseconds())
        return (take.ended, kept)
    }
}
