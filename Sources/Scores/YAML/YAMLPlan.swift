// Brackets and orders.
extension YAMLScore {
    private enum BracketKey: String, CaseIterable { case player, label, start, end, cue }

    mutating func brackets(_ id: YAMLTree.ID) -> [Bracket] {
        guard isList(id, "'brackets'", of: "brackets", example: "- {start: 0:00 - 0:45, end: 0:30 - 1:15}") else {
            return []
        }
        guard tree.childCount(id) <= Bracket.limit else {
            log.error(at: tree.range(id), "a score has at most 10 000 brackets")
            return []
        }
        return tree.children(id).compactMap { bracket($0) }
    }

    private mutating func bracket(_ id: YAMLTree.ID) -> Bracket? {
        guard isMap(id, "a bracket", example: "{start: 0:00 - 0:45, end: 0:30 - 1:15}") else { return nil }
        let fields = fields(of: id, BracketKey.self, in: "a bracket")
        let label = text(fields[.label], "a label")
        let cue = text(fields[.cue], "a cue")
        let player = text(fields[.player], "a player")
        guard let startID = fields[.start], let endID = fields[.end] else {
            if !fields.hasUnknownKey { log.error(at: tree.range(id), "a bracket needs 'start' and 'end'") }
            return nil
        }
        guard let start = value(startID, "a window of time", WindowText.parse),
            let end = value(endID, "a window of time", WindowText.parse)
        else { return nil }
        guard end.lowerBound >= start.lowerBound, end.upperBound >= start.upperBound,
            end.upperBound > start.lowerBound
        else {
            log.error(at: tree.range(endID), "a bracket cannot end before it begins")
            return nil
        }
        return Bracket(label: label, start: start, end: end, cue: cue, player: player)
    }

    mutating func orders(_ id: YAMLTree.ID, _ score: Score) -> [Score.Order] {
        guard isMap(id, "'orders'", example: "{short: [A, C]}") else { return [] }
        var orders: [Score.Order] = []
        let labels = score.sections.map(\.label).filter { !$0.isEmpty }
        for (key, value) in pairs(id) {
            guard let name = label(key, "an order's name"),
                isList(value, "an order", of: "sections", example: "[A, C]")
            else { continue }
            guard tree.childCount(value) <= Jump.limit else {
                log.error(at: tree.range(value), "an order has at most 10 000 sections")
                continue
            }
            if orders.contains(where: { $0.name == name }) {
                log.error(at: tree.range(key), "there is already an order \(TextError.quoted(name))")
            }
            var sections: [String] = []
            for child in tree.children(value) {
                guard let section = label(child, "a section") else { continue }
                sections.append(section)
                guard !labels.contains(section) else { continue }
                log.error(
                    at: tree.range(child), "there is no section \(TextError.quoted(section))",
                    hint: Suggestion.hint(for: section, in: labels))
            }
            orders.append(Score.Order(name: name, sections: sections))
        }
        return orders
    }
}
