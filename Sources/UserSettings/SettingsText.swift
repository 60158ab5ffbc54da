internal import Scores

/// The text of a settings file, and changes of single settings that leave the rest unchanged. A pure value.
package struct SettingsText: Equatable {
    /// The text in UTF-8, which must not be damaged.
    package let bytes: [UInt8]
    /// Whether it had to be written anew, without its comments.
    private(set) var isAnew = false
    /// The keys that it had before it was written anew, and could not keep: their values are not single.
    private(set) var lostKeys: [String] = []

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The text with a key set to a value: in place of its old value, or in a new line at the end.
    package func setting(_ key: String, to value: String) -> SettingsText {
        let pairs = YAMLPairs(bytes, file: "")
        guard let first = pairs.pairs.first(where: { $0.key == key }) else {
            var said = SettingsText.said(pairs)
            said.append(Said(key: key, value: value))
            return checked(SettingsText(pairs.bytes + newLine(key, value, behind: pairs.bytes)), said)
        }
        // If a key occurs several times, only the first is kept.
        if pairs.pairs.count(where: { $0.key == key }) > 1 {
            return removing(key, keepingFirst: true).setting(key, to: value)
        }
        let range = SettingsText.extent(of: first, in: pairs)
        let isBlock = pairs.bytes[range].contains { $0 == 0x0A || $0 == 0x0D }
        var text = Array(pairs.bytes[..<range.lowerBound])
        // After a `key:` without a value, the new value needs a space.
        if let last = text.last, last == UInt8(ascii: ":") { text.append(0x20) }
        text += Array(SettingsText.written(value).utf8)
        if isBlock, let last = pairs.bytes[range].last, last == 0x0A || last == 0x0D { text.append(0x0A) }
        let said = SettingsText.said(pairs).map { $0.key == key ? Said(key: key, value: value) : $0 }
        return checked(SettingsText(text + pairs.bytes[range.upperBound...]), said)
    }

    /// Whether a key stands in the text.
    func has(_ key: String) -> Bool { YAMLPairs(bytes, file: "").pairs.contains { $0.key == key } }

    /// The text without the lines of a key, except the first if `keepingFirst`.
    package func removing(_ key: String, keepingFirst: Bool = false) -> SettingsText {
        let pairs = YAMLPairs(bytes, file: "")
        guard has(key) else {
            var text = self
            text.lostKeys.removeAll { $0 == key }
            return text
        }
        var text = pairs.bytes
        let doomed = pairs.pairs.filter { $0.key == key }.dropFirst(keepingFirst ? 1 : 0)
        for pair in doomed.reversed() {
            let value = SettingsText.extent(of: pair, in: pairs)
            let start = text[..<pair.keyRange.lowerBound].lastIndex { $0 == 0x0A || $0 == 0x0D }.map { $0 + 1 } ?? 0
            var end = max(value.upperBound, pair.keyRange.upperBound)
            let endsLine = end > 0 && (text[end - 1] == 0x0A || text[end - 1] == 0x0D) && end > pair.keyRange.upperBound
            if !endsLine {
                while end < text.count, text[end] != 0x0A, text[end] != 0x0D { end += 1 }
                if end < text.count {
                    end += text[end] == 0x0D && end + 1 < text.count && text[end + 1] == 0x0A ? 2 : 1
                }
            }
            text.removeSubrange(start..<end)
        }
        var isKept = keepingFirst
        let said = SettingsText.said(pairs).filter { said in
            defer { if said.key == key { isKept = false } }
            return said.key != key || isKept
        }
        return checked(SettingsText(text), said)
    }

    /// A key with its value; the value is nil if it is not a single value.
    private struct Said: Equatable {
        var key: String
        var value: String?
    }

    /// The keys and values of a file, in order.
    private static func said(_ pairs: YAMLPairs) -> [Said] { pairs.pairs.map { Said(key: $0.key, value: $0.value) } }

    /// An edited text if it reads back to `said`; otherwise (a file in braces) `said` anew, a line for each key.
    private func checked(_ text: SettingsText, _ said: [Said]) -> SettingsText {
        let pairs = YAMLPairs(text.bytes, file: "")
        var text = text
        (text.isAnew, text.lostKeys) = (isAnew, lostKeys)
        if !pairs.isDamaged, SettingsText.said(pairs) == said { return text }
        let lines = said.map { said in
            said.value.map { "\(YAMLText.quoted(said.key)): \(SettingsText.written($0))\n" } ?? ""
        }
        text = SettingsText(Array(lines.joined().utf8))
        (text.isAnew, text.lostKeys) = (true, lostKeys + said.filter { $0.value == nil }.map(\.key))
        return text
    }

    /// Whether it has comments.
    var hasComments: Bool {
        let pairs = YAMLPairs(bytes, file: "")
        let texts = pairs.pairs.flatMap { [$0.keyRange, $0.valueRange] }
        return pairs.bytes.indices.contains { index in
            guard pairs.bytes[index] == UInt8(ascii: "#"), !texts.contains(where: { $0.contains(index) }) else {
                return false
            }
            return index == 0 || [0x09, 0x0A, 0x0D, 0x20].contains(pairs.bytes[index - 1])
        }
    }

    /// The bytes of a value. A value that is not single extends to the line of the next key.
    private static func extent(of pair: YAMLPairs.Pair, in pairs: YAMLPairs) -> Range<Int> {
        guard pair.value == nil else { return pair.valueRange }
        let next = pairs.pairs.first { $0.keyRange.lowerBound > pair.keyRange.lowerBound }
        var end = next?.keyRange.lowerBound ?? pairs.bytes.count
        while end > pair.valueRange.lowerBound, pairs.bytes[end - 1] == 0x20 { end -= 1 }
        return pair.valueRange.lowerBound..<max(end, pair.valueRange.lowerBound)
    }

    /// A new line for the end of a text, with the line ending that the text uses.
    private func newLine(_ key: String, _ value: String, behind bytes: [UInt8]) -> [UInt8] {
        let end = bytes.contains(0x0D) ? "\r\n" : "\n"
        let isOpen = bytes.last.map { $0 != 0x0A && $0 != 0x0D } ?? false
        return Array("\(isOpen ? end : "")\(key): \(SettingsText.written(value))\(end)".utf8)
    }

    /// A value as YAML reads it back: bare if that is safe, otherwise in quotes.
    package static func written(_ value: String) -> String {
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .%+-/_=()~:".utf8)
        let starts = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/".utf8)
        let isNegative = value.hasPrefix("-") && (value.utf8.dropFirst().first.map(starts.contains) ?? false)
        let isBare =
            (value.utf8.first.map(starts.contains) ?? false || isNegative) && value.utf8.allSatisfy(letters.contains)
            && !value.contains(": ") && !value.hasSuffix(":") && !value.hasSuffix(" ") && value.lowercased() != "null"
        return isBare ? value : YAMLText.quoted(value)
    }
}
