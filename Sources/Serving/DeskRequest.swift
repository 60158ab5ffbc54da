package import Running

/// A change in the table of the plan that a page asks for.
package struct DeskRequest: Sendable, Equatable {
    /// The number of the table that the page shows.
    package var version: Int
    /// The row of that table, from 0; any number if the change is not for a row.
    package var row: Int
    /// The change.
    package var change: Change

    package init(version: Int, row: Int, change: Change) {
        (self.version, self.row, self.change) = (version, row, change)
    }

    /// What becomes of the plan.
    package enum Change: Sendable, Equatable {
        case edit(PlanEditor.Edit)
        /// The plan as a file.
        case save
        /// The plan is played in place of what plays.
        case start
    }
}

extension PaceEdit {
    /// Reads what follows `pace` in a message: `distance 10 km`, `lock time`, `unit pace`, `reset now`, `restore …`.
    init?(message: String) {
        let (word, rest) = message.firstWord
        switch word {
        case "lock", "unit":
            guard let row = Run.Quantity(rawValue: rest) else { return nil }
            self = word == "lock" ? .lock(row) : .unit(row)
        case "reset":
            guard rest == "now" else { return nil }
            self = .reset
        case "restore":
            guard let known = KnownRun(rest) else { return nil }
            self = .restore(known)
        default:
            guard let row = Run.Quantity(rawValue: word), !rest.isEmpty else { return nil }
            self = .value(row, rest)
        }
    }
}

extension DeskRequest {
    /// Reads what follows `plan` in a message, `VERSION ROW WORD TEXT`, such as `7 3 cell-pace 4:30`.
    init?(message: String) {
        let words = message.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 3, let version = Int(canonical: words[0]), let row = Int(canonical: words[1]),
            let change = Change(word: words[2], words.count == 4 ? words[3] : "")
        else { return nil }
        (self.version, self.row, self.change) = (version, row, change)
    }
}

extension DeskRequest.Change {
    fileprivate init?(word: String, _ text: String) {
        func quantity(after prefix: String) -> Run.Quantity? {
            word.hasPrefix(prefix) ? Run.Quantity(rawValue: String(word.dropFirst(prefix.count))) : nil
        }
        switch (word, text) {
        case ("save", ""): self = .save
        case ("start", ""): self = .start
        case (_, ""):
            guard let act = PlanEditor.Act.allCases.first(where: { "\($0)" == word }) else { return nil }
            self = .edit(.act(act))
        case ("unit", "distance"): self = .edit(.distanceUnit)
        case ("unit", "pace"): self = .edit(.paceUnit)
        case ("cell-name", _): self = .edit(.cell(.name, text))
        default:
            if word == "lock", let quantity = Run.Quantity(rawValue: text) {
                self = .edit(.lock(quantity))
            } else if let quantity = quantity(after: "cell-") {
                self = .edit(.cell(.value(quantity), text))
            } else if let quantity = quantity(after: "total-") {
                self = .edit(.total(quantity, text))
            } else if let purpose = PlanEditor.Entry.Purpose.allCases.first(where: { "\($0)" == word }) {
                self = .edit(.line(purpose, text))
            } else {
                return nil
            }
        }
    }
}

extension String {
    /// The text up to the first blank, and the text after it.
    fileprivate var firstWord: (String, String) {
        let words = split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (words.first ?? "", words.count == 2 ? words[1] : "")
    }
}

extension Int {
    /// A number of at most nine digits, without a sign or leading zeros.
    fileprivate init?(canonical text: String) {
        guard let number = Int(text), "\(number)" == text, (0...999_999_999).contains(number) else { return nil }
        self = number
    }
}
