internal import Languages

/// The values of a map by key.
struct YAMLFields<Name: RawRepresentable<String> & CaseIterable & Hashable> {
    fileprivate var values: [Name: YAMLTree.ID] = [:]
    /// Whether the map has unknown keys; they have been reported.
    fileprivate(set) var hasUnknownKey = false

    fileprivate static func unknownKey(_ word: String, in what: String) -> TextError {
        let all = Name.allCases.map(\.rawValue)
        let hint =
            YAMLSynonyms.hint(for: word, among: all) ?? Suggestion.hint(for: word, in: all)
            ?? localized("the keys of \(what) are \(all.joined(separator: ", "))")
        return TextError(localized("\(what) has no key \(TextError.quoted(word))"), hint: hint)
    }

    subscript(name: Name) -> YAMLTree.ID? { values[name] }

    /// The value of a key that several kinds of map have.
    subscript(shared key: String) -> YAMLTree.ID? { Name(rawValue: key).flatMap { values[$0] } }
}

// Readers of single values; each reports an error and then returns nil.
extension YAMLScore {
    /// Reports an error at a node. Its message is made only if it is shown.
    mutating func error(
        _ id: YAMLTree.ID, _ message: @autoclosure () -> String, hint: @autoclosure () -> String? = nil
    ) {
        log.error(at: tree.range(id), message(), hint: hint())
    }

    /// The values of a map by key; reports unknown and repeated keys.
    mutating func fields<Name: RawRepresentable<String> & CaseIterable & Hashable>(
        of id: YAMLTree.ID, _ names: Name.Type, in what: @autoclosure () -> String
    ) -> YAMLFields<Name> {
        var fields = YAMLFields<Name>()
        for (key, value) in tree.pairs(id) where tree.isWord(key, &log) {
            let word = tree.text(key)
            if let name = Name(rawValue: word) {
                if fields[name] != nil { error(key, localized("the key '\(word)' is given a second time")) }
                fields.values[name] = fields[name] ?? value
            } else {
                fields.hasUnknownKey = true
                log.error(at: tree.range(key), YAMLFields<Name>.unknownKey(word, in: what()))
            }
        }
        return fields
    }

    mutating func isMap(_ id: YAMLTree.ID, _ what: @autoclosure () -> String, example: String) -> Bool {
        let isMap = tree.kind(id) == .map
        if !isMap { error(id, localized("\(what()) is a set of keys"), hint: localized("for example \(example)")) }
        return isMap
    }

    mutating func isList(
        _ id: YAMLTree.ID, _ what: @autoclosure () -> String, _ wanted: @autoclosure () -> String,
        example: String = "[3, 2.7, 2]"
    ) -> Bool {
        guard tree.kind(id) == .list else {
            error(id, wanted(), hint: localized("for example \(example)"))
            return false
        }
        if tree.childCount(id) == 0 { error(id, localized("\(what()) is an empty list")) }
        return tree.childCount(id) > 0
    }

    mutating func isScalar(_ id: YAMLTree.ID, _ what: @autoclosure () -> String) -> Bool {
        switch tree.kind(id) {
        case .scalar: return true
        case .list: error(id, localized("\(what()) is a single value, not a list"))
        case .map: error(id, localized("\(what()) is a single value, not a set of keys"))
        }
        return false
    }

    /// Reads a value; nil also if there is none.
    mutating func value<Value>(
        _ id: YAMLTree.ID?, _ what: @autoclosure () -> String, _ parse: (String) throws(TextError) -> Value
    ) -> Value? {
        guard let id, isScalar(id, what()) else { return nil }
        do { return try parse(tree.text(id)) } catch { log.error(at: tree.range(id), error) }
        return nil
    }

    /// Reads a value into `target`, which stays as it is if there is no value, or after an error.
    mutating func read<Value>(
        _ id: YAMLTree.ID?, _ what: @autoclosure () -> String, into target: inout Value,
        _ parse: (String) throws(TextError) -> Value
    ) {
        if let read = value(id, what(), parse) { target = read }
    }

    /// Reads a whole number within limits.
    mutating func whole(_ id: YAMLTree.ID?, _ what: @autoclosure () -> String, _ limits: ClosedRange<Int>) -> Int? {
        value(id, what()) { text throws(TextError) in try Int(scoreText: text, what(), within: limits) }
    }

    /// Reads the properties of the head that a map gives.
    mutating func readProperties<Name>(_ fields: YAMLFields<Name>, _ score: inout Score) {
        for property in Score.properties { value(fields[shared: property.key], property.name, property.read)?(&score) }
        // Whoever asks for parts of beats wants to hear them.
        if fields[shared: "subdivide"] != nil, fields[shared: "beats"] == nil { score.beats = score.subdivision > 1 }
    }

    mutating func label(_ id: YAMLTree.ID?, _ what: @autoclosure () -> String) -> String? {
        value(id, what()) { text throws(TextError) in try TextRule.check(text, what: what()) }
    }

    /// Reads a text that may be left out; it is then empty.
    mutating func text(_ id: YAMLTree.ID?, _ what: @autoclosure () -> String) -> String { label(id, what()) ?? "" }

    mutating func duration(_ id: YAMLTree.ID, as use: DurationUse) -> Duration? {
        guard isScalar(id, localized("a duration")) else { return nil }
        do { return try tree.duration(id, as: use) } catch {
            let tree = tree
            log.error(at: tree.range(id), DurationText.explain(tree.text(id), error, use))
            return nil
        }
    }
}

extension Int {
    /// Reads a whole number; errors call it `what`. Errors: not a whole number, outside the limits.
    init(scoreText text: String, _ what: @autoclosure () -> String, within limits: ClosedRange<Int>) throws(TextError) {
        guard let number = Int(wholeText: text.trimmingBlanks, allowsMinus: true), limits.contains(number) else {
            throw TextError(
                localized(
                    "\(what()) must be a whole number, \(limits.lowerBound.grouped) to \(limits.upperBound.grouped)"))
        }
        self = number
    }

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
