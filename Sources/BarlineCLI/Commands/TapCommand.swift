internal import Application
internal import ArgumentParser
internal import Files
internal import Formats
internal import Languages
internal import Playback
internal import Scores
internal import Screens

struct TapCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "tap",
        abstract: localized("Write a score from taps on the beats of a recording."),
        discussion: localized(
            """
            Play the recording and press any key on every beat; the first one begins the first bar, and one more ends \
            the last bar. Backspace takes back a tap; Enter, Escape or q ends. Instead of tapping, you can give the times of \
            taps: one per line, or a label track.

              barline tap --beats 4 -o my-piece.yaml
              barline tap --beats 2 --meter 6/8 labels.txt -o my-piece.yaml
            """))

    @Argument(
        help: .localized("A file with the times of taps, or - for standard input.", valueName: "times"),
        completion: .file())
    var file: String?

    @Option(help: .localized("How many taps make a bar, 1 to 64.", valueName: "taps"))
    var beats: Int

    @Option(
        help: .localized("The meter of the bars. Default: as many quarters as taps.", valueName: "meter"),
        transform: { try OptionText.read($0, Meter.init(scoreText:)) })
    var meter: Meter?

    @Flag(help: .localized("Write bars of seconds instead of bars with a meter and a tempo."))
    var seconds = false

    @Option(
        name: [.short, .customLong("output")],
        help: .localized("The score to write; - or nothing for standard output.", valueName: "file"))
    var output = "-"

    @OptionGroup var plainOptions: PlainOptions

    func validate() throws {
        guard TappedScore.beatRange.contains(beats) else {
            throw ValidationError(localized("--beats must be 1 to 64 taps"))
        }
        if seconds, meter != nil { throw ValidationError(localized("--meter and --seconds cannot both be given")) }
        if output != "-", !["yaml", "yml"].contains(FileKind.extension(of: output)) {
            throw ValidationError(localized("'\(output)' must end in .yaml; `barline convert` writes other formats"))
        }
    }

    func run() throws {
        if OutputFile.isSame(output, as: file) {
            throw Failure.exit(
                .cannotWrite, localized("'\(output)' has the times of the taps: give the score another name"))
        }
        let times = try times()
        let tapped: TappedScore
        do throws(TextError) {
            tapped = try TappedScore(times, beats: beats, seconds ? .seconds : .meter(meter))
        } catch {
            // The taps must not be lost.
            if file == nil { for time in times { StandardOutput.say((time - times[0]).seconds(decimals: 3)) } }
            throw Failure.exit(.badData, error)
        }
        for note in tapped.notes.prefix(10) { Failure.say(localized("note: \(note)")) }
        if tapped.notes.count > 10 { Failure.say(localized("note: and \(tapped.notes.count - 10) more")) }
        let bytes = Array(tapped.score.yaml.utf8)
        guard output != "-" else { return try StandardOutput.print(bytes) }
        do throws(FileError) {
            try TextFile.replace(output, bytes)
        } catch {
            if file == nil { try StandardOutput.print(bytes) }
            throw Failure.exit(.cannotWrite, "'\(output)' \(error)")
        }
    }

    private func times() throws -> [Duration] {
        guard let file else {
            guard Terminal.isInteractive else {
                throw Failure.exit(
                    .usage, localized("tapping needs a terminal; otherwise give a file with the times of taps, or -"))
            }
            return tap()
        }
        let bytes: [UInt8]
        do throws(FileBytes.Fault) {
            bytes = try FileBytes.read(fileOrInput: file, limit: 64 << 20)
        } catch {
            let reason =
                switch error {
                case .isDirectory: localized("'\(file)' is a folder")
                case .tooLarge: localized("'\(file)' is larger than 64 MiB")
                case .system(let errno): localized("'\(file)' cannot be read: \(errno)")
                }
            throw Failure.exit(.noInput, reason)
        }
        do throws(TextError) { return try TappedScore.times(text: String(decoding: bytes, as: UTF8.self)) } catch {
            throw Failure.exit(.badData, "\(file == "-" ? localized("standard input") : "'\(file)'"), \(error)")
        }
    }

    /// The times of keys that the player presses.
    private func tap() -> [Duration] {
        var taps: [Duration] = []
        CalculatorScreen.run {
            TapCommand.lines(taps, beats)
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
        return taps
    }

    /// What the player sees: the bar and beat of the last tap, and the tempo of the last bar.
    private static func lines(_ taps: [Duration], _ beats: Int) -> [String] {
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
