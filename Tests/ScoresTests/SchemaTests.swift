import Formats
import Foundation
import SampleScores
import Scores
import Shared
import Testing

struct SchemaTests {
    /// Reads texts as editors do, by YAML 1.2: all scalars are texts except plain numbers, null, true and false. Prints a line
    /// for each: `valid`, or what the schema does not allow.
    private static let script = #"""
        import json, re, sys
        import jsonschema, yaml

        class Loader(yaml.SafeLoader):
            yaml_implicit_resolvers = {}

        def rule(name, pattern, first, value):
            Loader.add_implicit_resolver(name, re.compile(pattern), first)
            Loader.add_constructor(name, lambda loader, node: value(loader.construct_scalar(node)))

        rule("!int", r"^[-+]?[0-9]+$", list("-+0123456789"), int)
        rule("!float", r"^[-+]?[0-9]+[.][0-9]+$", list("-+0123456789"), float)
        rule("!null", r"^(~|null|)$", ["~", "n", ""], lambda text: None)
        rule("!bool", r"^(true|false)$", ["t", "f"], lambda text: text == "true")
        schema = json.load(open(sys.argv[2]))
        jsonschema.Draft7Validator.check_schema(schema)
        validator = jsonschema.Draft7Validator(schema)
        for text in json.load(open(sys.argv[1])):
            fault = jsonschema.exceptions.best_match(validator.iter_errors(yaml.load(text, Loader)))
            print(json.dumps(f"{fault.json_path}: {fault.message}") if fault else "valid")
        """#

    /// What the schema does not allow in each text; nil if a text is valid.
    private func faults(_ texts: [String]) throws -> [String?] {
        let schema = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/score.schema.json").path
        let file = [UInt8](try JSONSerialization.data(withJSONObject: texts))
        let lines = try Python.run(Self.script, file: file, arguments: [schema])
        try #require(lines.count == texts.count)
        return lines.map { $0 == "valid" ? nil : $0 }
    }

    private func blocks() throws -> [String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/score-format.md")
        return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
            .filter { $0.hasPrefix("yaml\n") }.map { String($0.dropFirst(5)) }
    }

    @Test("every example in score-format.md and every bundled score is valid by the schema")
    func examples() throws {
        let bundled = BundledScore.all.map { String(decoding: $0.bytes, as: UTF8.self) }
        let texts = try blocks() + bundled
        #expect(texts.count >= 10)
        for (text, fault) in zip(texts, try faults(texts)) { #expect(fault == nil, "\(text)") }
    }

    @Test("random scores are valid by the schema")
    func random() throws {
        var random = Seeded(state: 11)
        let texts = (0..<30).map { _ in Score.randomPage(&random).yaml }
        for (text, fault) in zip(texts, try faults(texts)) { try #require(fault == nil, "\(text)") }
    }

    @Test("a mistake is invalid by the schema")
    func slips() throws {
        let texts = [
            "title: x", "lnies: [[1]]", "bars: []", "bars: [5//8]", "bars: [{label: x}]", "bars: [1]\nlines: [[1]]",
            "bars: [{duration: 1, clik: off}]", "bars: [1]\nspeed: fast", "bars: [1]\ndrone: H4",
            "bars: [{meter: 4/4, ramp: {to: 60}}]", "brackets: [{start: 1}]", "bars: [1]\ngrid: minutes",
            "bars: [{meter: 4/4, beats: abc}]", "tempo: 3:2\nbars: [4/4]", "bars: [{meter: 4/4, times: 0}]",
            "lines: [{repeat: 0, bars: [1]}]", "bars: [{meter: 4/4, tempo: x}]",
        ]
        for (text, fault) in zip(texts, try faults(texts)) { #expect(fault != nil, "\(text)") }
    }
}
