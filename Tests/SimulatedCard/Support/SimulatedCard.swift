internal import Foundation
internal import Glibc

/// A sound card that the package's tests build, and ALSA plays on: settings in a file, a device name, a recording.
///
/// Every setting is a key of `Tests/SimulatedCard/README.md`.
public struct SimulatedCard: Sendable {
    /// One value of a setting.
    public enum Value: Sendable, Hashable, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
        ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral
    {
        case integer(Int)
        case real(Double)
        case text(String)
        case list([Value])

        /// A whole number.
        public init(integerLiteral value: Int) { self = .integer(value) }
        /// Any number.
        public init(floatLiteral value: Double) { self = .real(value) }
        /// A word or a path.
        public init(stringLiteral value: String) { self = .text(value) }
        /// `yes` or `no`.
        public init(booleanLiteral value: Bool) { self = .text(value ? "yes" : "no") }
        /// Several values.
        public init(arrayLiteral elements: Value...) { self = .list(elements) }

        /// As ALSA's configuration has it.
        var configured: String {
            switch self {
            case .integer(let value): "\(value)"
            case .real(let value): "\(value)"
            case .text(let value): "\"\(value)\""
            case .list(let values): "[ " + values.map(\.configured).joined(separator: " ") + " ]"
            }
        }
    }

    /// The ALSA name to open it by, in any process whose ALSA configuration is `configuration`.
    public let device: String
    /// Where its recording is kept.
    public let recordingPath: String
    /// Which card it is: faults, busy and held go by it, and so does the plugin.
    let id: String

    /// Writes the card's settings into a folder. Cards are told apart by folder and name. One that does not record takes
    /// no more of the processor than a real one.
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

    /// What it has played so far.
    public func recording() throws -> SimulatedCardRecording {
        try SimulatedCardRecording(path: recordingPath)
    }

    /// What happened to it so far.
    public func happenings() -> [SimulatedCardHappening] {
        SimulatedCardHappening.all(in: (try? String(contentsOfFile: recordingPath + ".events", encoding: .utf8)) ?? "")
    }

    /// The plugin as it was built beside these tests.
    public static let library = product("libSimulatedCard.so")

    /// The wrappers of alsa-lib's functions, for LD_PRELOAD of a program that plays on simulated cards. In an executable
    /// that depends on this module they are already.
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

    /// An ALSA configuration with simulated cards and the null device, and nothing of the machine's own.
    public static var configuration: String {
        """
        pcm_type.simcard { lib "\(library)" }
        pcm.sim { @args [ CARD ] @args.CARD { type string } type simcard settings $CARD }
        pcm.null { type null }

        """
    }

    /// Writes the configuration into a folder, for a program that is given its path as `ALSA_CONFIG_PATH`.
    @discardableResult
    public static func writeConfiguration(into folder: String) throws -> String {
        let path = "\(folder)/alsa.conf"
        try configuration.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    /// Makes the configuration this process's own. Once: what is opened differs by the device's name only.
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

/// A line of what happened to a card: opened, refused, started, a fault, rewound, closed.
public struct SimulatedCardHappening: Sendable, Hashable {
    /// Nanoseconds of the card's clock.
    public var nanoseconds: Int64
    /// `xrun`, `refused busy`; the README has them all.
    public var name: String
    /// `position` and the like.
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
