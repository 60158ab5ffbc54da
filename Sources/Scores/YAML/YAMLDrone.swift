internal import Languages

// The drone under the whole score, and its changes.
extension YAMLScore {
    private struct DroneKey: RawRepresentable, CaseIterable, Hashable {
        var rawValue: String
        static let pitch = DroneKey("pitch")
        static let notes = DroneKey("notes")
        static let allCases = [pitch, notes] + Score.Drone.properties.map { DroneKey($0.key) }

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
            if tree.isNull(id) { return Score.Drone() }
            if let isOn = Bool(switchText: tree.text(id)) { return isOn ? Score.Drone() : nil }
            return value(id, localized("the drone"), Score.Drone.notes(scoreText:)).map { Score.Drone(notes: $0) }
        case .list: return notes(id).map { Score.Drone(notes: $0) }
        }
    }

    private mutating func drone(_ fields: YAMLFields<DroneKey>) -> Score.Drone {
        var drone = Score.Drone()
        if let notes = notes(pitch: fields[.pitch], notes: fields[.notes]) { drone.notes = notes }
        for property in Score.Drone.properties {
            value(fields[DroneKey(property.key)], property.name, property.read)?(&drone)
        }
        return drone
    }

    /// The change of the drone at a bar; nil after an error.
    mutating func droneChange(_ id: YAMLTree.ID) -> DroneChange? {
        switch tree.kind(id) {
        case .scalar:
            if let isOn = Bool(switchText: tree.text(id)) { return DroneChange(isOff: !isOn) }
            return notes(id).map { DroneChange(notes: $0) }
        case .list: return notes(id).map { DroneChange(notes: $0) }
        case .map:
            let fields = fields(of: id, ChangeKey.self, in: localized("a drone inside the piece"))
            var change = DroneChange(notes: notes(pitch: fields[.pitch], notes: fields[.notes]))
            change.level = value(fields[.level], localized("the level"), Level.init(scoreText:))
            change.fade = fields[.fade].flatMap { duration($0, as: .fade) }
            return change
        }
    }

    /// The notes given by `pitch` or `notes`; nil if neither is given, or after an error.
    mutating func notes(pitch: YAMLTree.ID?, notes: YAMLTree.ID?) -> [Score.Drone.Note]? {
        guard let notes else { return note(pitch: pitch).map { [$0] } }
        if let pitch { error(pitch, localized("a drone has a 'pitch' or 'notes', not both")) }
        return self.notes(notes)
    }

    /// The notes of a list, or of one line of text; nil after an error.
    mutating func notes(_ id: YAMLTree.ID) -> [Score.Drone.Note]? {
        guard tree.kind(id) == .list else { return value(id, "'notes'", Score.Drone.notes(scoreText:)) }
        guard (1...Score.Drone.noteLimit).contains(tree.childCount(id)) else {
            error(id, localized("a drone has 1 to \(Score.Drone.noteLimit) notes"))
            return nil
        }
        return tree.children(id).compactMap { note($0) }
    }

    private mutating func note(_ id: YAMLTree.ID) -> Score.Drone.Note? {
        guard tree.kind(id) == .map else { return value(id, localized("a note"), Score.Drone.Note.init(scoreText:)) }
        let fields = fields(of: id, NoteKey.self, in: localized("a note of the drone"))
        if fields[.pitch] == nil { error(id, localized("this note has no 'pitch'")) }
        guard var note = note(pitch: fields[.pitch]) else { return nil }
        read(fields[.level], localized("the level"), into: &note.level, Level.init(scoreText:))
        read(fields[.pan], localized("the place"), into: &note.pan, Score.Drone.Note.pan(scoreText:))
        return note
    }

    private mutating func note(pitch: YAMLTree.ID?) -> Score.Drone.Note? {
        value(pitch, localized("the pitch"), Pitch.init(scoreText:)).map { Score.Drone.Note($0) }
    }
}
