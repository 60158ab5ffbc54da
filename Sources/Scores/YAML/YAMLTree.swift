internal import Languages

/// The nodes of a YAML document, in compact form, each with its place in the source.
///
/// An alias is a node that refers to its target, so the tree is never larger than its text. The text of a scalar is a
/// range of the source if it is there verbatim. No type is guessed from the text.
struct YAMLTree {
    /// A node's index; the root is 0, the children of a node follow it.
    typealias ID = Int

    enum Kind: UInt8 {
        case scalar, list, map
    }

    /// How deep collections may be nested: enough for a dozen nested groups.
    static let depthLimit = 32
    /// The maximum number of values in a document with all aliases expanded.
    static let unfoldedLimit = 100_000_000

    /// 20 bytes: a score of a million bars has a million of these nodes.
    struct Node {
        var kind: Kind
        var isAlias = false
        /// Whether it is a scalar without quotes.
        var isPlain = false
        /// Whether the text of the scalar is not in the source verbatim.
        var isRewritten = false
        /// The bytes of the source that a message marks.
        var start: UInt32
        var end: UInt32
        /// The number of children; for an alias its target.
        var count: UInt32 = 0
        /// The next child of the same parent; 0 if there is none.
        var next: UInt32 = 0
    }

    let source: SourceText
    private(set) var nodes: [Node] = []
    /// Whether a node may be reachable in more than one way.
    private(set) var hasAliases = false
    private var rewritten: [ID: String] = [:]

    init(source: SourceText) { self.source = source }

    /// The node itself or the target of an alias.
    func resolve(_ id: ID) -> ID { nodes[id].isAlias ? Int(nodes[id].count) : id }

    /// The kind of a node; for an alias, the kind of its target.
    func kind(_ id: ID) -> Kind { nodes[id].kind }

    /// The bytes to mark for a node; for an alias, those of the alias itself.
    func range(_ id: ID) -> Range<Int> { Int(nodes[id].start)..<Int(nodes[id].end) }

    /// The children of a list, or alternately the keys and values of a map.
    func children(_ id: ID) -> Children {
        let id = resolve(id)
        return Children(nodes: nodes, following: nodes[id].count > 0 ? id + 1 : 0)
    }

    /// Iterates over siblings.
    struct Children: Sequence, IteratorProtocol {
        fileprivate let nodes: [Node]
        fileprivate var following: ID

        mutating func next() -> ID? {
            guard following != 0 else { return nil }
            defer { following = Int(nodes[following].next) }
            return following
        }
    }

    /// The keys of a map with their values, in the order of the file.
    func pairs(_ id: ID) -> some Sequence<(key: ID, value: ID)> {
        sequence(state: children(id)) { children in
            children.next().flatMap { key in children.next().map { (key, $0) } }
        }
    }

    /// Whether a key of a map is a scalar; reports one that is not.
    func isWord(_ key: ID, _ log: inout DiagnosticLog) -> Bool {
        if kind(key) != .scalar { log.error(at: range(key), localized("a key must be a word")) }
        return kind(key) == .scalar
    }

    /// The number of children of a list, or of keys and values of a map together.
    func childCount(_ id: ID) -> Int { Int(nodes[resolve(id)].count) }

    /// The text of a scalar.
    func text(_ id: ID) -> String {
        let id = resolve(id)
        return rewritten[id] ?? source.text(textRange(id))
    }

    /// Whether a scalar is written without quotes.
    func isPlain(_ id: ID) -> Bool { nodes[resolve(id)].isPlain }

    /// Whether a plain scalar means null: empty, `~` or `null`.
    func isNull(_ id: ID) -> Bool {
        kind(id) == .scalar && isPlain(id) && ["", "~", "null"].contains(text(id))
    }

    /// Reads a scalar as a duration, directly from the source if possible.
    func duration(_ id: ID, as use: DurationUse) throws(DurationText.Fault) -> Duration {
        let id = resolve(id)
        if nodes[id].isRewritten {
            let text = text(id)
            return try DurationText.parse(text.utf8Span.span, as: use)
        }
        return try DurationText.parse(source.bytes.span.extracting(textRange(id)), as: use)
    }

    private func textRange(_ id: ID) -> Range<Int> {
        let quote = nodes[id].isPlain ? 0 : 1
        return (Int(nodes[id].start) + quote)..<(Int(nodes[id].end) - quote)
    }
}

// MARK: - Building

extension YAMLTree {
    mutating func append(_ node: Node) -> ID {
        hasAliases = hasAliases || node.isAlias
        nodes.append(node)
        return nodes.count - 1
    }

    /// Adds a scalar; its text is stored separately unless it is in the source verbatim.
    mutating func appendScalar(_ text: UnsafeBufferPointer<UInt8>, range: Range<Int>, isPlain: Bool) -> ID {
        var node = Node(kind: .scalar, isPlain: isPlain, start: UInt32(range.lowerBound), end: UInt32(range.upperBound))
        let quote = isPlain ? 0 : 1
        let isVerbatim =
            range.count == text.count + 2 * quote
            && source.bytes[(range.lowerBound + quote)..<(range.upperBound - quote)].elementsEqual(text)
        node.isRewritten = !isVerbatim
        let id = append(node)
        if !isVerbatim { rewritten[id] = String(decoding: text, as: UTF8.self) }
        return id
    }

    /// Makes `child` the next child of `parent`, after `previous`.
    mutating func link(_ child: ID, to parent: ID, after previous: ID?) {
        nodes[parent].count += 1
        if let previous { nodes[previous].next = UInt32(child) }
    }
}
