internal import Languages

// The drone under the whole score, and its changes.
extension YAMLScore {
    private struct DroneKey: RawRepresentable, CaseIterable, Hashable {
        var rawValue: String
        static let pitch = DroneKey("pitch")
        static let notes = DroneKey("notes")
        static let allCases = [pitch, notes] + Score.Drone.Property.all.map { DroneKey($0.key) }

        init(_ name: String) { rawValue = name }
        init?(rawValue: String) {
            self.rawValue = rawValue
            guard DroneKey.allCases.contains(self) else { return nil }
        }
    }
    private enum ChangeKey: String, CaseIterable { case pitch, notes, level, fade }
    private enum NoteKey: String, CaseIterable { case pitch, level, pan }

    mutating func drone(_ id: YAMLTree.ID) -> Score.Drone? {
        switch tree.kind(id) {
        case .map: return drone(fields(of: id, DroneKey.self, in: localized("a drone")))
        case .scalar:
            let word = tree.text(id).trimmingBlanks.lowercased()
            if word == "off" { return nil }
            if word == "on" || tree.isNull(id) { return Score.Drone() }
            return value(id, localized("the drone"), Score.Drone.notes(scoreText:)).map { Score.Drone(notes: $0) }
        case .list: return notes(id).map { Score.Drone(notes: $0) }
        }
    }

    private mutating func drone(_ fields: YAMLFields<DroneKey>) -> Score.Drone {
        var drone = Score.Drone()
        if let notes = notes(pitch: fields[.pitch], notes: fields[.notes]) { drone.notes = notes }
        for property in Score.Drone.Property.all {
            guard let id = fields[DroneKey(property.key)] else { continue }
            let read = value(id, property.name) { text throws(TextError) in
                var changed = drone
                try property.read(text, &changed)
                return changed
            }
            if let read { drone = read }
        }
        return drone
    }

    /// The change of the drone at a bar; nil after an error.
    mutating func droneChange(_ id: YAMLTree.ID) -> DroneChange? {
        switch tree.kind(id) {
        case .scalar:
            switch tree.text(id).trimmingBlanks.lowercased() {
            case "off": return DroneChange(isOff: true)
            case "on": return DroneChange()
            default: return notes(id).map { DroneChange(notes: $0) }
            }
        case .list: return notes(id).map { DroneChange(notes: $0) }
        case .map:
            let fields = fields(of: id, ChangeKey.self, in: localized("a drone inside the piece"))
            var change = DroneChange(notes: notes(pitch: fields[.pitch], notes: fields[.notes]))
            if let id = fields[.level] { change.level = value(id, localized("the level"), Level.init(scoreText:)) }
            if let id = fields[.fade] { change.fade = duration(id, as: .fade) }
            return change
        }
    }

    /// The notes given by `pitch` or `notes`; nil if neither is given, or after an error.
    mutating func notes(pitch: YAMLTree.ID?, notes: YAMLTree.ID?) -> [Score.Drone.Note]? {
        guard let notes else {
            return pitch.flatMap { value($0, localized("the pitch"), Pitch.init(scoreText:)) }.map {
                [Score.Drone.Note($0)]
            }
        }
        if let pitch { log.error(at: tree.range(pitch), localized("a drone has a 'pitch' or 'notes', not both")) }
        return self.notes(notes)
    }

    /// The notes of a list, or of one line of text; nil after an error.
    mutating func notes(_ id: YAMLTree.ID) -> [Score.Drone.Note]? {
        guard tree.kind(id) == .list else { return value(id, "'notes'", Score.Drone.notes(scoreText:)) }
        guard (1...Score.Drone.noteLimit).contains(tree.childCount(id)) else {
            log.error(at: tree.range(id), localized("a drone has 1 to \(Score.Drone.noteLimit) notes"))
            return nil
        }
        return tree.children(id).compactMap { note($0) }
    }

    private mutating func note(_ id: YAMLTree.ID) -> Score.Drone.Note? {
        guard tree.kind(id) == .map else { return value(id, localized("a note"), Score.Drone.Note.init(scoreText:)) }
        let fields = fields(of: id, NoteKey.self, in: localized("a note of the drone"))
        guard let pitchID = fields[.pitch] else {
            log.error(at: tree.range(id), localized("this note has no 'pitch'"))
            return nil
        }
        guard var note = value(pitchID, localized("the pitch"), Pitch.init(scoreText:)).map({ Score.Drone.Note($0) })
        else {
            return nil
        }
        if let id = fields[.level], let level = value(id, localized("the level"), Level.init(scoreText:)) {
            note.level = level
        }
        if let id = fields[.pan], let pan = value(id, localized("the place"), Score.Drone.Note.pan(scoreText:)) {
            note.pan = pan
        }
        return note
    }
}
