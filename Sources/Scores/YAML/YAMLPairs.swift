/// A YAML file of keys with single values, such as settings, and where each stands.
package struct YAMLPairs {
    /// A key with its value.
    package struct Pair {
        /// The key.
        package var key: String
        /// The value; nil where it is a list or a set of keys.
        package var value: String?
        /// The line of the key, from 1.
        package var line: Int
        /// The bytes of the key.
        package var keyRange: Range<Int>
        /// The bytes of the value with its quotes; only where they begin for one that is no single value.
        package var valueRange: Range<Int>
        /// Whether the key stands in the file before this.
        package var isRepeated: Bool
    }

    /// The file as UTF-8 without a byte order mark.
    package var bytes: [UInt8] { source.bytes }
    /// The pairs in the order of the file.
    package private(set) var pairs: [Pair] = []
    /// Whether the file is no YAML of keys at all: nothing in it can be used.
    package private(set) var isDamaged = false

    private var source: SourceText
    private var log = DiagnosticLog()

    /// Reads the bytes of a file, whose name is for messages. Never traps, whatever they are.
    package init(_ bytes: [UInt8], file: String) {
        source = SourceText(bytes, file: file)
        source.kind = .settings
        source.check(&log)
        var pairsTree: YAMLTree?
        if !log.hasErrors, YAMLPairs.hasContent(source.bytes), let tree = YAMLTree.parse(source, &log) {
            if tree.kind(0) != .map {
                log.error(at: tree.range(0), "a settings file is a set of keys", hint: "for example a4: 442")
            }
            pairsTree = tree.kind(0) == .map ? tree : nil
        }
        isDamaged = log.hasErrors
        if let pairsTree { read(pairsTree) }
    }

    /// Reports that what stands in a range of bytes is wrong.
    package mutating func error(at range: Range<Int>, _ error: TextError) { log.error(at: range, error) }

    /// Whether something is wrong with it.
    package var hasErrors: Bool { log.hasErrors }

    /// What there is to say about it, in order of position.
    package var diagnostics: [Diagnostic] { log.diagnostics(in: source) }

    private mutating func read(_ tree: YAMLTree) {
        var lines = LineFinder(source.bytes)
        var seen: Set<String> = []
        var found: [Pair] = []
        tree.eachPair(0, &log) { keyID, child, log in
            lines.advance(to: tree.range(keyID).lowerBound)
            var pair = Pair(
                key: tree.text(keyID), value: nil, line: lines.line, keyRange: tree.range(keyID),
                valueRange: tree.range(child), isRepeated: false)
            pair.isRepeated = !seen.insert(pair.key).inserted
            if tree.kind(child) == .scalar {
                pair.value = tree.isNull(child) ? "" : tree.text(child)
            } else {
                let shape = tree.kind(child) == .list ? "a list" : "a set of keys"
                log.error(at: tree.range(child), "\(TextError.quoted(pair.key)) is a single value, not \(shape)")
            }
            if pair.isRepeated {
                log.error(at: tree.range(keyID), "the key \(TextError.quoted(pair.key)) is given a second time")
            }
            found.append(pair)
        }
        pairs = found
    }

    /// Whether there is anything but blank lines and comments.
    private static func hasContent(_ bytes: [UInt8]) -> Bool {
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains { line in
            let first = line.utf8.first { !$0.isBlank }
            return first.map { $0 != UInt8(ascii: "#") } ?? false
        }
    }
}
