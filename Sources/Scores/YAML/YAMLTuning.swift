internal import Languages

// The tuning of notes.
extension YAMLScore {
    mutating func tuning(_ fields: YAMLFields<Key>) -> Tuning {
        var tuning = Tuning()
        if let id = fields[.tuning], let scale = scale(id, map: fields[.keyboardMap]) { tuning.scale = scale }
        let isScala = fields[.tuning].map { self.isScala($0) } ?? false
        if let id = fields[.tonic] {
            if let tonic = value(id, localized("the tonic"), Score.tonic(scoreText:)) { tuning.tonic = tonic }
            if isScala {
                log.error(at: tree.range(id), localized("'tonic' applies to temperaments, not to .scl files"))
            }
        }
        if let id = fields[.keyboardMap], !isScala {
            log.error(at: tree.range(id), localized("'keyboard-map' needs a 'tuning' with a .scl file"))
        }
        if let id = fields[.instrument],
            let instrument = value(id, localized("the instrument"), Instrument.init(scoreText:))
        {
            tuning.instrument = instrument
        }
        if let id = fields[.temperature],
            let degrees = value(id, localized("the temperature"), Score.temperature(scoreText:))
        {
            tuning.temperature = degrees
        }
        return tuning
    }

    private func isScala(_ id: YAMLTree.ID) -> Bool {
        tree.kind(id) == .scalar && tree.text(id).lowercased().hasSuffix(".scl")
    }

    /// A temperament by name, or the scale of a file.
    private mutating func scale(_ id: YAMLTree.ID, map: YAMLTree.ID?) -> Tuning.Scale? {
        guard isScala(id) else {
            return value(id, localized("the tuning"), Temperament.init(scoreText:)).map(Tuning.Scale.temperament)
        }
        let scale = scala(id) { text throws(ScalaError) in try ScalaScale(scalaText: text) }
        let keys = map.map { scala($0) { text throws(ScalaError) in try ScalaMap(scalaText: text) } } ?? .linear
        guard var scale, var keys else { return nil }
        scale.file = tree.text(id)
        keys.file = map.map { tree.text($0) }
        return .scala(scale, keys)
    }

    /// Reads a Scala file that the score names; its path is relative to the score's own folder.
    private mutating func scala<Value>(
        _ id: YAMLTree.ID, _ parse: (String) throws(ScalaError) -> Value
    ) -> Value? {
        guard let name = label(id, localized("the name of a file")) else { return nil }
        guard let folder = tree.source.folder else {
            log.error(at: tree.range(id), localized("only a score in a file can refer to another file"))
            return nil
        }
        let quoted = TextError.quoted(name)
        let text: String
        do throws(ScalaFile.Fault) {
            text = try ScalaFile.text(name.hasPrefix("/") ? name : "\(folder)/\(name)")
        } catch {
            log.error(at: tree.range(id), "\(quoted) \(error)")
            return nil
        }
        do throws(ScalaError) { return try parse(text) } catch {
            log.error(at: tree.range(id), "\(quoted) \(error)")
            return nil
        }
    }
}
