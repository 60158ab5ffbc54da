internal import CExpat
internal import Languages
internal import Scores

/// An element of an XML text, with names in lower case, because readers of workouts ignore case.
final class XMLElement {
    let name: String
    let attributes: [String: String]
    /// Its start in the text that was parsed.
    let offset: Int
    fileprivate(set) var children: [XMLElement] = []
    fileprivate(set) var text = ""

    fileprivate init(_ name: String, _ attributes: [String: String], offset: Int) {
        (self.name, self.attributes, self.offset) = (name, attributes, offset)
    }

    /// The first child with a name.
    func child(_ name: String) -> XMLElement? { children.first { $0.name == name } }
}

/// What becomes of an element that is complete.
enum XMLOutcome {
    /// It stays in its parent.
    case keep
    /// It is removed from its parent, because the reader has taken what it needs.
    case drop
}

/// Parses XML with expat; can repair common faults of workout files before: Windows-1252 bytes, whatever the declaration
/// says; UTF-16; blanks before the declaration; a bare `&`; references of HTML.
enum XMLText {
    /// The bytes, repaired as far as possible into UTF-8 that expat accepts.
    static func mended(_ bytes: [UInt8]) -> [UInt8] {
        // Half a character at the end of UTF-16 is left out.
        let whole = SourceText(Array(bytes.dropLast(bytes.count % 2)), file: "")
        let text = (whole.utf16ByteOrder == nil ? SourceText(bytes, file: "") : whole).transcoded.bytes
        var mended: [UInt8] = []
        mended.reserveCapacity(text.count + 64)
        let start = text.firstIndex { !blanks.contains($0) } ?? text.count
        var index = start
        while index < text.count {
            let byte = text[index]
            index += 1
            mended.append(byte)
            if byte == UInt8(ascii: "&") {
                let name = reference(text[index...])
                if let number = htmlReferences[name] {
                    mended += Array("#\(number)".utf8)
                    index += name.utf8.count
                } else if !isKnown(name) {
                    mended += Array("amp;".utf8)
                }
            }
            // XML 1.0 does not allow control characters.
            if byte < 0x20, !blanks.contains(byte) { mended[mended.count - 1] = 0x20 }
        }
        return mended
    }

    /// The root element of UTF-8 bytes. `kind` is what the text is, such as "a workout".
    ///
    /// A reader of large texts leaves out elements with all that they contain (`wants`, called with the name and the
    /// start of each element), or takes them one by one when they are complete (`end`, called with the element and the
    /// name of its parent). If something follows the root element, `tail` tells for its place whether to leave it out.
    static func parse(
        _ bytes: [UInt8], kind: String, wants: @escaping (String, Int) -> Bool = { _, _ in true },
        end: @escaping (XMLElement, String) -> XMLOutcome = { _, _ in .keep }, tail: (Int) -> Bool = { _ in false }
    ) throws(Problem) -> XMLElement {
        guard let parser = XML_ParserCreate("UTF-8") else { throw Problem(0, localized("no memory")) }
        defer { XML_ParserFree(parser) }
        let tree = Tree(parser, wants, end)
        // `tree` is a local of this function, so it outlives the parser's use of it.
        XML_SetUserData(parser, Unmanaged.passUnretained(tree).toOpaque())
        XML_SetElementHandler(
            parser,
            { data, name, attributes in
                guard let data, let name else { return }
                Unmanaged<Tree>.fromOpaque(data).takeUnretainedValue().begin(String(cString: name), attributes)
            },
            { data, _ in
                guard let data else { return }
                Unmanaged<Tree>.fromOpaque(data).takeUnretainedValue().end()
            })
        XML_SetCharacterDataHandler(parser) { data, text, count in
            guard let data, let text else { return }
            Unmanaged<Tree>.fromOpaque(data).takeUnretainedValue().add(
                UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        let status = bytes.withUnsafeBytes { all in
            XML_Parse(parser, all.bindMemory(to: CChar.self).baseAddress, Int32(all.count), 1)
        }
        switch tree.excess {
        case .depth: throw Problem(tree.offset, localized("this is nested deeper than \(kind) needs"))
        case .count:
            throw Problem(tree.offset, localized("this has more elements than \(kind) needs"))
        case nil: break
        }
        guard status == XML_STATUS_OK, let root = tree.root else {
            let reason = XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) } ?? localized("not XML")
            let offset = max(Int(XML_GetCurrentByteIndex(parser)), 0)
            if tree.isComplete, let root = tree.root, tail(offset) { return root }
            throw Problem(offset, localized("this is not XML: \(reason)"))
        }
        return root
    }

