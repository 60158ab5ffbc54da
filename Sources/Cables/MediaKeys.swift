internal import CSystemd
internal import Dispatch
internal import Glibc
package import Playback

/// Media keys, headset buttons and the controls of the desktop: MPRIS on the session bus, by sd-bus.
///
/// Everything runs on a private queue, so that nobody waits for the bus.
package final class MediaKeys: Sendable {
    private let queue = DispatchQueue(label: "media-keys")
    /// Only used on `queue`.
    private let player: MediaPlayer

    /// Makes a player on the bus that calls `take` with each command, and `missing` once if there is no bus, or no more.
    package init(take: @escaping @Sendable (MediaCommand) -> Void, missing: @escaping @Sendable () -> Void) {
        let player = MediaPlayer(take, missing)
        self.player = player
        queue.async { [queue] in player.open(on: queue) }
    }

    /// Takes a status of the performance. From any thread.
    package func take(_ status: Status) { queue.async { [player] in player.take(status) } }

    /// Leaves the bus.
    package func end() { queue.async { [player] in player.close() } }
}

/// The object on the bus.
///
/// @unchecked Sendable: all methods are called only on the queue of `MediaKeys`, and so is the callback of sd-bus, which these
/// methods trigger.
private final class MediaPlayer: @unchecked Sendable {
    private let take: @Sendable (MediaCommand) -> Void
    private let missing: @Sendable () -> Void
    private var library = csystemd()
    private var bus: OpaquePointer?
    private var source: (any DispatchSourceProtocol)?
    private var status: Status?
    /// What was last told, and when.
    private var told = MediaState()
    private var toldAt: Int64 = 0

    private static let path = "/org/mpris/MediaPlayer2"
    private static let root = "org.mpris.MediaPlayer2"
    private static let player = root + ".Player"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let piece = "/org/barline/piece"

    init(_ take: @escaping @Sendable (MediaCommand) -> Void, _ missing: @escaping @Sendable () -> Void) {
        (self.take, self.missing) = (take, missing)
    }

    deinit { close() }

    func open(on queue: DispatchQueue) {
        guard csystemd_load(&library), library.open_user(&bus) >= 0, let bus else { return missing() }
        let this = Unmanaged.passUnretained(self).toOpaque()
        guard library.add_object(bus, nil, Self.path, onCall, this) >= 0,
            library.request_name(bus, Self.root + ".barline", 0) >= 0
        else {
            close()
            return missing()
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: library.get_fd(bus), queue: queue)
        source.setEventHandler { [weak self] in self?.process() }
        source.resume()
        self.source = source
        process()
    }

    func close() {
        source?.cancel()
        source = nil
        if let bus { _ = library.close_unref(bus) }
        bus = nil
    }

    private func process() {
        while let bus {
            let status = library.process(bus, nil)
            // The bus has closed the connection: its descriptor would stay readable forever.
            if status < 0 {
                close()
                return missing()
            }
            if status == 0 { return }
        }
    }

    private var state: MediaState { status.map { MediaState($0, at: monotonicNanoseconds()) } ?? MediaState() }

    func take(_ status: Status) {
        self.status = status
        let now = monotonicNanoseconds()
        let (new, old) = (MediaState(status, at: now), told)
        let follows = new.follows(old, after: .nanoseconds(now - toldAt))
        (told, toldAt) = (new, now)
        var changed: [String] = []
        if new.playing != old.playing { changed.append("PlaybackStatus") }
        if new.rate != old.rate { changed.append("Rate") }
        if new.title != old.title || new.length != old.length { changed.append("Metadata") }
        if !changed.isEmpty {
            signal(Self.properties, "PropertiesChanged") { message in
                append(message, "s", Self.player)
                dictionary(message) { for name in changed { entry(message, name, values[name]) } }
                container(message, "a", "s") {}
            }
        }
        if !follows { signal(Self.player, "Seeked") { append(message: $0, "x", new.position) } }
        process()
    }

    // MARK: - Calls

    private let onCall: sd_bus_message_handler_t = { message, this, _ in
        guard let this, let message else { return 0 }
        return Unmanaged<MediaPlayer>.fromOpaque(this).takeUnretainedValue().answer(message) ? 1 : 0
    }

    /// Answers a call; false if it is none of ours.
    private func answer(_ call: OpaquePointer) -> Bool {
        func isCall(_ interface: String, _ member: String) -> Bool {
            library.message_is_method_call(call, interface, member) > 0
        }
        if isCall(Self.properties, "Get") {
            guard let interface = text(call), let name = text(call), let value = table(interface)?[name] else {
                return false
            }
            reply(call) { variant($0, value) }
        } else if isCall(Self.properties, "GetAll") {
            guard let interface = text(call), let table = table(interface) else { return false }
            reply(call) { message in
                dictionary(message) { for (name, value) in table { entry(message, name, value) } }
            }
        } else if isCall(Self.player, "Seek") {
            guard let offset = number(call) else { return false }
            go(to: state.position.addingReportingOverflow(offset).partialValue)
            reply(call) { _ in }
        } else if isCall(Self.player, "SetPosition") {
            guard text(call, "o") != nil, let place = number(call) else { return false }
            go(to: place)
            reply(call) { _ in }
        } else if isCall(Self.root, "Raise") {
            reply(call) { _ in }
        } else {
            let methods = ["Play", "Pause", "PlayPause", "Next", "Previous", "Stop"].map { (Self.player, $0) }
            guard let method = (methods + [(Self.root, "Quit")]).first(where: { isCall($0.0, $0.1) })?.1,
                let command = MediaCommand(method: method)
            else { return false }
            take(command)
            reply(call) { _ in }
        }
        return true
    }

