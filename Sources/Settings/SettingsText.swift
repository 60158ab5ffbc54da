internal import Score

/// The text of a settings file, and changes of single settings that leave the rest of it as it is. A pure value.
struct SettingsText: Equatable {
    /// The text in UTF-8; no damaged one.
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The text in which a key has a value: in the place of its old one, or in a line at the end.
    func setting(_ key: String, to value: String) -> SettingsText {
        let value = SettingsText.written(value)
        let pairs = YAMLPairs(bytes, file: "")
        guard !pairs.isInBraces else { return rewritten(pairs, key, value) }
        guard let first = pairs.pairs.first(where: { $0.key == key }) else {
            return SettingsText(pairs.bytes + lineEnd(behind: pairs.bytes) + Array("\(key): \(value)\n".utf8))
        }
        // A key that was given twice is given once.
        let rest = pairs.pairs.count { $0.key == key } > 1 ? removing(key, keepingFirst: true) : nil
        if let rest { return rest.setting(key, to: value) }
        let range = SettingsText.extent(of: first, in: pairs)
        let isBlock = pairs.bytes[range].contains { $0 == 0x0A || $0 == 0x0D }
        var text = Array(pairs.bytes[..<range.lowerBound])
        // The value of `key:` alone has to stand apart from the colon.
        if let last = text.last, last == UInt8(ascii: ":") { text.append(0x20) }
        text += Array(value.utf8)
        if isBlock, let last = pairs.bytes[range].last, last == 0x0A || last == 0x0D { text.append(0x0A) }
        let result = SettingsText(text + pairs.bytes[range.upperBound...])
        return result.has(key, value) ? result : rewritten(pairs, key, value)
    }

    /// The text without a key: its lines are gone.
    func removing(_ key: String) -> SettingsText { removing(key, keepingFirst: false) }

    private func removing(_ key: String, keepingFirst: Bool) -> SettingsText {
        let pairs = YAMLPairs(bytes, file: "")
        guard pairs.pairs.contains(where: { $0.key == key }) else { return self }
        if pairs.isInBraces { return rewritten(pairs, key, nil) }
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
        let result = SettingsText(text)
        let left = YAMLPairs(text, file: "")
        let expected = pairs.pairs.count - doomed.count
        return !left.isDamaged && left.pairs.count == expected ? result : rewritten(pairs, key, nil)
    }

    /// Whether a key has a value, and the file is none the worse.
    private func has(_ key: String, _ value: String) -> Bool {
        let pairs = YAMLPairs(bytes, file: "")
        let before = YAMLPairs(Array("\(key): \(value)\n".utf8), file: "").pairs.first?.value
        return !pairs.isDamaged && pairs.pairs.filter { $0.key == key }.map(\.value) == [before]
    }

    /// The bytes of a value; a list's or a set's go up to the line of the next key.
    private static func extent(of pair: YAMLPairs.Pair, in pairs: YAMLPairs) -> Range<Int> {
        guard pair.value == nil else { return pair.valueRange }
        let next = pairs.pairs.first { $0.keyRange.lowerBound > pair.keyRange.lowerBound }
        var end = next?.keyRange.lowerBound ?? pairs.bytes.count
        while end > pair.valueRange.lowerBound, pairs.bytes[end - 1] == 0x20 { end -= 1 }
        return pair.valueRange.lowerBound..<max(end, pair.valueRange.lowerBound)
    }

    /// What has to come before a new line: the end of the last one.
    private func lineEnd(behind bytes: [UInt8]) -> [UInt8] {
        guard let last = bytes.last, last != 0x0A, last != 0x0D else { return [] }
        return [0x0A]
    }

    /// Everything anew, a line each, for a text that is written otherwise.
    private func rewritten(_ pairs: YAMLPairs, _ key: String, _ value: String?) -> SettingsText {
        var lines: [(key: String, value: String)] = pairs.pairs.compactMap { pair in
            guard pair.key != key, !pair.isRepeated, let value = pair.value else { return nil }
            return (pair.key, SettingsText.written(value))
        }
        if let value { lines.append((key, value)) }
        return SettingsText(Array(lines.map { "\(YAMLText.quoted($0.key)): \($0.value)\n" }.joined().utf8))
    }

    /// A value as YAML reads it back: bare where that is safe, else in quotes.
    static func written(_ value: String) -> String {
        let letters = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .%+-/_=()~:".utf8)
        let starts = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/".utf8)
        let isNegative = value.hasPrefix("-") && (value.utf8.dropFirst().first.map(starts.contains) ?? false)
        let isBare =
            (value.utf8.first.map(starts.contains) ?? false || isNegative) && value.utf8.allSatisfy(letters.contains)
            && !value.contains(": ") && !value.hasSuffix(":") && !value.hasSuffix(" ") && value.lowercased() != "null"
        return isBare ? value : YAMLText.quoted(value)
    }
}
