package import Scores

/// A message that goes out by MIDI.
package enum MIDIMessage: Sendable, Equatable {
    /// A message of the score, on a channel from 1.
    case channel(Int, StageMessage.MIDI)
    /// One of eight parts of a timecode: the bits of its data byte.
    case quarterFrame(UInt8)
    /// A whole timecode: hours with the rate, minutes, seconds and frames.
    case fullFrame(hours: UInt8, minutes: UInt8, seconds: UInt8, frames: UInt8)
    /// A tick of the clock, and what the machines do that follow it.
    case clock
    case start
    case `continue`
    case stop
    /// Where they continue, in sixteenths from the beginning.
    case songPosition(Int)
}

/// A message and when it is due, CLOCK_MONOTONIC in ns.
package struct MIDIEvent: Sendable, Equatable {
    package var time: Int64
    package var message: MIDIMessage
}

/// A state that changes at moments which are known in advance, as long as nothing else happens.
struct Foreseen<State> {
    private var changes: [(time: Int64, state: State)]

    init(_ state: State) { changes = [(.min, state)] }

    /// The state after the last change.
    var last: State { changes[changes.count - 1].state }

    /// The state at the moment that was settled last.
    var first: State { changes[0].state }

    /// When the last change is.
    var time: Int64 { changes[changes.count - 1].time }

    /// All states since the last moment that was settled.
    var all: some Sequence<State> { changes.lazy.map(\.state) }

    mutating func change(to state: State, at time: Int64) { changes.append((time, state)) }

    /// Forgets what was before a moment.
    mutating func settle(before now: Int64) {
        let count = changes.prefix { $0.time <= now }.count
        if count > 1 { changes.removeFirst(count - 1) }
    }

    /// Takes back the changes after a moment.
    mutating func takeBack(after moment: Int64) {
        let state = changes[0]
        changes.removeAll { $0.time > moment }
        if changes.isEmpty { changes = [(.min, state.state)] }
    }
}
