internal import CDrone
internal import CSystemd
internal import Dispatch
internal import Glibc
internal import Languages
internal import Logging
internal import Synchronization
internal import SystemPackage

/// Asks RealtimeKit for real-time priority, because many systems give it to no user directly. Desktops have
/// RealtimeKit, and sound servers ask it, too (https://git.0pointer.net/rtkit.git, README).
///
/// The request is made on another queue, and nobody waits for the answer.
package final class RealtimeKit: Sendable {
    private let state = Atomic(false)
    private let thread: Int64

    /// Whether the thread has been given the priority.
    var isGranted: Bool { state.load(ordering: .relaxed) }

    private static let service = "org.freedesktop.RealtimeKit1"
    private static let path = "/org/freedesktop/RealtimeKit1"
    /// The priority to ask for, no higher than what the clients of PipeWire and PulseAudio ask for.
    private static let priority: UInt32 = 10
    /// How long it may take to answer, in µs.
    private static let patience: UInt64 = 2_000_000

    /// Asks for priority for a thread of this program, given by its id (gettid).
    init(thread: Int64) {
        self.thread = thread
        DispatchQueue.global(qos: .utility).async { [self] in ask() }
    }

    deinit { drone_forget_realtime(thread) }

    private func ask() {
        let logger = Logger(label: "barline.card")
        guard drone_prepare_realtime(thread) else { return }
        let reason = Self.request(thread)
        state.store(reason == nil, ordering: .relaxed)
        if let reason {
            drone_forget_realtime(thread)
            logger.debug("no real-time priority", metadata: ["RealtimeKit": "\(reason)"])
        } else {
            logger.debug("real-time priority by RealtimeKit")
        }
    }

    /// Why it gives the program's first thread no priority; nil if it does, which is given back. Waits for the answer.
    package static func refusal() -> String? {
        let thread = Int64(getpid())
        guard drone_prepare_realtime(thread) else {
            return localized("the limit of real-time processor time cannot be set")
        }
        defer { drone_forget_realtime(thread) }
        if let reason = request(thread) { return reason }
        guard drone_give_back_realtime(thread) else { return Errno(rawValue: errno).reason }
        return nil
    }

    /// Asks; nil if the priority was given, otherwise the reason why not.
    private static func request(_ thread: Int64) -> String? {
        var library = csystemd()
        guard csystemd_load(&library) else { return localized("there is no libsystemd") }
        var bus: OpaquePointer?
        let opened = library.open_system(&bus)
        guard opened >= 0, let bus else { return Errno(rawValue: -opened).reason }
        defer { _ = library.flush_close_unref(bus) }
        var message: OpaquePointer?
        let made = library.message_new_method_call(
            bus, &message, Self.service, Self.path, Self.service, "MakeThreadRealtime")
        guard made >= 0 else { return Errno(rawValue: -made).reason }
        defer { _ = library.message_unref(message) }
        var (thread, priority) = (UInt64(bitPattern: thread), Self.priority)
        _ = library.message_append_basic(message, CChar(UInt8(ascii: "t")), &thread)
        _ = library.message_append_basic(message, CChar(UInt8(ascii: "u")), &priority)
        var reply: OpaquePointer?
        let status = library.call(bus, message, Self.patience, nil, &reply)
        _ = library.message_unref(reply)
        return status < 0 ? Errno(rawValue: -status).reason : nil
    }
}