    private func go(to place: Int64) {
        guard let length = told.length else { return take(.position(max(place, 0))) }
        take(.position(min(max(place, 0), max(length - 1000, 0))))
    }

    // MARK: - Properties

    private enum Value {
        case bool(Bool)
        case double(Double)
        case int(Int64)
        case text(String)
        case noTexts
        case metadata(MediaState)
    }

    private func table(_ interface: String) -> [String: Value]? {
        switch interface {
        case Self.player: values
        case Self.root:
            [
                "CanQuit": .bool(true), "CanRaise": .bool(false), "HasTrackList": .bool(false),
                "Identity": .text("Barline"), "SupportedUriSchemes": .noTexts, "SupportedMimeTypes": .noTexts,
            ]
        default: nil
        }
    }

    private var values: [String: Value] {
        let state = state
        return [
            "PlaybackStatus": .text(state.playing.rawValue), "Rate": .double(state.rate),
            "MinimumRate": .double(state.rate), "MaximumRate": .double(state.rate), "Volume": .double(1),
            "Position": .int(state.position), "Metadata": .metadata(state), "CanGoNext": .bool(true),
            "CanGoPrevious": .bool(true), "CanPlay": .bool(true), "CanPause": .bool(true), "CanSeek": .bool(true),
            "CanControl": .bool(true),
        ]
    }

    // MARK: - Messages

    private func signal(_ interface: String, _ member: String, _ fill: (OpaquePointer?) -> Void) {
        var message: OpaquePointer?
        guard let bus, library.message_new_signal(bus, &message, Self.path, interface, member) >= 0 else { return }
        send(message, fill)
    }

    private func reply(_ call: OpaquePointer, _ fill: (OpaquePointer?) -> Void) {
        var message: OpaquePointer?
        guard library.message_new_method_return(call, &message) >= 0 else { return }
        send(message, fill)
    }

    private func send(_ message: OpaquePointer?, _ fill: (OpaquePointer?) -> Void) {
        fill(message)
        _ = library.send(bus, message, nil)
        _ = library.message_unref(message)
    }

    private func text(_ message: OpaquePointer, _ type: Character = "s") -> String? {
        var text: UnsafePointer<CChar>?
        guard library.message_read_basic(message, code(type), &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    private func number(_ message: OpaquePointer) -> Int64? {
        var number: Int64 = 0
        return library.message_read_basic(message, code("x"), &number) > 0 ? number : nil
    }

    private func code(_ type: Character) -> CChar { CChar(type.asciiValue ?? 0) }

    private func append(_ message: OpaquePointer?, _ type: Character, _ text: String) {
        // D-Bus does not accept NUL.
        _ = text.filter { $0 != "\0" }.withCString { library.message_append_basic(message, code(type), $0) }
    }

    private func append(message: OpaquePointer?, _ type: Character, _ value: some BitwiseCopyable) {
        withUnsafePointer(to: value) { _ = library.message_append_basic(message, code(type), $0) }
    }

    private func container(_ message: OpaquePointer?, _ type: Character, _ contents: String, _ fill: () -> Void) {
        _ = library.message_open_container(message, code(type), contents)
        fill()
        _ = library.message_close_container(message)
    }

    private func dictionary(_ message: OpaquePointer?, _ fill: () -> Void) { container(message, "a", "{sv}", fill) }

    private func entry(_ message: OpaquePointer?, _ name: String, _ value: Value?) {
        guard let value else { return }
        container(message, "e", "sv") {
            append(message, "s", name)
            variant(message, value)
        }
    }

    private func variant(_ message: OpaquePointer?, _ value: Value) {
        switch value {
        case .bool(let flag): container(message, "v", "b") { append(message: message, "b", Int32(flag ? 1 : 0)) }
        case .double(let number): container(message, "v", "d") { append(message: message, "d", number) }
        case .int(let number): container(message, "v", "x") { append(message: message, "x", number) }
        case .text(let text): container(message, "v", "s") { append(message, "s", text) }
        case .noTexts: container(message, "v", "as") { container(message, "a", "s") {} }
        case .metadata(let state):
            container(message, "v", "a{sv}") {
                dictionary(message) {
                    container(message, "e", "sv") {
                        append(message, "s", "mpris:trackid")
                        container(message, "v", "o") { append(message, "o", Self.piece) }
                    }
                    entry(message, "xesam:title", .text(state.title))
                    if let length = state.length { entry(message, "mpris:length", .int(length)) }
                }
            }
        }
    }
}
