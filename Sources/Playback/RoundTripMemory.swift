package import Files
internal import Scores

/// The delays from outputs to inputs that have been measured: a line for each pair of devices in `delays.csv` in the user's
/// state folder.
package struct RoundTripMemory: Sendable, Equatable {
    /// Two devices by their ALSA names.
    package struct Pair: Sendable, Hashable {
        package var output: String
        package var input: String

        package init(output: String, input: String) { (self.output, self.input) = (output, input) }
    }

    /// A delay and how much its measurements differed, in ms.
    package struct Entry: Sendable, Equatable {
        package var delay: Double
        package var spread: Double

        package init(delay: Double, spread: Double) { (self.delay, self.spread) = (delay, spread) }
    }

    package var entries: [Pair: Entry] = [:]

    private static let header = "output,input,delay_ms,spread_ms"

    package init() {}

    /// Reads a memory from its text. Invalid lines are skipped: such a pair is measured anew.
    package init(text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            guard let fields = CSVText.fields(String(line)), fields.count == 4, let delay = Double(fields[2]),
                let spread = Double(fields[3]), abs(delay) <= 10_000, (0...10_000).contains(spread)
            else { continue }
            entries[Pair(output: fields[0], input: fields[1])] = Entry(delay: delay, spread: spread)
        }
    }

    /// The text that `init(text:)` reads; numbers are rounded to a thousandth.
    package var text: String {
        func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
        let lines = entries.sorted { ($0.key.output, $0.key.input) < ($1.key.output, $1.key.input) }.map {
            pair, entry in
            [
                CSVText.quoted(pair.output), CSVText.quoted(pair.input), "\(rounded(entry.delay))",
                "\(rounded(entry.spread))",
            ]
            .joined(separator: ",")
        }
        return ([RoundTripMemory.header] + lines).map { $0 + "\n" }.joined()
    }

    /// `$XDG_STATE_HOME/barline/delays.csv`, by default below `~/.local/state`; nil without a home.
    package static func path(environment: [String: String]) -> String? {
        BaseFolder.state.path(environment: environment).map { $0 + "/delays.csv" }
    }

    /// The memory in a file; empty if there is no file, or it cannot be read.
    package static func read(_ path: String) -> RoundTripMemory {
        RoundTripMemory(text: String(decoding: (try? KeptFile(path).read()) ?? [], as: UTF8.self))
    }

    /// Whether the bytes of a file are not a memory, for example because only a part was written.
    static func isDamaged(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return true }
        return !text.isEmpty && !text.hasPrefix(header + "\n")
    }

    /// Remembers a pair in a file, under a lock against other programs. Returns the new path of a damaged file. Errors: it
    /// cannot be read or written.
    package static func keep(_ entry: Entry, of pair: Pair, in path: String) throws(FileError) -> String? {
        try KeptFile(path).change(damagedWhere: isDamaged) { bytes in
            var memory = RoundTripMemory(text: String(decoding: bytes ?? [], as: UTF8.self))
            memory.entries[pair] = entry
            return Array(memory.text.utf8)
        }
    }
}
