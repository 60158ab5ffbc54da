internal import Glibc
internal import Scores
internal import Timing

extension Performance {
    /// Carries out a command that changes how the performance sounds; other commands change nothing.
    mutating func carryOut(_ command: Command) {
        switch command {
        case .silence(let silence): self.silence = silence
        case .toggleDrone: toggleDrone()
        case .dronePitch(let semitones): changeDrone { $0.notes = $0.notes.map { $0.moved(bySemitones: semitones) } }
        case .drone(let notes) where !notes.isEmpty:
            let new = notes.prefix(Score.Drone.noteLimit).map(held)
            changeDrone { $0.notes = new }
        case .droneWaveform(let waveform): changeDrone(pitch: false) { $0.timbre.waveform = waveform }
        case .droneLevel(let decibels): changeDrone(pitch: false) { $0.level = $0.level.louder(by: decibels) }
        case .a4(let hertz):
            // Rounded to tenths of a hertz, as shown: many small steps leave no rounding error.
            let wanted = ((a4 + hertz) * 10).rounded() / 10
            guard !wanted.isNaN else { return }
            a4 = min(max(wanted, Score.a4Range.lowerBound), Score.a4Range.upperBound)
        case .toggleClicks where clickLevel.isSilent: clickLevel = Performance.standardClickLevel
        case .toggleClicks: isClickMuted.toggle()
        case .clickLevel(let decibels): clickLevel = clickLevel.louder(by: decibels)
        case .toggleCountIn: countsInJumps.toggle()
        default: break
        }
    }

    /// Takes over how another performance sounds: everything that commands can change, and nothing else.
    mutating func revert(to start: Performance) {
        (drone, isDroneMuted, followsDroneChanges, a4) = (
            start.drone, start.isDroneMuted, start.followsDroneChanges, start.a4
        )
        (clickLevel, isClickMuted, silence, countsInJumps) = (
            start.clickLevel, start.isClickMuted, start.silence, start.countsInJumps
        )
    }

    private mutating func toggleDrone() {
        if drone == nil {
            drone = Score.Drone()
            isDroneMuted = false
        } else {
            isDroneMuted.toggle()
        }
    }

    /// The note, or the highest or lowest pitch instead of one that no drone can have.
    private func held(_ note: Score.Drone.Note) -> Score.Drone.Note {
        let (hertz, range) = (tuning.frequency(of: note.pitch, a4: a4), Pitch.frequencyRange)
        guard !range.contains(hertz) else { return note }
        var note = note
        note.pitch = .frequency(hertz < range.lowerBound ? range.lowerBound : min(hertz, range.upperBound))
        return note
    }

    /// Changes the drone and makes it sound. With `pitch`, it no longer follows the score's changes.
    private mutating func changeDrone(pitch: Bool = true, _ edit: (inout Score.Drone) -> Void) {
        var new = drone ?? Score.Drone()
        edit(&new)
        guard new.notes.allSatisfy({ Pitch.frequencyRange.contains(tuning.frequency(of: $0.pitch, a4: a4)) }) else {
            return
        }
        drone = new
        isDroneMuted = false
        if pitch { followsDroneChanges = false }
    }
}

extension Score.Drone.Note {
    /// The note `semitones` equal semitones higher.
    fileprivate func moved(bySemitones semitones: Int) -> Score.Drone.Note {
        var note = self
        // A note that is farther away is not a pitch of a drone.
        let semitones = min(max(semitones, -200), 200)
        switch pitch {
        case .note(let number, let cents): note.pitch = .note(number &+ semitones, cents: cents)
        case .ratio(let over, let under, let number, let cents):
            note.pitch = .ratio(over, under, of: number &+ semitones, cents: cents)
        case .frequency(let hertz): note.pitch = .frequency(hertz * exp2(Double(semitones) / 12))
        }
        return note
    }
}

extension Level {
    /// The level so many decibels higher, within -90 ... 0 dB; silence counts as -60 dB.
    fileprivate func louder(by decibels: Double) -> Level {
        guard !decibels.isNaN else { return self }
        return Level(decibels: min(max((isSilent ? -60 : self.decibels) + decibels, -90), 0))
    }
}
