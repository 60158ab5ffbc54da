internal import Foundation

/// An independent reader of what Barline writes: Python, with the packages of Tests/requirements.txt.
package enum Python {
    package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Why there is no output.
    package struct Fault: Error, CustomStringConvertible {
        package var description: String
    }

    /// Runs a script with a file, and returns its output line by line. The system's Python has the packages that Debian has.
    package static func run(
        _ script: String, file: [UInt8] = [], arguments: [String] = [], ofSystem: Bool = false
    ) throws -> [String] {
        let python = ofSystem ? "/usr/bin/python3" : root + "/.build/python/bin/python"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw Fault(description: "`make unit-test` installs \(python)")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("barline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("file").path
        try Data(file).write(to: URL(fileURLWithPath: path))
        let (text, code) = try Child.output(of: [python, "-c", script, path] + arguments)
        guard code == 0 else { throw Fault(description: "Python ended with \(code)") }
        return text.split(separator: "\n").map(String.init)
    }

    /// The same for a script that prints JSON.
    package static func json<Value: Decodable>(
        _ script: String, file: [UInt8] = [], arguments: [String] = [], ofSystem: Bool = false
    ) throws -> Value {
        let lines = try run(script, file: file, arguments: arguments, ofSystem: ofSystem)
        return try JSONDecoder().decode(Value.self, from: Data(lines.joined().utf8))
    }
}
