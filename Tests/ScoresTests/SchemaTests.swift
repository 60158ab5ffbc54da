import Formats
import Foundation
import SampleScores
import Shared
import Testing
import Yams

@testable import Scores

/// The part of JSON Schema (draft 7) that score.schema.json uses; any other keyword is an error of the test.
private struct Schema {
    let root: [String: Any]

    init() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/score.schema.json")
        root = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
    }

    /// The error of a value; nil if it is valid.
    func fault(_ value: Any, _ schema: [String: Any]? = nil, at path: String = "") throws -> String? {
        let schema = schema ?? root
        for (keyword, rule) in schema {
            let fault: String?
            switch keyword {
            case "$schema", "title", "description", "definitions", "properties": fault = nil
            case "$ref":
                let name = try #require((rule as? String)?.split(separator: "/").last.map(String.init))
                let definitions = try #require(root["definitions"] as? [String: [String: Any]])
                fault = try self.fault(value, definitions[name] ?? ["no such definition": name], at: path)
            case "anyOf", "oneOf":
                let branches = try #require(rule as? [[String: Any]])
                let faults = try branches.map { try self.fault(value, $0, at: path) }
                let passed = faults.count { $0 == nil }
                let isRight = keyword == "anyOf" ? passed > 0 : passed == 1
                fault = isRight ? nil : "\(keyword): \(faults.compactMap(\.self))"
            case "type":
                let types = (rule as? [String]) ?? [rule as? String ?? ""]
                fault = types.contains { Schema.isOf($0, value) } ? nil : "is not \(types)"
            case "enum":
                fault =
                    try #require(rule as? [Any]).contains { Schema.equal($0, value) } ? nil : "is not one of \(rule)"
            case "const": fault = Schema.equal(rule, value) ? nil : "is not \(rule)"
            case "pattern":
                let text = value as? String
                fault =
                    try text.map { text in
                        let pattern = try NSRegularExpression(pattern: try #require(rule as? String))
                        let all = NSRange(text.startIndex..., in: text)
                        return pattern.firstMatch(in: text, range: all) == nil ? "is not \(rule)" : nil
                    } ?? nil
            case "maxLength":
                fault = (value as? String)?.unicodeScalars.count ?? 0 <= rule as? Int ?? 0 ? nil : "is long"
            case "minimum": fault = (number(value) ?? .infinity) >= (rule as? Double ?? 0) ? nil : "is small"
            case "exclusiveMinimum": fault = (number(value) ?? .infinity) > (rule as? Double ?? 0) ? nil : "is small"
            case "maximum": fault = (number(value) ?? 0) <= (rule as? Double ?? 0) ? nil : "is large"
            case "minItems": fault = (value as? [Any])?.count ?? .max >= rule as? Int ?? 0 ? nil : "is short"
            case "maxItems": fault = (value as? [Any])?.count ?? 0 <= rule as? Int ?? 0 ? nil : "is long"
            case "items":
                let items = try #require(rule as? [String: Any])
                fault = try (value as? [Any])?.lazy.compactMap { try self.fault($0, items, at: path + "[]") }.first
            case "required":
                let keys = (value as? [String: Any])?.keys
                fault = try #require(rule as? [String]).first { keys?.contains($0) == false }.map { "has no \($0)" }
            case "additionalProperties":
                let known = schema["properties"] as? [String: [String: Any]] ?? [:]
                fault = try (value as? [String: Any])?.lazy.compactMap { key, value in
                    if let known = known[key] { return try self.fault(value, known, at: "\(path).\(key)") }
                    if let other = rule as? [String: Any] { return try self.fault(value, other, at: "\(path).\(key)") }
                    return "has a key \(key)"
                }.first
            default:
                Issue.record("the schema uses \(keyword)")
                fault = nil
            }
            if let fault { return "\(path) \(fault)" }
        }
        return nil
    }

    private func number(_ value: Any) -> Double? { value as? Double ?? (value as? Int).map(Double.init) }

    private static func isOf(_ type: String, _ value: Any) -> Bool {
        switch type {
        case "string": value is String
        case "boolean": value is Bool
        case "integer": value is Int
        case "number": !(value is Bool) && (value is Int || value is Double)
        case "array": value is [Any]
        case "object": value is [String: Any]
        case "null": value is NSNull
        default: false
        }
    }

    private static func equal(_ a: Any, _ b: Any) -> Bool {
        if let a = a as? String { return a == b as? String }
        // A JSON number is not equal to a Boolean.
        if let a = a as? Bool, b is Bool { return a == b as? Bool }
        return false
    }

    /// The error of a YAML text; nil if it is valid.
    func fault(inText text: String) throws -> String? {
        // YAML 1.2, as editors read it: all scalars are texts except plain numbers, null, true and false.
        let resolver = Resolver.basic
            .appending(try Resolver.Rule(.int, "^[-+]?[0-9]+$"))
            .appending(try Resolver.Rule(.float, "^[-+]?[0-9]+[.][0-9]+$"))
            .appending(try Resolver.Rule(.null, "^(~|null|)$"))
            .appending(try Resolver.Rule(.bool, "^(true|false)$"))
        return try fault(try #require(try Yams.load(yaml: text, resolver)))
    }
}

struct SchemaTests {
    private func blocks() throws -> [String] {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/score-format.md")
        return try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```")
            .filter { $0.hasPrefix("yaml\n") }.map { String($0.dropFirst(5)) }
    }

    @Test("every example in score-format.md and every bundled score is valid by the schema")
    func examples() throws {
        let schema = try Schema()
        let bundled = BundledScore.all.map { String(decoding: $0.bytes, as: UTF8.self) }
        let texts = try blocks() + bundled
        #expect(texts.count >= 10)
        for text in texts { #expect(try schema.fault(inText: text) == nil, "\(text)") }
    }

    @Test("random scores are valid by the schema")
    func random() throws {
        let schema = try Schema()
        var random = Seeded(state: 11)
        for _ in 0..<30 {
            let text = Score.randomPage(&random).yaml
            let fault = try schema.fault(inText: text)
            #expect(fault == nil, "\(text)")
            if fault != nil { return }
        }
    }

    @Test(
        "a mistake is invalid by the schema",
        arguments: [
            "title: x", "lnies: [[1]]", "bars: []", "bars: [5//8]", "bars: [{label: x}]", "bars: [1]\nlines: [[1]]",
            "bars: [{duration: 1, clik: off}]", "bars: [1]\nspeed: fast", "bars: [1]\ndrone: H4",
            "bars: [{meter: 4/4, ramp: {to: 60}}]", "brackets: [{start: 1}]", "bars: [1]\ngrid: minutes",
            "bars: [{meter: 4/4, beats: abc}]", "tempo: 3:2\nbars: [4/4]", "bars: [{meter: 4/4, times: 0}]",
            "lines: [{repeat: 0, bars: [1]}]", "bars: [{meter: 4/4, tempo: x}]",
        ])
    func slips(text: String) throws { #expect(try Schema().fault(inText: text) != nil) }
}
