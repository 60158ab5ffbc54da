internal import Foundation
internal import Shared
internal import Testing

/// The scripts of the page, run without a browser.
enum PageScript {
    /// Runs a module that may import the page's modules by their names; returns what it prints, as lines of numbers and
    /// words.
    static func run(_ script: String, input: String) throws -> [[Substring]] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("barline-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/CWeb/page").standardized
        for name in try FileManager.default.contentsOfDirectory(atPath: page.path) where name.hasSuffix(".js") {
            // The pages import each other from the root of the server.
            let module = try String(contentsOf: page.appendingPathComponent(name), encoding: .utf8)
                .replacingOccurrences(of: "from \"/", with: "from \"./")
            try Data(module.utf8).write(to: folder.appendingPathComponent(name))
        }
        try Data(#"{"type": "module"}"#.utf8).write(to: folder.appendingPathComponent("package.json"))
        try Data(input.utf8).write(to: folder.appendingPathComponent("input.json"))
        let head = """
            import { readFileSync } from "node:fs";
            import { parse } from "./elements.js";
            const input = parse(readFileSync(new URL("input.json", import.meta.url), "utf8"));

            """
        try Data((head + script).utf8).write(to: folder.appendingPathComponent("main.js"))
        let (text, code) = try Child.output(of: ["/usr/bin/node", folder.appendingPathComponent("main.js").path])
        try #require(code == 0)
        return text.split(separator: "\n").map { $0.split(separator: " ") }
    }
}
