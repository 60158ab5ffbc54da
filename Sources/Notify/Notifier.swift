internal import CSystemd
internal import Dispatch
internal import Glibc
internal import SystemPackage

/// One notification on the desktop (freedesktop.org, Desktop Notifications 1.2, by sd-bus) with a Stop button: it is
/// replaced at each change and withdrawn at the end.
///
/// All of it happens on a queue of its own: whatever the desktop does, nobody waits for it. Where there is no bus or no
/// notification daemon, `onFailure` is told once, and nothing more is tried.
package final class Notifier: Sendable {
    private let queue = DispatchQueue(label: "notify")
    /// Only `queue` touches what is in it.
    private let line: Line

    /// A notifier that calls `onStop` when the button is pressed.
    package init(onStop: @escaping @Sendable () -> Void, onFailure: @escaping @Sendable (String) -> Void) {
        let line = Line(onStop, onFailure)
        self.line = line
        queue.async { [queue] in line.open(on: queue) }
    }

    /// Shows this in place of what is shown.
    package func show(_ title: String, _ text: String) {
        queue.async { [line] in line.show(title, text) }
    }

    /// Withdraws what is shown, and returns when that is done, or after half a second.
    package func withdraw() {
        let done = DispatchSemaphore(value: 0)
        queue.async { [line] in
            line.close()
            done.signal()
        }
        _ = done.wait(timeout: .now() + .milliseconds(500))
    }
}

/// The connection to the desktop.
///
/// @unchecked Sendable: every method is called on the notifier's serial queue only, as are the callbacks of sd-bus, which
/// come from within them.
private final class Line: @unchecked Sendable {
    private let onStop: @Sendable () -> Void
    private let onFailure: @Sendable (String) -> Void
    private var library = csystemd()
    private var bus: OpaquePointer?
    private var source: (any DispatchSourceProtocol)?
    /// The number that the desktop gave to what is shown; 0 for nothing.
    private var shown: UInt32 = 0
    private var hasFailed = false

    /// How long the desktop may take to answer, in µs.
    private static let patience: UInt64 = 1_000_000
    private static let (service, path) = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")

    init(_ onStop: @escaping @Sendable () -> Void, _ onFailure: @escaping @Sendable (String) -> Void) {
        (self.onStop, self.onFailure) = (onStop, onFailure)
    }

    deinit { drop() }

    func open(on queue: DispatchQueue) {
        guard csystemd_load(&library) else { return fail("there is no libsystemd") }
        let status = library.open_user(&bus)
        guard status >= 0, let bus else { return fail(-status) }
        let this = Unmanaged.passUnretained(self).toOpaque()
        for (member, handler) in [("ActionInvoked", onAction), ("NotificationClosed", onClosed)] {
            _ = library.match_signal(bus, nil, nil, Line.path, Line.service, member, handler, this)
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: library.get_fd(bus), queue: queue)
        source.setEventHandler { [weak self] in self?.process() }
        source.resume()
        self.source = source
    }

    /// Takes in what has come; after a call too, for a signal may have come with its answer.
    private func process() {
        while let bus {
            let status = library.process(bus, nil)
            // The desktop has gone away: its descriptor would call for ever.
            if status < 0 { return drop() }
            if status == 0 { return }
        }
    }

    private func drop() {
        source?.cancel()
        source = nil
        if let bus { _ = library.flush_close_unref(bus) }
        bus = nil
        shown = 0
    }

    private func fail(_ code: Int32) { fail(Errno(rawValue: code).description) }

    private func fail(_ reason: String) {
        drop()
        if !hasFailed { onFailure(reason) }
        hasFailed = true
    }

    func show(_ title: String, _ text: String) {
        guard let bus else { return }
        var message: OpaquePointer?
        guard library.message_new_method_call(bus, &message, Line.service, Line.path, Line.service, "Notify") >= 0
        else {
            return
        }
        defer { _ = library.message_unref(message) }
        append(message, "barline")
        append(message, number: UInt8(ascii: "u"), shown)
        append(message, "")
        append(message, Line.clean(title))
        append(message, Line.markup(text))
        _ = library.message_open_container(message, CChar(UInt8(ascii: "a")), "s")
        append(message, "stop")
        append(message, "Stop")
        _ = library.message_close_container(message)
        // No hints; it stays until it is replaced or withdrawn.
        _ = library.message_open_container(message, CChar(UInt8(ascii: "a")), "{sv}")
        _ = library.message_close_container(message)
        append(message, number: UInt8(ascii: "i"), 0)
        var reply: OpaquePointer?
        let status = library.call(bus, message, Line.patience, nil, &reply)
        defer { _ = library.message_unref(reply) }
        guard status >= 0 else { return fail(-status) }
        _ = library.message_read_basic(reply, CChar(UInt8(ascii: "u")), &shown)
        process()
    }

    func close() {
        guard let bus, shown != 0 else { return drop() }
        var message: OpaquePointer?
        if library.message_new_method_call(bus, &message, Line.service, Line.path, Line.service, "CloseNotification")
            >= 0
        {
            append(message, number: UInt8(ascii: "u"), shown)
            var reply: OpaquePointer?
            _ = library.call(bus, message, Line.patience / 4, nil, &reply)
            _ = library.message_unref(reply)
            _ = library.message_unref(message)
        }
        drop()
    }

    /// The button, pressed on what is shown.
    private let onAction: sd_bus_message_handler_t = { message, this, _ in
        guard let this else { return 0 }
        let line = Unmanaged<Line>.fromOpaque(this).takeUnretainedValue()
        var number: UInt32 = 0
        var action: UnsafePointer<CChar>?
        guard line.library.message_read_basic(message, CChar(UInt8(ascii: "u")), &number) > 0,
            line.library.message_read_basic(message, CChar(UInt8(ascii: "s")), &action) > 0, let action
        else { return 0 }
        if number == line.shown, String(cString: action) == "stop" { line.onStop() }
        return 0
    }

    /// Someone wiped it away: the next one is a new one.
    private let onClosed: sd_bus_message_handler_t = { message, this, _ in
        guard let this else { return 0 }
        let line = Unmanaged<Line>.fromOpaque(this).takeUnretainedValue()
        var number: UInt32 = 0
        guard line.library.message_read_basic(message, CChar(UInt8(ascii: "u")), &number) > 0 else { return 0 }
        if number == line.shown { line.shown = 0 }
        return 0
    }

    private func append(_ message: OpaquePointer?, _ text: String) {
        _ = text.withCString { library.message_append_basic(message, CChar(UInt8(ascii: "s")), $0) }
    }

    private func append(_ message: OpaquePointer?, number type: UInt8, _ value: UInt32) {
        withUnsafePointer(to: value) { _ = library.message_append_basic(message, CChar(type), $0) }
    }

    /// Without control characters but line ends: D-Bus takes no NUL.
    private static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control || $0 == "\n" }))
    }

    /// The body may be markup: what would be a tag is not.
    private static func markup(_ text: String) -> String {
        clean(text).map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : String($0) }.joined()
    }
}
