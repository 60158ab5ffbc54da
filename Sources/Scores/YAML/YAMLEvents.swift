// Yams' own tree takes 160 bytes per scalar, and its comparison of keys takes exponential time if aliases are nested.
// So this code reads the events of libyaml.
internal import CLibYAML
internal import Languages

extension YAMLTree {
    /// Parses a document; reports the first syntax error and then returns nil.
    static func parse(_ source: SourceText, _ log: inout DiagnosticLog) -> YAMLTree? {
        source.bytes.withUnsafeBufferPointer { bytes -> YAMLTree? in
            // libyaml keeps a pointer to its parser, so the parser must not move.
            let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
            defer { parser.deallocate() }
            guard yaml_parser_initialize(parser) == 1 else {
                log.error(at: 0..<0, localized("there is not enough memory to read the file"))
                return nil
            }
            defer { yaml_parser_delete(parser) }
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
            var builder = YAMLTreeBuilder(source)
            while true {
                var event = yaml_event_t()
                guard yaml_parser_parse(parser, &event) == 1 else {
                    YAMLSyntaxError(parser.pointee, &builder.offsets, source).report(&log)
                    return nil
                }
                defer { yaml_event_delete(&event) }
                if event.type == YAML_STREAM_END_EVENT { break }
                do throws(Problem) { try builder.take(event, &log) } catch {
                    log.error(at: error.range, error.error)
                    return nil
                }
            }
            if builder.tree.nodes.isEmpty {
                let isEmpty = bytes.allSatisfy { $0.isBlank || $0 == 0x0A || $0 == 0x0D }
                log.error(
                    at: 0..<0,
                    isEmpty ? localized("the file is empty") : localized("the file has comments but no score"),
                    hint: localized("a score needs 'lines' or 'bars'"))
                return nil
            }
            return builder.tree
        }
    }
}

/// Builds the tree from libyaml's events.
private struct YAMLTreeBuilder {
    /// A collection that is still open.
    private struct Open {
        var id: YAMLTree.ID
        var lastChild: YAMLTree.ID?
        var anchor: String?
        /// The number of values in the content with all aliases expanded.
        var unfolded = 1
    }

    var tree: YAMLTree
    var offsets: ByteOffsets
    private var open: [Open] = []
    /// The values that aliases can refer to, by their anchors.
    private var targets: [String: (id: YAMLTree.ID, unfolded: Int)] = [:]

    init(_ source: SourceText) {
        tree = YAMLTree(source: source)
        offsets = ByteOffsets(source)
    }

    /// Takes the next event.
    mutating func take(_ event: yaml_event_t, _ log: inout DiagnosticLog) throws(Problem) {
        let start = offsets.offset(of: event.start_mark)
        switch event.type {
        case YAML_DOCUMENT_START_EVENT where !tree.nodes.isEmpty:
            let message = localized("\(tree.source.kind.file) has one document, but another begins here")
            throw Problem(start..<(start + 3), message)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let end = offsets.offset(of: event.end_mark)
            let text = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let id = tree.appendScalar(text, range: start..<end, isPlain: scalar.style == YAML_PLAIN_SCALAR_STYLE)
            warnOfTag(scalar.tag, start..<end, &log)
            try close(id, anchor: String(scalar.anchor), unfolded: 1)
        case YAML_ALIAS_EVENT:
            let end = offsets.offset(of: event.end_mark)
            let name = String(event.data.alias.anchor) ?? ""
            guard let target = targets[name] else {
                let isInside = open.contains { $0.anchor == name }
                let message =
                    isInside
                    ? localized("*\(name) is inside the value that it names")
                    : localized("nothing above this is named &\(name)")
                throw Problem(start..<end, message)
            }
            let id = tree.append(
                YAMLTree.Node(
                    kind: tree.kind(target.id), isAlias: true, start: UInt32(start), end: UInt32(end),
                    count: UInt32(target.id)))
            try close(id, anchor: nil, unfolded: target.unfolded)
        case YAML_SEQUENCE_START_EVENT:
            let list = event.data.sequence_start
            warnOfTag(list.tag, start..<(start + 1), &log)
            try open(.list, at: start, anchor: String(list.anchor))
        case YAML_MAPPING_START_EVENT:
            let map = event.data.mapping_start
            warnOfTag(map.tag, start..<(start + 1), &log)
            try open(.map, at: start, anchor: String(map.anchor))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            if let ended = open.popLast() { try close(ended.id, anchor: ended.anchor, unfolded: ended.unfolded) }
        default: break
        }
    }

    private mutating func open(_ kind: YAMLTree.Kind, at start: Int, anchor: String?) throws(Problem) {
        guard open.count < YAMLTree.depthLimit else {
            throw Problem(start..<(start + 1), YAMLSyntaxError.tooDeep)
        }
        let id = tree.append(YAMLTree.Node(kind: kind, start: UInt32(start), end: UInt32(start + 1)))
        open.append(Open(id: id, anchor: anchor))
    }

    /// Passes a finished node to its parent and remembers its anchor.
    private mutating func close(_ id: YAMLTree.ID, anchor: String?, unfolded: Int) throws(Problem) {
        if let anchor { targets[anchor] = (id, unfolded) }
        guard var parent = open.popLast() else { return }
        tree.link(id, to: parent.id, after: parent.lastChild)
        parent.lastChild = id
        parent.unfolded += unfolded
        open.append(parent)
        guard parent.unfolded <= YAMLTree.unfoldedLimit else {
            let message = localized("the aliases of the file expand to more than 100 000 000 values")
            throw Problem(tree.range(id), message)
        }
    }

    private func warnOfTag(_ tag: UnsafeMutablePointer<yaml_char_t>?, _ range: Range<Int>, _ log: inout DiagnosticLog) {
        guard tag != nil else { return }
        let message = localized("a tag has no effect in \(tree.source.kind.noun)")
        log.warning(at: range, message, hint: localized("leave it out"))
    }
}

/// Converts libyaml's positions, which count characters, to byte offsets; fast for positions near the previous one.
struct ByteOffsets {
    private let source: SourceText
    private var (characters, bytes) = (0, 0)

    init(_ source: SourceText) { self.source = source }

    mutating func offset(of mark: yaml_mark_t) -> Int {
        let target = Int(mark.index)
        if source.isASCII { return min(target, source.bytes.count) }
        while characters < target, bytes < source.bytes.count {
            bytes += 1
            while bytes < source.bytes.count, source.bytes[bytes].isContinuation { bytes += 1 }
            characters += 1
        }
        while characters > target, bytes > 0 {
            bytes -= 1
            while bytes > 0, source.bytes[bytes].isContinuation { bytes -= 1 }
            characters -= 1
        }
        return bytes
    }
}

extension String {
    /// The text of a C string of libyaml; nil for a null pointer.
    fileprivate init?(_ text: UnsafeMutablePointer<yaml_char_t>?) {
        guard let text else { return nil }
        self = String(cString: UnsafePointer(text))
    }
}
