package import Files

/// The sound devices that are remembered between runs: one line each in `cards.csv` in the user's state folder.
package struct CardMemory: Sendable, Equatable {
    package struct Entry: Sendable, Equatable {
        /// The deviation of its rate in ppm: positive is fast.
        package var ppm: Double
        /// The uncertainty of that, in ppm, one standard deviation.
        package var uncertaintyPPM: Double
        /// How much later the sound is heard than the device reports, in ms, as the user has set it.
        package var latencyMilliseconds: Double

        /// Makes an entry; a rate of which nothing is known is 0 ± 100 ppm.
        package init(ppm: Double = 0, uncertaintyPPM: Double = 100, latencyMilliseconds: Double = 0) {
            (self.ppm, self.uncertaintyPPM, self.latencyMilliseconds) = (ppm, uncertaintyPPM, latencyMilliseconds)
        }
    }

    /// The devices by ALSA name.
    package var entries: [String: Entry]

    private static let header = "device,ppm,uncertainty_ppm,latency_ms"

    package init() { entries = [:] }

    /// Reads a memory from its text. Invalid lines are skipped: the cost is ten seconds of learning anew.
    package init(text: String) {
        entries = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            // The name is everything before the last three fields: ALSA names contain commas.
            let fields = line.split(separator: ",", omittingEmptySubsequences: false)
            guard fields.count >= 4, let ppm = Double(fields[fields.count - 3]),
                let uncertainty = Double(fields[fields.count - 2]), let latency = Double(fields[fields.count - 1]),
                abs(ppm) <= 1000, (0...1000).contains(uncertainty), abs(latency) <= 10_000
            else { continue }
            let name = fields.dropLast(3).joined(separator: ",")
            entries[name] = Entry(ppm: ppm, uncertaintyPPM: uncertainty, latencyMilliseconds: latency)
        }
    }

    /// The text that `init(text:)` reads; numbers are rounded to a thousandth.
    package var text: String {
        let lines = entries.sorted { $0.key < $1.key }.map { name, entry in
            "\(name),\(rounded(entry.ppm)),\(rounded(entry.uncertaintyPPM)),\(rounded(entry.latencyMilliseconds))"
        }
        return ([CardMemory.header] + lines).map { $0 + "\n" }.joined()
    }

    private func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

    /// `$XDG_STATE_HOME/barline/cards.csv`, by default below `~/.local/state`; nil without a home.
    package static func path(environment: [String: String]) -> String? {
        BaseFolder.state.path(environment: environment).map { $0 + "/cards.csv" }
    }

    /// Whether the bytes of a file are not a memory, for example because only a part was written.
    package static func isDamaged(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return true }
        return !text.isEmpty && !text.hasPrefix(header + "\n")
    }

    /// The memory in a file; empty if there is no file, or it cannot be read.
    package static func read(_ path: String) -> CardMemory { CardMemory(bytes: (try? KeptFile(path).read()) ?? []) }

    /// Changes the memory in a file, under a lock against other programs. A damaged file is moved aside.
    ///
    /// Returns the new path of a damaged file. Errors: it cannot be read or written.
    package static func change(_ path: String, _ change: (inout CardMemory) -> Void) throws(FileError) -> String? {
        try KeptFile(path).change(damagedWhere: isDamaged) { bytes in
            var memory = CardMemory(bytes: bytes ?? [])
            change(&memory)
            return Array(memory.text.utf8)
        }
    }

    private init(bytes: [UInt8]) { self.init(text: String(decoding: bytes, as: UTF8.self)) }
}
