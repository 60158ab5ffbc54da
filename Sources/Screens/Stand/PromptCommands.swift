internal import Languages
internal import Playback
package import Scores
package import Timing
internal import UserSettings

/// Turns a line that was typed at the prompt into commands.
enum PromptCommands {
    /// The commands for the prompt's text. Errors: the text is not valid; the message is for the player.
    static func commands(_ prompt: StandChoices.Prompt, _ status: Status) throws(TextError) -> [Command] {
        let text = prompt.text
        switch prompt.kind {
        case .pitch: return try drone(text, status)
        case .waveform: return [.droneWaveform(try Score.Waveform(scoreText: text))]
        case .place: return [try place(text, status)]
        case .program: return try program(text, status)
        case .mark:
            guard status.marks.count < Status.mostMarks else {
                throw TextError(localized("a take has at most \(Status.mostMarks) notes"))
            }
            return [.mark(text.trimmingBlanks)]
        }
    }

    private static func place(_ text: String, _ status: Status) throws(TextError) -> Command {
        let timeline = status.performance.passage.timeline
        // Where the time shown goes on from pass to pass, so does the time of a place.
        if status.performance.countsPasses, timeline.bars(labeled: text) == nil, let time = try Place.time(text) {
            return .goToTime(time)
        }
        let bar: Int
        do throws(TextError) { bar = try Place(text, in: timeline).bars.lowerBound } catch {
            throw TextError(error.description)
        }
        let isPlayed = [status.performance.passage, status.home].contains { $0.boundary(ofBar: bar, near: 0) != nil }
        guard isPlayed else { throw TextError(localized("'\(text)' is not in the passage")) }
        return .goToBar(bar)
    }

    /// The drone as `--drone` takes it: notes, or off.
    private static func drone(_ text: String, _ status: Status) throws(TextError) -> [Command] {
        switch try DroneChoice(text: NoteNames.scoreText(text)) {
        case .notes(let notes): return [.drone(notes)]
        case .off: return status.performance.drone == nil || status.performance.isDroneMuted ? [] : [.toggleDrone]
        }
    }

    private static func program(_ text: String, _ status: Status) throws(TextError) -> [Command] {
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "off": return [.practice(nil, passes: nil), .silence(nil)]
        case "silent": return [.silence(words == ["silent", "off"] ? nil : try Performance.Silence(scoreText: text))]
        default:
            let program = try PracticeProgram(scoreText: text)
            let loop = program.changesSpeed ? status.practicedBars : nil
            let stretches = try program.stretches(
                of: status.home.timeline, bars: loop ?? status.home.bars, at: status.speed,
                weak: status.performance.weakBars)
            return [.practice(stretches, passes: nil)]
        }
    }
}

/// Finds the speed that the player taps.
package enum Tapping {
    /// The speed at which the beats of a bar (or its seconds, if it has no meter) are as far apart as the taps (times
    /// in ns), rounded to a whole per cent. nil if there are fewer than two taps.
    package static func speed(_ taps: [Int64], _ bar: TimedBar) -> Speed? {
        guard let first = taps.first, let last = taps.last, taps.count >= 2, last > first else { return nil }
        let gap = Double(last - first) / Double(taps.count - 1)
        let beats = bar.written.meter.map { Double($0.beats.count) }
        let written = beats.map { bar.duration / .nanoseconds(1) / $0 } ?? 1e9
        let (slowest, fastest) = (Double(Speed.range.lowerBound), Double(Speed.range.upperBound))
        let millionths = (written / gap * 100).rounded() * 10_000
        return Speed(millionths: Int64(min(max(millionths, slowest), fastest)))
    }
}
