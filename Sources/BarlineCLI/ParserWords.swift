internal import Application
internal import Languages
internal import Scores

/// The texts of ArgumentParser, which speaks only English, in the language of the process.
///
/// They are known by their words in version 1.8. What is not known stays English, and so do the names of values.
enum ParserWords {
    /// A page of help; nil for anything else, such as the version or a script for a shell.
    static func help(_ text: String) -> String? {
        guard text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") else { return nil }
        return lines(text) { line in
            let known = words.reduce(withDefault(line)) { $0.replacing($1.english, with: $1.translation) }
            return headings.firstTranslation(of: known[...]) ?? known
        }
    }

    /// An error, with its usage.
    static func error(_ text: String) -> String {
        lines(text) { line in
            let prefix = line.hasPrefix(BarlineCommand._errorPrefix) ? BarlineCommand._errorPrefix : ""
            return errors.firstTranslation(of: line.dropFirst(prefix.count)).map { prefix + $0 } ?? line
        }
    }

    private static func lines(_ text: String, _ translation: (String) -> String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { translation(String($0)) }
            .joined(separator: "\n")
    }

    /// The line of a default subcommand, whose description stays in its column.
    private static func withDefault(_ line: String) -> String {
        let column = 26
        let label = String(line.prefix(column))
        guard label.contains("(default) ") else { return line }
        let translated = label.replacing("(default)", with: localized("(default)")).trimmedEnd + " "
        return translated.padding(to: column) + line.dropFirst(column)
    }

    private static let headings: [ParserText] = [
        .localized("OVERVIEW: \(value)"), .localized("USAGE: \(value)"), .localized("ARGUMENTS:"),
        .localized("OPTIONS:"), .localized("SUBCOMMANDS:"), .localized("  See '\(value)' for detailed help."),
    ]

    /// What stands anywhere in a line of help.
    private static let words: [ParserText] = [
        .localized("Show help information."), .localized("Show the version."),
        .localized("Show subcommand help information."), .localized("(values:"), .localized("default:"),
    ]

    /// The first that fits is taken.
    private static let errors: [ParserText] = [
        .localized("Usage: \(value)"), .localized("Help:  \(value)"),
        .localized("  See '\(value)' for more information."),
        .localized("Unknown option '\(value)'. Did you mean '\(value)'?"), .localized("Unknown option '\(value)'"),
        .localized("   or: Missing value for '\(value)' in '\(value)'"), .localized("Missing value for '\(value)'"),
        .localized("Missing expected argument '\(value)'"), .localized("Missing one of: '\(value)'"),
        .localized("Missing required subcommand."),
        .localized("The option '\(value)' does not take any value, but '\(value)' was specified."),
        .localized("Unexpected argument '\(value)'"),
        .localized("Value to be set with flag \(value) had already been set with flag \(value)"),
        .localized("The value '\(value)' is invalid for '\(value)'. Please provide one of the following:"),
        .localized("The value '\(value)' is invalid for '\(value)'. Please provide one of \(value) or \(value)."),
        .localized("The value '\(value)' is invalid for '\(value)'. Please provide one of \(value) and \(value)."),
        .localized("The value '\(value)' is invalid for '\(value)': \(value)"),
        .localized("The value '\(value)' is invalid for '\(value)'"),
        .localized("Invalid option: \(value)"), .localized("Can't generate completion scripts for '\(value)'."),
        .localized("Can't autodetect a supported shell."),
        .localized("Please use --generate-completion-script=<shell> with one of:"),
        .localized("\(value) unexpected arguments: '\(value)'"),
    ]
}

/// What stands for a value in the table: no argument of a program has this character.
private let value = "\u{0}"

/// A text of ArgumentParser, by the words around its values.
private struct ParserText {
    private let parts: [String]

    static func localized(_ phrase: Phrase) -> ParserText {
        ParserText(parts: phrase.english.split(separator: "\u{0}", omittingEmptySubsequences: false).map(String.init))
    }

    /// The text of one that has no values.
    var english: String { parts[0] }

    /// The translation of one that has no values.
    var translation: String { translation(of: english[...]) ?? english }

    /// The translation of a line, with its values; nil if it is not this text.
    func translation(of line: Substring) -> String? {
        guard line.hasPrefix(parts[0]) else { return nil }
        var phrase = Phrase.StringInterpolation(literalCapacity: 0, interpolationCount: parts.count - 1)
        phrase.appendLiteral(parts[0])
        var rest = line.dropFirst(parts[0].count)
        for (index, part) in parts.enumerated().dropFirst() {
            let isLast = index == parts.count - 1
            guard isLast ? rest.hasSuffix(part) : rest.contains(part) else { return nil }
            let end =
                isLast ? rest.dropLast(part.count).endIndex : rest.firstRange(of: part)?.lowerBound ?? rest.endIndex
            phrase.appendInterpolation(rest[..<end])
            phrase.appendLiteral(part)
            rest = rest[end...].dropFirst(part.count)
        }
        return rest.isEmpty ? Languages.localized(Phrase(stringInterpolation: phrase)) : nil
    }
}

extension [ParserText] {
    /// The translation by the first text that fits a line; nil if none does.
    fileprivate func firstTranslation(of line: Substring) -> String? {
        lazy.compactMap { $0.translation(of: line) }.first
    }
}