    private static let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]

    /// The name of the reference after a `&`, such as `nbsp` before a semicolon; empty if there is none.
    private static func reference(_ rest: ArraySlice<UInt8>) -> String {
        let name = rest.prefix(12).prefix { $0 != UInt8(ascii: ";") }
        return rest.dropFirst(name.count).first == UInt8(ascii: ";") ? String(decoding: name, as: UTF8.self) : ""
    }

    /// Whether XML knows the name of a reference.
    private static func isKnown(_ name: String) -> Bool {
        if ["amp", "lt", "gt", "quot", "apos"].contains(name) { return true }
        let isHexadecimal = name.hasPrefix("#x")
        guard name.hasPrefix("#"),
            let value = UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
        else { return false }
        return [9, 10, 13].contains(value) || value >= 0x20 && UnicodeScalar(value) != nil && value | 1 != 0xFFFF
    }

    /// The references of HTML that people write in texts.
    private static let htmlReferences: [String: UInt32] = [
        "nbsp": 0xA0, "deg": 0xB0, "plusmn": 0xB1, "sup2": 0xB2, "middot": 0xB7, "frac12": 0xBD, "times": 0xD7,
        "szlig": 0xDF, "agrave": 0xE0, "auml": 0xE4, "Auml": 0xC4, "ccedil": 0xE7, "egrave": 0xE8, "eacute": 0xE9,
        "ecirc": 0xEA, "ntilde": 0xF1, "ouml": 0xF6, "Ouml": 0xD6, "uuml": 0xFC, "Uuml": 0xDC, "ndash": 0x2013,
        "mdash": 0x2014, "lsquo": 0x2018, "rsquo": 0x2019, "ldquo": 0x201C, "rdquo": 0x201D, "bull": 0x2022,
        "hellip": 0x2026, "trade": 0x2122, "rarr": 0x2192, "le": 0x2264, "ge": 0x2265, "copy": 0xA9, "reg": 0xAE,
    ]

    /// Builds the tree as expat reads the text.
    private final class Tree {
        enum Excess { case depth, count }

        var root: XMLElement?
        /// The limit that the text exceeds; nil if it keeps to both.
        var excess: Excess?
        var offset = 0
        private var open: [(element: XMLElement, count: Int)] = []
        /// Whether the root element has ended.
        var isComplete: Bool { root != nil && open.isEmpty && excess == nil }
        /// How many elements the tree has.
        private var count = 0
        /// How many elements are open inside one that is left out, with itself.
        private var skipped = 0
        private let parser: XML_Parser
        private let wants: (String, Int) -> Bool
        private let ended: (XMLElement, String) -> XMLOutcome
        private static let depthLimit = 64
        private static let countLimit = 500_000

        init(
            _ parser: XML_Parser, _ wants: @escaping (String, Int) -> Bool,
            _ ended: @escaping (XMLElement, String) -> XMLOutcome
        ) {
            (self.parser, self.wants, self.ended) = (parser, wants, ended)
        }

        func begin(_ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<XML_Char>?>?) {
            offset = max(Int(XML_GetCurrentByteIndex(parser)), 0)
            let name = name.lowercased()
            guard skipped == 0, wants(name, offset) || root == nil else {
                skipped += 1
                return
            }
            var values: [String: String] = [:]
            var index = 0
            while let attributes, let key = attributes[index], let value = attributes[index + 1] {
                values[String(cString: key).lowercased()] = String(cString: value)
                index += 2
            }
            let element = XMLElement(name, values, offset: offset)
            if let parent = open.last?.element { parent.children.append(element) } else { root = element }
            open.append((element, count))
            count += 1
            if open.count > Tree.depthLimit { excess = .depth }
            if count > Tree.countLimit { excess = .count }
            if excess != nil { XML_StopParser(parser, XML_Bool(0)) }
        }

        func end() {
            guard skipped == 0 else {
                skipped -= 1
                return
            }
            guard excess == nil, let (element, before) = open.popLast() else { return }
            let parent = open.last?.element
            guard ended(element, parent?.name ?? "") == .drop, let parent else { return }
            parent.children.removeLast()
            count = before
        }

        func add(_ text: UnsafeRawBufferPointer) {
            guard skipped == 0 else { return }
            open.last?.element.text += String(decoding: text, as: UTF8.self)
        }
    }
}
