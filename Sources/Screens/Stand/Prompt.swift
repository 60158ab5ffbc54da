internal import Languages
internal import Playback
internal import Scores
internal import Timing
internal import UserSettings

extension StandChoices {
    /// A line that is being typed.
    package struct Prompt: Sendable, Equatable {
        package var kind: Kind
        package var text = ""
        /// Whether another machine leads: of practice, only the bars without clicks are left.
        package var isLed = false
        /// Whether it was asked about a piece that is over.
        private(set) var isLate = false

        package init(kind: Kind, text: String = "", isLed: Bool = false) {
            (self.kind, self.text, self.isLed) = (kind, text, isLed)
        }

        /// The same line in the next piece of a set list, so that its letters do not become keys there.
        package var inNextPiece: Prompt {
            var next = self
            next.isLate = kind.isOfPiece
            return next
        }

        /// The question before the line, with examples of answers.
        var question: String {
            isLed && kind == .program ? localized("without clicks (silent 2 of 8, off): ") : kind.text
        }

        package enum Kind: String, Sendable, CaseIterable {
            case place, pitch, waveform, program, mark, message

            /// Whether only the machine that leads can answer it.
            var isOfLeader: Bool {
                switch self {
                case .place, .mark, .message: true
                case .pitch, .waveform, .program: false
                }
            }

            /// Whether the answer is about the piece that plays.
            fileprivate var isOfPiece: Bool {
                switch self {
                case .place, .mark, .program: true
                case .pitch, .waveform, .message: false
                }
            }

            /// Whether a page that plays by itself lacks it: such a page has no log, and nobody to tell.
            package var needsProgram: Bool { self == .mark || self == .message }

            package var name: String {
                switch self {
                case .place: localized("place")
                case .pitch: localized("pitch")
                case .waveform: localized("waveform")
                case .program: localized("program")
                case .mark: localized("note for the log")
                case .message: localized("message to all")
                }
            }

            /// The question before the line, with examples of answers.
            package var text: String { text(hasLog: true) }

            /// The same; without a practice log, no example needs one.
            package func text(hasLog: Bool) -> String {
                switch self {
                case .place: localized("go to (bar 5.7, label, or time 2:30): ")
                case .pitch: localized("drone (B4, Bb3, 442Hz, 'E3, B3 -6dB', off): ")
                case .waveform:
                    localized("waveform (\(Score.Waveform.allCases.map(\.rawValue).joined(separator: ", "))): ")
                case .mark: localized("this take (good, bad, or words): ")
                case .message: localized("message to all (once more from B): ")
                case .program: localized("practice (\(PracticeProgram.examples(hasLog: hasLog)), silent 2 of 8, off): ")
                }
            }
        }
    }
}

// What is typed becomes commands.
extension StandChoices.Prompt {
    /// The commands for the text. Errors: it is not valid; the message is for the player.
    func commands(_ status: Status) throws(TextError) -> [Command] {
        if isLate { throw TextError(localized("'\(text)' came too late: that piece is over")) }
        switch kind {
        case .pitch: return try drone(status)
        case .waveform: return [.droneWaveform(try Score.Waveform(scoreText: text))]
        case .place: return [try place(status)]
        case .program: return try program(status)
        case .mark:
            guard status.marks.count < Status.mostMarks else {
                throw TextError(localized("a take has at most \(Status.mostMarks) notes"))
            }
            return [.tell(.mark(try words()))]
        case .message: return [.tell(.message(try words()))]
        }
    }

    private func words() throws(TextError) -> String {
        let words = text.trimmingBlanks
        guard !words.isEmpty else { throw TextError(localized("write some words")) }
        return words
    }

    private func place(_ status: Status) throws(TextError) -> Command {
        let timeline = status.performance.passage.timeline
        // Where the time shown goes on from pass to pass, so does the time of a place.
        if status.performance.countsPasses, timeline.bars(labeled: text) == nil, let time = try Place.time(text) {
            return .jump(.time(time))
        }
        let bar: Int
        do throws(TextError) { bar = try Place(text, in: timeline).bars.lowerBound } catch {
            throw TextError(error.description)
        }
        let isPlayed = [status.performance.passage, status.home].contains { $0.boundary(ofBar: bar, near: 0) != nil }
        guard isPlayed else { throw TextError(localized("'\(text)' is not in the passage")) }
        return .jump(.bar(bar))
    }

    /// The drone as `--drone` takes it: notes, or off.
    private func drone(_ status: Status) throws(TextError) -> [Command] {
        switch try DroneChoice(text: NoteNames.scoreText(text)) {
        case .notes(let notes): return [.drone(notes)]
        case .off:
            let sounds = status.performance.drone != nil && !status.performance.isDroneMuted
            guard sounds else { throw TextError(localized("no drone")) }
            return [.toggleDrone]
        }
    }

    private func program(_ status: Status) throws(TextError) -> [Command] {
        let words = text.split(separator: " ").map(String.init)
        switch words.first {
        case "off": return (isLed ? [] : [.practice(nil, passes: nil)]) + [.silence(nil)]
        case "silent": return [.silence(words == ["silent", "off"] ? nil : try Performance.Silence(scoreText: text))]
        case _ where isLed: throw TextError(localized("only the machine that leads can do that"))
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
