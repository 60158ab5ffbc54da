internal import Foundation
internal import Glibc
internal import Synchronization

/// A separate folder for every test, with the program's working folder, home and ALSA configuration. Removed at the
/// end.
final class Scratch: Sendable {
    /// The working folder of the program, which `names` lists.
    let folder: String
    /// The value of XDG_DATA_HOME.
    let data: String
    private let root: String
    private let alsa: String

    /// Makes a scratch folder in which programs find the ALSA devices that `devices` configures, and a silent one
    /// called `null`.
    init(devices: String = "") throws {
        root = NSTemporaryDirectory() + "barline-cli-" + UUID().uuidString
        folder = root + "/work"
        data = root + "/data"
        alsa = root + "/alsa.conf"
        _ = Scratch.left.withLock { [root] in $0.insert(root) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let configuration =
            "pcm.null { type null; hint { show on; description \"Silence\" } }\n"
            + devices.replacing("ROOT", with: root)
        try configuration.write(toFile: alsa, atomically: false, encoding: .utf8)
    }

    deinit { Scratch.remove(root) }

    /// The folders that exist. A thread may still hold the last ones when all tests have run: they are removed at exit.
    private static let left: Mutex<Set<String>> = {
        atexit { Scratch.left.withLock { $0 }.forEach(Scratch.remove) }
        return Mutex([])
    }()

    private static func remove(_ root: String) {
        try? FileManager.default.removeItem(atPath: root)
        _ = left.withLock { $0.remove(root) }
    }

    /// The environment of the program.
    var environment: [String: String] {
        let own = ProcessInfo.processInfo.environment
        var values = [
            "HOME": root + "/home", "XDG_DATA_HOME": data, "XDG_RUNTIME_DIR": root, "ALSA_CONFIG_PATH": alsa,
            "TERM": "xterm-256color", "LANG": "C.UTF-8",
            // The browser's scripts leave nothing in the folder of the sources.
            "PYTHONDONTWRITEBYTECODE": "1",
        ]
        for name in ["PATH", "LD_LIBRARY_PATH"] { values[name] = own[name] }
        return values
    }

    /// Writes a file into the working folder.
    func write(_ name: String, _ text: String) throws { try write(name, bytes: Array(text.utf8)) }

    /// Writes a file into the working folder.
    func write(_ name: String, bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    /// Reads a file of the working folder.
    func read(_ name: String) throws -> [UInt8] { try Scratch.read(folder + "/" + name) }

    /// Reads what a device of `devices` wrote to `ROOT/name`.
    func captured(_ name: String) throws -> [UInt8] { try Scratch.read(root + "/" + name) }

    /// Every file in the working folder, hidden ones too, in order.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } }

    static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
}
