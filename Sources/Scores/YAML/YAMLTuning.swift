internal import Languages

// The tuning of notes.
extension YAMLScore {
    /// Reads the scale of a tuning, and checks that its other keys belong to it.
    mutating func readScale(_ fields: YAMLFields<Key>, _ tuning: inout Tuning) {
        if let id = fields[.tuning], let scale = scale(id, map: fields[.keyboardMap]) { tuning.scale = scale }
        let isScala = fields[.tuning].map { self.isScala($0) } ?? false
        if let id = fields[.tonic], isScala {
            error(id, localized("'tonic' applies to temperaments, not to .scl files"))
        }
        if let id = fields[.keyboardMap], !isScala {
            error(id, localized("'keyboard-map' needs a 'tuning' with a .scl file"))
        }
    }

    private func isScala(_ id: YAMLTree.ID) -> Bool {
        tree.kind(id) == .scalar && tree.text(id).lowercased().hasSuffix(".scl")
    }

    /// A temperament by name, or the scale of a file.
    private mutating func scale(_ id: YAMLTree.ID, map: YAMLTree.ID?) -> Tuning.Scale? {
        guard isScala(id) else {
            return value(id, localized("the tuning"), Temperament.init(scoreText:)).map(Tuning.Scale.temperament)
        }
        let scale = scala(id, ScalaScale.init(scalaText:))
        let keys = map.map { scala($0, ScalaMap.init(scalaText:)) } ?? .linear
        guard var scale, var keys else { return nil }
        scale.file = tree.text(id)
        keys.file = map.map { tree.text($0) }
        return .scala(scale, keys)
    }

    /// Reads a Scala file that the score names; its path is relative to the score's own folder.
    private mutating func scala<Value>(
        _ id: YAMLTree.ID, _ parse: (String) throws(TextError) -> Value
    ) -> Value? {
        guard let name = label(id, localized("the name of a file")) else { return nil }
        guard let folder = tree.source.folder else {
            error(id, localized("only a score in a file can refer to another file"))
            return nil
        }
        let path = name.hasPrefix("/") ? name : "\(folder)/\(name)"
        log.files.append(path)
        do {
            return try parse(try ScalaFile.text(path))
        } catch {
            log.error(at: tree.range(id), "\(TextError.quoted(name)) \(error)")
            return nil
        }
    }
}
