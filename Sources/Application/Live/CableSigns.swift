internal import Playback
internal import Screens
internal import Synchronization

/// The signs of life of all cables.
final class CableSigns: Sendable {
    let oscOut = Cable("OSC→")
    let midiOut = Cable("MIDI→")
    let oscIn = Cable("→OSC")
    let midiIn = Cable("→MIDI")
    let jack = Cable("→JACK")

    /// Those of the cables that there are, in the order in which they are shown.
    var all: [CableSign] { [oscOut, midiOut, oscIn, midiIn, jack].compactMap(\.sign) }

    /// The sign of a cable. From any thread.
    final class Cable: Sendable {
        private enum State: UInt8, AtomicRepresentable {
            case absent, open, gone
        }

        private let name: String
        private let state = Atomic(State.absent)
        /// When something went through it last (CLOCK_MONOTONIC, ns).
        private let lastAt = Atomic(Int64.min)
        /// How many of its receivers are gone while others are there.
        private let gone = Atomic(0)

        fileprivate init(_ name: String) { self.name = name }

        /// Shows it from now on.
        func open(isGone: Bool = false) { state.store(isGone ? .gone : .open, ordering: .relaxed) }

        /// Notes that something goes through it, but not to `gone` of its receivers.
        func pulse(gone: Int = 0) {
            self.gone.store(gone, ordering: .relaxed)
            lastAt.store(monotonicNanoseconds(), ordering: .relaxed)
            open()
        }

        fileprivate var sign: CableSign? {
            let (state, lastAt) = (state.load(ordering: .relaxed), lastAt.load(ordering: .relaxed))
            guard state != .absent else { return nil }
            var sign = CableSign(name)
            sign.lastAt = lastAt == .min ? nil : lastAt
            sign.isGone = state == .gone
            sign.missing = sign.isGone ? 0 : gone.load(ordering: .relaxed)
            return sign
        }
    }
}
