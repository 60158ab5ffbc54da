internal import Playback
internal import Screens
internal import Synchronization

/// The signs of life of all cables.
final class CableSigns: Sendable {
    /// The cables in the order in which they are shown.
    enum Cable: String, CaseIterable {
        case oscOut = "OSC→"
        case midiOut = "MIDI→"
        case oscIn = "→OSC"
        case midiIn = "→MIDI"
        case jack = "→JACK"
    }

    /// Guards the signs: cables pulse on their threads, the screen looks.
    private let signs = Mutex<[Cable: CableSign]>([:])

    /// Shows a cable from now on.
    func open(_ cable: Cable, isGone: Bool = false) {
        signs.withLock { signs in
            signs[cable] = signs[cable] ?? CableSign(cable.rawValue)
            signs[cable]?.isGone = isGone
        }
    }

    /// Notes that something goes through a cable.
    func pulse(_ cable: Cable) {
        let now = monotonicNanoseconds()
        signs.withLock { signs in
            signs[cable]?.lastAt = now
            signs[cable]?.isGone = false
        }
    }

    var all: [CableSign] { signs.withLock { signs in Cable.allCases.compactMap { signs[$0] } } }
}
