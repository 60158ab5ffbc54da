internal import Languages

/// A YAML file in which each key has a single value, such as a settings file, with the place of each pair.
package struct YAMLPairs {
    /// A key with its value.
    package struct Pair {
        /// The key.
        package var key: String
        /// The value; nil if it is a list or a map.
        package var value: String?
        /// The line of the key, from 1.
        package var line: Int
        /// The bytes of the key.
        package var keyRange: Range<Int>
        /// The bytes of the value with its quotes; for a list or a map, only its beginning.
        package var valueRange: Range<Int>
        /// Whether the key already occurred earlier in the file.
        package var isRepeated: Bool
    }

    /// The file as UTF-8 without a byte order mark.
    package var bytes: [UInt8] { source.bytes }
    /// The pairs in the order of the file.
    package private(set) var pairs: [Pair] = []
    /// Whether the file is not a YAML map, so that nothing in it can be used.
    package private(set) var isDamaged = false

    private var source: SourceText
    private var log = DiagnosticLog()

    /// Reads the bytes of a file; `file` is its name for messages. Never traps, whatever the bytes are.
    package init(_ bytes: [UInt8], file: String) {
        source = SourceText(bytes, file: file)
        source.kind = .settings
        source.check(&log)
        if !log.hasErrors, YAMLPairs.hasContent(source.bytes), let tree = YAMLTree.parse(source, &log) {
            if tree.kind(0) == .map {
                read(tree)
                return
            }
            log.error(
                at: tree.range(0), localized("a settings file is a set of keys"), hint: localized("for example a4: 442")
            )
        }
        isDamaged = log.hasErrors
    }

    /// Reports an error at a range of bytes.
    package mutating func error(at range: Range<Int>, _ error: TextError) { log.error(at: range, error) }

    /// Whether errors were reported.
    package var hasErrors: Bool { log.hasErrors }

    /// Everything reported, in order of position.
    package var diagnostics: [Diagnostic] { log.diagnostics(in: source) }

    private mutating func read(_ tree: YAMLTree) {
        var lines = LineFinder(source.bytes)
        var seen: Set<String> = []
        for (key, value) in tree.pairs(0) where tree.isWord(key, &log) {
            lines.advance(to: tree.range(key).lowerBound)
            let word = tree.text(key)
            var pair = Pair(
                key: word, value: nil, line: lines.line, keyRange: tree.range(key), valueRange: tree.range(value),
                isRepeated: !seen.insert(word).inserted)
            let quoted = TextError.quoted(word)
            switch tree.kind(value) {
            case .scalar: pair.value = tree.isNull(value) ? "" : tree.text(value)
            case .list: log.error(at: pair.valueRange, localized("\(quoted) is a single value, not a list"))
            case .map: log.error(at: pair.valueRange, localized("\(quoted) is a single value, not a set of keys"))
            }
            if pair.isRepeated { log.error(at: pair.keyRange, localized("the key \(quoted) is given a second time")) }
            pairs.append(pair)
        }
    }

    /// Whether there is anything except blank lines and comments.
    private static func hasContent(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .contains { line in line.utf8.first { !$0.isBlank }.map { $0 != UInt8(ascii: "#") } ?? false }
    }
}
