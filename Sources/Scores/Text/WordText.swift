internal import Languages

/// Reads one of a set of words, ignoring case and blanks around it.
package enum WordText {
    /// A choice of words: `.pdf, .svg or .csv`.
    package static func list(_ words: [String]) -> String {
        localized("\(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
    }

    /// Reads one of the words of a type. `what` is what it stands for in a message, such as "a waveform". Errors: no such
    /// word; the error lists the words.
    package static func read<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ what: String
    ) throws(TextError) -> Value {
        try read(text, what, among: Array(Value.allCases), \.rawValue)
    }

    /// Reads the name of one of these values. Errors: no such name; the error lists the names.
    package static func read<Value>(
        _ text: String, _ what: String, among values: [Value], _ name: (Value) -> String
    ) throws(TextError) -> Value {
        let word = text.trimmingBlanks
        if let value = values.first(where: { name($0).lowercased() == word.lowercased() }) { return value }
        if word.meansOff, let off = values.first(where: { name($0) == "off" }) { return off }
        let names = values.map(name)
        let list = list(names)
        let near = Suggestion.nearest(to: word, in: names).map { localized("write \(list), did you mean '\($0)'?") }
        throw TextError(
            word.isEmpty ? localized("\(what) is missing") : localized("\(TextError.quoted(word)) is not \(what)"),
            hint: near ?? localized("write \(list)"))
    }
}
