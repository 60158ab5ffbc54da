internal import Playback
internal import Scores
internal import Timing

/// What machines know from the messages of a score: the program and the controllers of each channel.
struct MIDIState: Equatable {
    private struct Channel: Equatable {
        /// The program, after the bank that was set before it.
        var program: [StageMessage.MIDI] = []
        /// Each controller once, in the order in which they were set.
        var controls: [StageMessage.MIDI] = []
    }
    private var channels: [Int: Channel] = [:]

    /// Controllers that add to a value, and those from here on, which end notes: they are no state.
    private static let steps = 96...97
    private static let modes = 120
    /// What "reset all controllers" resets.
    private static let reset = 121
    private static let resets: Set = [1, 11, 64, 65, 66, 67, 98, 99, 100, 101]

    /// Notes a message on a channel.
    mutating func take(_ channel: Int, _ message: StageMessage.MIDI) {
        switch message {
        case .noteOn, .noteOff: return
        case .program:
            let bank = channels[channel]?.controls.filter { $0.controller == 0 || $0.controller == 32 } ?? []
            channels[channel, default: Channel()].program = bank + [message]
        case .control(MIDIState.reset, _):
            channels[channel]?.controls.removeAll { $0.controller.map(MIDIState.resets.contains) ?? false }
        case .control(let number, _):
            guard number < MIDIState.modes, !MIDIState.steps.contains(number) else { return }
            channels[channel]?.controls.removeAll { $0.controller == number }
            channels[channel, default: Channel()].controls.append(message)
        }
    }

    /// The messages by which machines that know `known` get to know this.
    func messages(after known: MIDIState) -> [MIDIMessage] {
        var messages: [MIDIMessage] = []
        for (channel, wanted) in channels.sorted(by: { $0.key < $1.key }) {
            var here = known
            if known.channels[channel]?.program != wanted.program {
                for message in wanted.program {
                    messages.append(.channel(channel, message))
                    here.take(channel, message)
                }
            }
            let has = here.channels[channel]?.controls ?? []
            messages += wanted.controls.filter { !has.contains($0) }.map { .channel(channel, $0) }
        }
        return messages
    }
}

extension StageMessage.MIDI {
    /// The number of the controller that it sets; nil if it sets none.
    fileprivate var controller: Int? { if case .control(let number, _) = self { number } else { nil } }
}

/// Finds what the bars before a place of the piece, with repeats written out, have told machines.
struct MIDIChase {
    fileprivate struct Voice {
        let timeline: Timeline
        /// How many bars have been looked at.
        var bars = 0
        var found: [(start: Duration, channel: Int, message: StageMessage.MIDI)] = []
    }
    private var voices: [Voice]

    /// Later bars of a piece are not looked at.
    private static let mostBars = 100_000

    init(_ timeline: Timeline) { voices = ([timeline] + timeline.companions).map { Voice(timeline: $0) } }

    /// The state of the machines just before a time of the piece, if it is played from its beginning. A bar that begins at this
    /// time is still to come.
    mutating func state(before time: Duration) -> MIDIState {
        // Bars of other voices that meet this time are still to come, too.
        let time = time - SameMoment.tolerance
        for voice in voices.indices { voices[voice].look(before: time, most: MIDIChase.mostBars) }
        var state = MIDIState()
        let changes = voices.flatMap { $0.found.prefix { $0.start < time } }
        // Those of one time stay in the order of the voices.
        for change in changes.enumerated().sorted(by: { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) })
        {
            state.take(change.element.channel, change.element.message)
        }
        return state
    }
}

extension MIDIChase.Voice {
    fileprivate mutating func look(before time: Duration, most: Int) {
        while bars < min(timeline.barCount, most) {
            let bar = timeline[bars]
            guard bar.start < time else { return }
            bars += 1
            guard !bar.written.isPlain else { continue }
            for case .midi(let channel, let message) in bar.written.details.sends {
                found.append((bar.start, channel, message))
            }
        }
    }
}
