internal import Scores

extension JSON {
    /// Objects with the same names, as a table: the names once, then a row for each element. `parse` in `elements.js` makes
    /// objects of it again.
    static func table<Element>(_ elements: some Sequence<Element>, _ object: (Element) -> [(String, JSON)]) -> JSON {
        var names: [JSON] = []
        let rows = elements.map { element in
            let fields = object(element)
            if names.isEmpty { names = fields.map { .text($0.0) } }
            return JSON.list(fields.map(\.1))
        }
        return rows.isEmpty ? .list([]) : .object(["fields": .list(names), "rows": .list(rows)])
    }
}

/// Different values, numbered from 0 in the order in which they came.
struct Numbered {
    private(set) var values: [JSON] = []
    private var numbers: [String: Int] = [:]

    mutating func number(of value: JSON) -> Int {
        let text = value.line
        if let number = numbers[text] { return number }
        numbers[text] = values.count
        values.append(value)
        return values.count - 1
    }
}
