internal import Languages

// Brackets and orders.
extension YAMLScore {
    private enum BracketKey: String, CaseIterable { case player, label, start, end, cue }

    mutating func brackets(_ id: YAMLTree.ID) -> [Bracket] {
        let example = "- {start: 0:00 - 0:45, end: 0:30 - 1:15}"
        guard isList(id, "'brackets'", localized("'brackets' is a list of brackets"), example: example) else {
            return []
        }
        return items(of: id, limit: Bracket.limit, orSay: localized("a score has at most 10 000 brackets")) {
            $0.bracket($1)
        }
    }

    private mutating func bracket(_ id: YAMLTree.ID) -> Bracket? {
        guard isMap(id, localized("a bracket"), example: "{start: 0:00 - 0:45, end: 0:30 - 1:15}") else { return nil }
        let fields = fields(of: id, BracketKey.self, in: localized("a bracket"))
        let label = text(fields[.label], localized("a label"))
        let cue = text(fields[.cue], localized("a cue"))
        let player = text(fields[.player], localized("a player"))
        guard let startID = fields[.start], let endID = fields[.end] else {
            if !fields.hasUnknownKey { error(id, localized("a bracket needs 'start' and 'end'")) }
            return nil
        }
        guard let start = value(startID, localized("a window of time"), WindowText.parse),
            let end = value(endID, localized("a window of time"), WindowText.parse)
        else { return nil }
        guard end.lowerBound >= start.lowerBound, end.upperBound >= start.upperBound,
            end.upperBound > start.lowerBound
        else {
            error(endID, localized("a bracket cannot end before it begins"))
            return nil
        }
        return Bracket(label: label, start: start, end: end, cue: cue, player: player)
    }

    mutating func orders(_ id: YAMLTree.ID, _ score: Score) -> [Score.Order] {
        guard isMap(id, "'orders'", example: "{short: [A, C]}") else { return [] }
        var orders: [Score.Order] = []
        let labels = score.sections.map(\.label).filter { !$0.isEmpty }
        for (key, value) in tree.pairs(id) {
            guard let name = label(key, localized("an order's name")),
                isList(value, localized("an order"), localized("an order is a list of sections"), example: "[A, C]")
            else { continue }
            guard tree.childCount(value) <= Jump.limit else {
                error(value, localized("an order has at most 10 000 sections"))
                continue
            }
            if orders.contains(where: { $0.name == name }) {
                error(key, localized("there is already an order \(TextError.quoted(name))"))
            }
            var sections: [String] = []
            for child in tree.children(value) {
                guard let section = label(child, localized("a section")) else { continue }
                sections.append(section)
                guard !labels.contains(section) else { continue }
                error(
                    child, localized("there is no section \(TextError.quoted(section))"),
                    hint: Suggestion.hint(for: section, in: labels))
            }
            places.orders[name] = tree.range(key)
            orders.append(Score.Order(name: name, sections: sections))
        }
        return orders
    }
}
