/// The values of a map by their keys.
struct YAMLFields<Name: RawRepresentable<String> & CaseIterable & Hashable> {
    private var values: [Name: YAMLTree.ID] = [:]
    /// Whether there were keys beside these; they have been reported.
    var hasUnknownKey = false

    fileprivate static func unknownKey(_ word: String, in what: String) -> TextError {
        let all = Name.allCases.map(\.rawValue)
        let hint = Suggestion.hint(for: word, in: all) ?? "the keys of \(what) are \(all.joined(separator: ", "))"
        return TextError("\(what) has no key \(TextError.quoted(word))", hint: hint)
    }

    subscript(name: Name) -> YAMLTree.ID? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

// Reading single values; each reports what is wrong and gives nil for it.
extension YAMLScore {
    /// The values of a map's keys; reports keys that are unknown or given twice.
    mutating func fields<Name: RawRepresentable<String> & CaseIterable & Hashable>(
        of id: YAMLTree.ID, _ names: Name.Type, in what: String
    ) -> YAMLFields<Name> {
        var fields = YAMLFields<Name>()
        var key: YAMLTree.ID?
        for child in tree.children(id) {
            guard let keyID = key else {
                key = child
                continue
            }
            key = nil
            guard tree.kind(keyID) == .scalar else {
                log.error(at: tree.range(keyID), "a key is a word")
                continue
            }
            let word = tree.text(keyID)
            guard let name = Name(rawValue: word) else {
                fields.hasUnknownKey = true
                log.error(at: tree.range(keyID), YAMLFields<Name>.unknownKey(word, in: what))
                continue
            }
            if fields[name] != nil {
                log.error(at: tree.range(keyID), "the key '\(word)' is given a second time")
            } else {
                fields[name] = child
            }
        }
        return fields
    }

    mutating func isList(_ id: YAMLTree.ID, _ what: String, of content: String) -> Bool {
        guard tree.kind(id) == .list else {
            log.error(at: tree.range(id), "\(what) is a list of \(content)", hint: "for example [3, 2.7, 2]")
            return false
        }
        if tree.childCount(id) == 0 { log.error(at: tree.range(id), "\(what) is an empty list") }
        return tree.childCount(id) > 0
    }

    mutating func label(_ id: YAMLTree.ID, _ what: String) -> String? {
        value(id, what) { text throws(TextError) in try TextRule.check(text, what: what) }
    }

    mutating func duration(_ id: YAMLTree.ID, as use: DurationUse) -> Duration? {
        guard isScalar(id, "a duration") else { return nil }
        do {
            return try tree.duration(id, as: use)
        } catch {
            let tree = tree
            log.error(at: tree.range(id), DurationText.explain(tree.text(id), error, use))
            return nil
        }
    }

    mutating func value<Value>(
        _ id: YAMLTree.ID, _ what: String, _ parse: (String) throws(TextError) -> Value
    ) -> Value? {
        guard isScalar(id, what) else { return nil }
        do {
            return try parse(tree.text(id))
        } catch {
            log.error(at: tree.range(id), error)
            return nil
        }
    }

    mutating func isScalar(_ id: YAMLTree.ID, _ what: String) -> Bool {
        switch tree.kind(id) {
        case .scalar: return true
        case .list: log.error(at: tree.range(id), "\(what) is a single value, not a list")
        case .map: log.error(at: tree.range(id), "\(what) is a single value, not a set of keys")
        }
        return false
    }
}
