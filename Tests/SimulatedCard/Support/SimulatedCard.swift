internal import Foundation
internal import Glibc

/// A simulated sound card for tests: a settings file, the name of an ALSA device, and a recording.
///
/// The keys of the settings are in `Tests/SimulatedCard/README.md`.
public struct SimulatedCard: Sendable {
    /// The value of a setting.
    public enum Value: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
        ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
    {
        case integer(Int)
        case real(Double)
        case text(String)
        case list([Value])

        /// An integer.
        public init(integerLiteral value: Int) { self = .integer(value) }
        /// A real number.
        public init(floatLiteral value: Double) { self = .real(value) }
        /// A word or a path.
        public init(stringLiteral value: String) { self = .text(value) }
        /// `yes` or `no`.
        public init(booleanLiteral value: Bool) { self = .text(value ? "yes" : "no") }
        /// Several values.
        public init(arrayLiteral elements: Value...) { self = .list(elements) }

        /// The value in the syntax of ALSA's configuration.
        var configured: String {
            switch self {
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let value): "\"\(value)\""
            case .list(let values): "[ " + values.map(\.configured).joined(separator: " ") + " ]"
            }
        }
    }

    /// The name of the ALSA device, in any process whose ALSA configuration is `configuration`.
    public let device: String
    /// The path of the recording.
    public let recordingPath: String
    /// The settings of a microphone that hears this card: by one path of 3 ms and -12 dB unless others are given. Its own
    /// crystal and faults are among `settings`. Returns the name of the device.
    public func microphone(in folder: String, name: String = "microphone", _ settings: [String: Value] = [:]) throws
        -> String
    {
        let heard: [String: Value] = [
            "hears": .text(recordingPath), "hears_card": .text(id), "path_us": 3000, "path_db": -12,
        ]
        return try SimulatedCard(
            in: folder, name: name, heard.merging(settings) { _, given in given }, records: false
        ).device
    }

    /// Identifies the card in the plugin, for its faults and for which handle has it open.
    let id: String

    /// Writes the settings of a card into a folder. Folder and name identify the card. A card that does not record
    /// costs the player no more processor time than a real one.
    public init(
        in folder: String, name: String = "card", _ settings: [String: Value] = [:], records: Bool = true
    ) throws {
        recordingPath = "\(folder)/\(name).raw"
        let path = "\(folder)/\(name).conf"
        device = "sim:'\(path)'"
        id = if case .text(let given) = settings["id"] { given } else { path }
        let all = settings.merging(records ? ["record": .text(recordingPath)] : [:]) { given, _ in given }
        let lines = all.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.configured)\n" }
        try lines.joined().write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// Changes settings, from the next opening on.
    public func change(_ settings: [String: Value], to others: [String: Value]) throws {
        let path = String(device.dropFirst("sim:'".count).dropLast())
        var text = try String(contentsOfFile: path, encoding: .utf8)
        for (key, value) in settings {
            let new = others[key] ?? value
            text = text.replacingOccurrences(of: "\(key) \(value.configured)\n", with: "\(key) \(new.configured)\n")
        }
        try text.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The recording of everything that the card has played so far.
    public func recording() throws -> SimulatedCardRecording {
        try SimulatedCardRecording(path: recordingPath)
    }

    /// The events of the card so far.
    public func happenings() -> [SimulatedCardHappening] {
        SimulatedCardHappening.all(in: (try? String(contentsOfFile: recordingPath + ".events", encoding: .utf8)) ?? "")
    }

    /// The path of the plugin, which is built together with these tests.
    public static let library = product("libSimulatedCard.so")

    /// The path of the library of wrappers, for LD_PRELOAD of a program that plays on simulated cards. An executable
    /// that depends on this module contains them already.
    public static let preload = product("libSimulatedCardPreload.so")

    private static func product(_ name: String) -> String {
        var folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        while folder.path != "/" {
            let candidate = folder.appendingPathComponent(name).path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
            folder.deleteLastPathComponent()
        }
        return name
    }

    /// An ALSA configuration with simulated cards and the null device, and without the devices of the machine.
    public static var configuration: String {
        """
        pcm_type.simcard { lib "\(library)" }
        pcm.sim { @args [ CARD ] @args.CARD { type string } type simcard settings $CARD }
        pcm.null { type null }

        """
    }

    /// Writes the configuration into a folder and returns its path, for use as `ALSA_CONFIG_PATH` of a program.
    @discardableResult
    public static func writeConfiguration(into folder: String) throws -> String {
        let path = "\(folder)/alsa.conf"
        try configuration.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Makes this process use the configuration. Later calls have no effect; cards differ only in the name of their
    /// device.
    public static func configureThisProcess() {
        _ = configured
    }

    private static let configured: Bool = {
        try? FileManager.default.createDirectory(atPath: ownFolder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: SimulatedCard.ownFolder) }
        guard let path = try? writeConfiguration(into: ownFolder) else { return false }
        return setenv("ALSA_CONFIG_PATH", path, 1) == 0
    }()

    private static let ownFolder = FileManager.default.temporaryDirectory
        .appendingPathComponent("barline-simulated-card-\(getpid())").path
}

/// An event of a card: opened, refused, started, a fault, rewound, closed.
public struct SimulatedCardHappening: Sendable, Hashable {
    /// The time in nanoseconds of the card's clock.
    public var nanoseconds: Int64
    /// The name, such as `xrun` or `refused busy`; the README lists all names.
    public var name: String
    /// The values, such as `position`, by their names.
    public var values: [String: Int64]

    static func all(in text: String) -> [SimulatedCardHappening] {
        text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard let first = words.first, let nanoseconds = Int64(first) else { return nil }
            var happening = SimulatedCardHappening(nanoseconds: nanoseconds, name: "", values: [:])
            for word in words.dropFirst() {
                let parts = word.split(separator: "=", maxSplits: 1)
                if parts.count == 2 {
                    happening.values[String(parts[0])] = Int64(parts[1])
                } else {
                    happening.name += (happening.name.isEmpty ? "" : " ") + word
                }
            }
            return happening
        }
    }
}
