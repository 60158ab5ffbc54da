internal import Scores

/// The modules of the page as one script, because browsers refuse imports from files. Each module becomes a function that
/// returns what it exports.
enum SentScript {
    /// What a module gets in place of another one: the conductor replaces the connection.
    private static let replaced = ["connection": "sent"]
    /// The modules that need a server.
    private static let omitted: Set<String> = ["guests", "heard", "shelf", "running"]

    static var text: String {
        var (done, script): (Set<String>, String) = ([], "\"use strict\";\n")
        // What browsers keep comes first: all modules use it in place of the browser's own.
        add("storage", &done, &script)
        script += "const { localStorage, sessionStorage } = $storage;\n"
        add("page", &done, &script)
        return "(() => {\n\(script)})();\n"
    }

    /// Adds a module after those that it imports.
    private static func add(_ name: String, _ done: inout Set<String>, _ script: inout String) {
        guard done.insert(name).inserted else { return }
        let lines = squeezed(SentPage.file("/\(name).js")).split(separator: "\n")
        var (body, exports): (String, [String]) = ("", [])
        for line in lines {
            if line.hasPrefix("import "), let module = module(of: line) {
                guard !omitted.contains(module) else { continue }
                add(module, &done, &script)
                let names = line.dropFirst("import ".count)
                guard !names.hasPrefix("\""), let end = names.firstRange(of: " from ")?.lowerBound else { continue }
                body += "const \(destructured(names[..<end])) = $\(module);\n"
            } else if line.hasPrefix("export {"), let module = module(of: line) {
                add(module, &done, &script)
                exports += namesInBraces(line).map { "\($0): $\(module).\($0)" }
            } else if line.hasPrefix("export ") {
                let rest = line.dropFirst("export ".count)
                body += rest + "\n"
                let words = rest.split(whereSeparator: { " (={".contains($0) })
                if let name = words.first(where: { !["async", "function", "class", "const"].contains($0) }) {
                    exports.append(String(name))
                }
            } else {
                body += line + "\n"
            }
        }
        script += "const $\(name) = (() => {\n\(body)return { \(exports.joined(separator: ", ")) };\n})();\n"
    }

    /// The module that a line imports: `music` of `import { Music } from "./music.js";`.
    private static func module(of line: Substring) -> String? {
        guard let path = line.split(separator: "\"").dropFirst().first else { return nil }
        let name = String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
        return replaced[name] ?? name
    }

    /// `{ clock as clockText, left }` as a pattern of a declaration.
    private static func destructured(_ names: Substring) -> String {
        String(names.hasPrefix("* as ") ? names.dropFirst("* as ".count) : names.replacing(" as ", with: ": "))
    }

    private static func namesInBraces(_ line: Substring) -> [String] {
        let inside = line.drop { $0 != "{" }.dropFirst().prefix { $0 != "}" }
        return inside.split(whereSeparator: { ", ".contains($0) }).map(String.init)
    }

    /// JSON without the blanks between its values.
    static func compact(_ json: String) -> String {
        var (isText, isEscaped) = (false, false)
        let bytes = json.utf8.filter { byte in
            if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return isText || byte != UInt8(ascii: " ")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A script or style sheet without lines of comments, indentation and empty lines.
    static func squeezed(_ text: String) -> String {
        var (result, isComment) = ("", false)
        for line in text.split(separator: "\n") {
            let line = line.drop { $0 == " " }
            if line.hasPrefix("/*") { isComment = true }
            if !isComment, !line.isEmpty, !line.hasPrefix("//") { result += line + "\n" }
            if isComment, line.hasSuffix("*/") { isComment = false }
        }
        return result
    }
}
