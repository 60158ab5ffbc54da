internal import CSystemd
internal import Dispatch
internal import Glibc
internal import Languages
internal import SystemPackage

/// A desktop notification with a Stop button (freedesktop.org, Desktop Notifications 1.2, by sd-bus). It is replaced at
/// each change and withdrawn at the end.
///
/// Everything runs on a private queue, so that nobody waits for the desktop. If there is no bus or no notification
/// daemon, `onFailure` is called once, and nothing more is tried.
package final class Notifier: Sendable {
    private let queue = DispatchQueue(label: "notify")
    /// Only used on `queue`.
    private let line: Line

    /// Makes a notifier that calls `onStop` when the button is pressed.
    package init(
        onStop: @escaping @Sendable () -> Void = {}, onFailure: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let line = Line(onStop, onFailure)
        self.line = line
        queue.async { [queue] in line.open(on: queue) }
    }

    package func show(_ title: String, _ text: String) {
        queue.async { [line] in line.show(title, text) }
    }

    /// Withdraws the notification. Returns when that is done, or after five seconds: why the desktop did not show one, if it did not.
    @discardableResult
    package func withdraw() -> String? {
        let done = DispatchSemaphore(value: 0)
        queue.async { [line] in
            line.close()
            done.signal()
        }
        // A bus that accepts and says nothing keeps the queue for a minute and a half.
        guard done.wait(timeout: .now() + .seconds(5)) == .success else { return localized("no answer") }
        return queue.sync { line.failure }
    }
}

/// The connection to the desktop.
///
/// @unchecked Sendable: all methods are called only on the notifier's serial queue, and so are the callbacks of sd-bus,
/// which these methods trigger.
private final class Line: @unchecked Sendable {
    private let onStop: @Sendable () -> Void
    private let onFailure: @Sendable (String) -> Void
    private var library = csystemd()
    private var bus: OpaquePointer?
    private var source: (any DispatchSourceProtocol)?
    /// The ID that the desktop gave to the current notification; 0 if there is none.
    private var shown: UInt32 = 0
    private(set) var failure: String?

    /// The timeout for an answer of the desktop, in µs.
    private static let patience: UInt64 = 3_000_000
    private static let (service, path) = ("org.freedesktop.Notifications", "/org/freedesktop/Notifications")

    init(_ onStop: @escaping @Sendable () -> Void, _ onFailure: @escaping @Sendable (String) -> Void) {
        (self.onStop, self.onFailure) = (onStop, onFailure)
    }

    deinit { drop() }

    func open(on queue: DispatchQueue) {
        guard csystemd_load(&library) else { return fail(localized("there is no libsystemd")) }
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

    /// Processes incoming messages. Also needed after a call, because a signal may have come with its answer.
    private func process() {
        while let bus {
            let status = library.process(bus, nil)
            // The desktop has closed the connection: its descriptor would stay readable forever.
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

    private func fail(_ code: Int32) {
        // A busy desktop can be late once, and show the next one.
        if code != ETIMEDOUT { drop() }
        fail(Errno(rawValue: code).description)
    }

    private func fail(_ reason: String) {
        guard failure == nil else { return }
        failure = reason
        onFailure(reason)
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
        append(message, localized("Stop"))
        _ = library.message_close_container(message)
        // No hints, and a timeout of 0: it stays until it is replaced or withdrawn.
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
            _ = library.call(bus, message, Line.patience / 3, nil, &reply)
            _ = library.message_unref(reply)
            _ = library.message_unref(message)
        }
        drop()
    }

    /// Called when the button of the current notification is pressed.
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

    /// Called when a notification is closed: the next one gets a new ID.
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

    /// The text without control characters except line ends: D-Bus does not accept NUL.
    private static func clean(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter { $0.properties.generalCategory != .control || $0 == "\n" }))
    }

    /// The text with `&`, `<` and `>` escaped, because the body may be markup.
    private static func markup(_ text: String) -> String {
        clean(text).map { $0 == "&" ? "&amp;" : $0 == "<" ? "&lt;" : $0 == ">" ? "&gt;" : String($0) }.joined()
    }
}
