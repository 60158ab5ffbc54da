/// A text for people as it stands in the sources, in English, with the values that it is about.
///
/// A catalog knows it by its `key`, in which `{1}`, `{2}` … stand for the values: a translation may reorder them.
package struct Phrase: Sendable, ExpressibleByStringInterpolation {
    /// The text between the values: one more than there are values.
    private var texts: [String]
    /// The values, as text.
    package private(set) var values: [String]

    /// Collects the parts of a literal.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var texts = [""]
        fileprivate var values: [String] = []

        /// Makes room for a literal.
        package init(literalCapacity: Int, interpolationCount: Int) {
            texts.reserveCapacity(interpolationCount + 1)
            values.reserveCapacity(interpolationCount)
        }

        /// Adds text that is translated.
        package mutating func appendLiteral(_ literal: String) { texts[texts.count - 1] += literal }

        /// Adds a value, which is not.
        package mutating func appendInterpolation(_ value: some Any) {
            values.append(String(describing: value))
            texts.append("")
        }
    }

    /// A phrase with values.
    package init(stringInterpolation: StringInterpolation) {
        (texts, values) = (stringInterpolation.texts, stringInterpolation.values)
    }

    /// A phrase without values.
    package init(stringLiteral: String) { (texts, values) = ([stringLiteral], []) }

    /// A phrase that is too long for one line of source.
    package static func + (first: Phrase, second: Phrase) -> Phrase {
        var whole = first
        whole.texts[first.texts.count - 1] += second.texts[0]
        whole.texts += second.texts.dropFirst()
        whole.values += second.values
        return whole
    }

    /// What a catalog looks for: `sound device {1} lost: {2}`.
    package var key: String {
        texts.dropFirst().enumerated().reduce(into: texts[0]) { $0 += "{\($1.offset + 1)}" + $1.element }
    }

    /// The text in English.
    package var english: String { zip(values, texts.dropFirst()).reduce(into: texts[0]) { $0 += $1.0 + $1.1 } }

    /// The text by a translation of the key. A placeholder without a value stays.
    package func text(by translation: String) -> String {
        guard !values.isEmpty else { return translation }
        let parts = translation.split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let digits = part.prefix { $0 != "}" }
            if digits.count < part.count, let number = Int(digits), values.indices.contains(number - 1) {
                text += values[number - 1] + part.dropFirst(digits.count + 1)
            } else {
                text += "{" + part
            }
        }
    }
}
