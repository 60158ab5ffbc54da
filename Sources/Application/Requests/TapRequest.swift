internal import Files
package import Formats
internal import Languages
internal import Playback
internal import Scores

/// A score of taps on the beats of a recording. `write` carries it out.
package struct TapRequest: Sendable {
    /// A file with the times of taps, or `-`; nil if a player taps at the terminal.
    package var file: String?
    /// How many taps make a bar.
    package var beats: Int
    package var style = TappedScore.Style.meter(nil)
    /// The path of the score, or `-` for standard output.
    package var output = "-"

    package init(_ file: String?, beats: Int) { (self.file, self.beats) = (file, beats) }

    /// Writes the score. Errors: `ProgramEnd`, whose reason has been told.
    package func write() throws {
        try OutputFile.refuse(output, as: [file]) {
            localized("'\($0)' has the times of the taps: give the score another name")
        }
        let times = try file.map(TapRequest.times) ?? tap()
        let tapped: TappedScore
        do throws(TextError) { tapped = try TappedScore(times, beats: beats, style) } catch {
            // The taps must not be lost.
            if file == nil { for time in times { StandardOutput.say(time.seconds(decimals: 3)) } }
            throw Failure.exit(.badData, error)
        }
        for note in tapped.notes.prefix(10) { Failure.say(localized("note: \(note)")) }
        if tapped.notes.count > 10 { Failure.say(localized("note: and \(tapped.notes.count - 10) more")) }
        let bytes = Array(tapped.score.yaml.utf8)
        guard output != "-" else { return try StandardOutput.print(bytes) }
        do throws(FileError) { try TextFile.replace(output, bytes) } catch {
            if file == nil { try StandardOutput.print(bytes) }
            throw Failure.exit(.cannotWrite, "'\(output)' \(error)")
        }
    }

    private static func times(in file: String) throws -> [Duration] {
        let bytes = try InputFile.read(file, limit: 64 << 20, localized("'\(file)' is larger than 64 MiB"))
        return try Failure.exitOnError(.badData, "\(file == "-" ? localized("standard input") : "'\(file)'"), ") {
            try TappedScore.times(text: String(decoding: bytes.unmarked, as: UTF8.self))
        }
    }

    /// The times of keys that the player presses, after the first.
    private func tap() throws -> [Duration] {
        guard StandardOutput.isInteractive else {
            throw Failure.exit(
                .usage, localized("tapping needs a terminal; otherwise give a file with the times of taps, or -"))
        }
        var taps: [Duration] = []
        CalculatorScreen.run {
            lines(taps)
        } press: { key in
            let time = Duration.nanoseconds(monotonicNanoseconds())
            switch key {
            case .enter, .escape, .character("q"): return false
            case .backspace: _ = taps.popLast()
            default:
                if taps.count < TappedScore.tapLimit, taps.last.map({ $0 < time }) ?? true { taps.append(time) }
            }
            return true
        }
        return taps.map { $0 - taps[0] }
    }

    /// What the player sees: the bar and beat of the last tap, and the tempo of the last bar.
    private func lines(_ taps: [Duration]) -> [String] {
        let help = localized("Any key: tap.  Backspace: take back.  Enter: end.")
        guard let last = taps.last else { return [localized("Tap on the first beat of the first bar."), help] }
        let near = taps.suffix(max(beats, 4) + 1)
        var line = localized("bar \((taps.count - 1) / beats + 1), tap \((taps.count - 1) % beats + 1)")
        if let first = near.first, near.count > 1, last > first {
            let rate = 60 * Double(near.count - 1) / ((last - first) / .seconds(1))
            line += ", " + localized("\((rate * 10).rounded() / 10) taps per minute")
        }
        return [line, help]
    }
}
