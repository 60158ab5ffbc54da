internal import Languages

/// The values of a map by key.
struct YAMLFields<Name: RawRepresentable<String> & CaseIterable & Hashable> {
    private var values: [Name: YAMLTree.ID] = [:]
    /// Whether the map has unknown keys; they have been reported.
    var hasUnknownKey = false

    fileprivate static func unknownKey(_ word: String, in what: String) -> TextError {
        let all = Name.allCases.map(\.rawValue)
        let hint =
            YAMLSynonyms.hint(for: word, among: all) ?? Suggestion.hint(for: word, in: all)
            ?? localized("the keys of \(what) are \(all.joined(separator: ", "))")
        return TextError(localized("\(what) has no key \(TextError.quoted(word))"), hint: hint)
    }

    subscript(name: Name) -> YAMLTree.ID? {
        get { values[name] }
        set { values[name] = newValue }
    }
}

// Readers of single values; each reports an error and then returns nil.
extension YAMLScore {
    /// The values of a map by key; reports unknown and repeated keys.
    mutating func fields<Name: RawRepresentable<String> & CaseIterable & Hashable>(
        of id: YAMLTree.ID, _ names: Name.Type, in what: @autoclosure () -> String
    ) -> YAMLFields<Name> {
        var fields = YAMLFields<Name>()
        tree.eachPair(id, &log) { keyID, child, log in
            let word = tree.text(keyID)
            guard let name = Name(rawValue: word) else {
                fields.hasUnknownKey = true
                log.error(at: tree.range(keyID), YAMLFields<Name>.unknownKey(word, in: what()))
                return
            }
            if fields[name] != nil {
                log.error(at: tree.range(keyID), localized("the key '\(word)' is given a second time"))
            } else {
                fields[name] = child
            }
        }
        return fields
    }

    /// All keys of a map with their values, in the order of the file.
    func pairs(_ id: YAMLTree.ID) -> [(key: YAMLTree.ID, value: YAMLTree.ID)] {
        let all = Array(tree.children(id))
        return stride(from: 0, to: all.count - 1, by: 2).map { (all[$0], all[$0 + 1]) }
    }

    mutating func isMap(_ id: YAMLTree.ID, _ what: @autoclosure () -> String, example: String) -> Bool {
        guard tree.kind(id) != .map else { return true }
        log.error(
            at: tree.range(id), localized("\(what()) is a set of keys"), hint: localized("for example \(example)"))
        return false
    }

    /// Reads a whole number within limits.
    mutating func whole(_ id: YAMLTree.ID, _ what: @autoclosure () -> String, _ limits: ClosedRange<Int>) -> Int? {
        value(id, what()) { text throws(TextError) in
            guard let number = Int(wholeText: text.trimmingBlanks, allowsMinus: true), limits.contains(number) else {
                throw TextError(
                    localized(
                        "\(what()) must be a whole number, \(limits.lowerBound.grouped) to \(limits.upperBound.grouped)"
                    ))
            }
            return number
        }
    }

    mutating func isList(
        _ id: YAMLTree.ID, _ what: @autoclosure () -> String, _ wanted: @autoclosure () -> String,
        example: String = "[3, 2.7, 2]"
    ) -> Bool {
        guard tree.kind(id) == .list else {
            log.error(at: tree.range(id), wanted(), hint: localized("for example \(example)"))
            return false
        }
        if tree.childCount(id) == 0 { log.error(at: tree.range(id), localized("\(what()) is an empty list")) }
        return tree.childCount(id) > 0
    }

    mutating func label(_ id: YAMLTree.ID, _ what: @autoclosure () -> String) -> String? {
        value(id, what()) { text throws(TextError) in try TextRule.check(text, what: what()) }
    }

    mutating func duration(_ id: YAMLTree.ID, as use: DurationUse) -> Duration? {
        guard isScalar(id, localized("a duration")) else { return nil }
        do {
            return try tree.duration(id, as: use)
        } catch {
            let tree = tree
            log.error(at: tree.range(id), DurationText.explain(tree.text(id), error, use))
            return nil
        }
    }

    /// Reads the time before music; `noun` names it in errors.
    mutating func lead(_ id: YAMLTree.ID, _ noun: @autoclosure () -> String) -> Score.Lead? {
        value(id, noun()) { text throws(TextError) in try Score.Lead(scoreText: text, noun()) }
    }

    mutating func value<Value>(
        _ id: YAMLTree.ID, _ what: @autoclosure () -> String, _ parse: (String) throws(TextError) -> Value
    ) -> Value? {
        guard isScalar(id, what()) else { return nil }
        do {
            return try parse(tree.text(id))
        } catch {
            log.error(at: tree.range(id), error)
            return nil
        }
    }

    mutating func isScalar(_ id: YAMLTree.ID, _ what: @autoclosure () -> String) -> Bool {
        switch tree.kind(id) {
        case .scalar: return true
        case .list: log.error(at: tree.range(id), localized("\(what()) is a single value, not a list"))
        case .map: log.error(at: tree.range(id), localized("\(what()) is a single value, not a set of keys"))
        }
        return false
    }
}

extension Int {
    /// The number with a space between groups of three digits: 1 000 000.
    var grouped: String {
        var (text, rest) = ("", String(magnitude))
        while rest.count > 3 {
            text = " " + rest.suffix(3) + text
            rest = String(rest.dropLast(3))
        }
        return (self < 0 ? "-" : "") + rest + text
    }
}
