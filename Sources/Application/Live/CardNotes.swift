internal import Files
internal import Languages
internal import Playback

/// What the program remembers about the sound device in use.
struct CardNotes {
    /// The remembered values of the device; nil for silent output and for a new device.
    let entry: CardMemory.Entry?
    private let device: String?
    private let path: String?

    /// Looks up the device of a performance.
    init(_ sound: Status.Sound) {
        path = CardMemory.path(environment: Environment.values)
        guard case .device(let name) = sound, let path else {
            device = nil
            entry = nil
            return
        }
        device = name
        entry = CardMemory.read(path).entries[name]
    }

    /// Remembers the measured rate and a latency given by the user. If they cannot be stored, prints a note.
    func keep(_ learnt: CardMemory.Entry?, latency: Double?) throws {
        guard let device, let path, learnt != nil || latency != nil else { return }
        do throws(FileError) {
            let aside = try CardMemory.change(path) { memory in
                var entry = memory.entries[device] ?? CardMemory.Entry()
                if let learnt { (entry.ppm, entry.uncertaintyPPM) = (learnt.ppm, learnt.uncertaintyPPM) }
                if let latency { entry.latencyMilliseconds = latency }
                memory.entries[device] = entry
            }
            if let aside { Failure.say(localized("note: '\(path)' was damaged and has been moved to '\(aside)'")) }
        } catch {
            Failure.say(localized("note: the values of '\(device)' could not be stored: '\(path)' \(error)"))
        }
    }
}
