internal import CJack

/// A client of a JACK server. Its functions may be called from any thread.
package protocol JackClient: Sendable {
    /// Whether the server has gone away.
    var isGone: Bool { get }
    /// Frames per second, and frames in a period.
    var rate: Int { get }
    var period: Int { get }
    /// The transport in the newest period.
    var transport: JackReport { get }
    /// The frames of the server now, and when that is: CLOCK_MONOTONIC in ns.
    var now: (frame: UInt32, time: Int64) { get }
    /// Asks the server to start or stop the transport, or to move it to a frame.
    func start()
    func stop()
    func locate(_ frame: UInt32)
    /// Promises to be ready for a start, so that the transport rolls from this frame of the server on, the first of a period.
    func promise(_ start: UInt16, from frame: UInt32)
}

/// Where the transport of a server is.
package struct JackReport: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        case stopped
        /// It is about to roll, and waits for Barline.
        case starts
        /// It is about to roll, and may wait for other programs.
        case ready
        case rolls
    }

    package var state: State
    /// Its frame. While it rolls: how many frames it is ahead of the frames of the server, modulo 2^32.
    package var frame: UInt32
    /// The number of the start that it is about to make, or made last.
    package var start: UInt16
    /// The first frame of the newest period, by the frames of the server.
    package var periodBegin: UInt32

    package init(_ state: State, _ frame: UInt32, start: UInt16 = 0, periodBegin: UInt32 = 0) {
        (self.state, self.frame, self.start, self.periodBegin) = (state, frame, start, periodBegin)
    }
}

/// A client by libjack.
///
/// @unchecked Sendable: the pointer never changes, and the functions of cjack.h may be called from any thread, but for closing,
/// which `deinit` does when nobody else has the client any more.
final class LibJack: JackClient, @unchecked Sendable {
    private let jack: OpaquePointer

    /// nil if no server runs, or the library is missing. It may take seconds.
    init?() {
        guard let jack = cjack_open("barline") else { return nil }
        self.jack = jack
    }

    deinit { cjack_close(jack) }

    /// Whether sound may go through clients of JACK that ALSA has in this process.
    static var isShared: Bool { cjack_is_shared() }

    var isGone: Bool { cjack_is_gone(jack) }
    var rate: Int { Int(cjack_rate(jack)) }
    var period: Int { Int(cjack_period(jack)) }

    var transport: JackReport {
        let now = cjack_read(jack)
        let state: JackReport.State =
            switch now.state {
            case CJACK_ROLLS: .rolls
            case CJACK_STARTS: .starts
            case CJACK_READY: .ready
            default: .stopped
            }
        return JackReport(state, now.frame, start: now.start, periodBegin: now.period_begin)
    }

    var now: (frame: UInt32, time: Int64) {
        let now = cjack_now(jack)
        return (now.frame, now.time_ns)
    }

    func start() { cjack_start(jack) }
    func stop() { cjack_stop(jack) }
    func locate(_ frame: UInt32) { cjack_locate(jack, frame) }
    func promise(_ start: UInt16, from frame: UInt32) { cjack_promise(jack, start, frame) }
}
