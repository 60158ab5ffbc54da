/// One small change of a source file.
struct Change: Encodable {
    /// How it is woven in.
    enum Form: String, Encodable {
        case expression, statement
    }

    enum Kind: String, Encodable {
        case sign, bound, constant, condition, call, assignment
    }

    var file: String
    /// The bytes that it replaces, from 0.
    var start, end: Int
    var form: Form
    var kind: Kind
    /// What stands there instead; empty for a statement left out.
    var text: String
    var line, column: Int
}

/// What each operator is changed into, and the kind of that change.
let operatorChanges: [String: (kind: Change.Kind, into: [String])] = [
    "+": (.sign, ["-"]), "-": (.sign, ["+"]), "*": (.sign, ["/"]), "/": (.sign, ["*"]), "%": (.sign, ["/"]),
    "&+": (.sign, ["&-"]), "&-": (.sign, ["&+"]), "<<": (.sign, [">>"]), ">>": (.sign, ["<<"]),
    "&": (.sign, ["|"]), "|": (.sign, ["&"]),
    "+=": (.sign, ["-="]), "-=": (.sign, ["+="]), "*=": (.sign, ["/="]), "/=": (.sign, ["*="]),
    "<": (.bound, ["<=", ">="]), "<=": (.bound, ["<", ">"]), ">": (.bound, [">=", "<="]), ">=": (.bound, [">", "<"]),
    "==": (.condition, ["!="]), "!=": (.condition, ["=="]), "===": (.condition, ["!=="]), "!==": (.condition, ["==="]),
    "&&": (.condition, ["||"]), "||": (.condition, ["&&"]),
]

/// A whole number that a literal is changed into: one more if it is small or a pattern of bits, else a quarter more.
func changedInteger(_ literal: String) -> String? {
    let digits = literal.filter { $0 != "_" }
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
        return UInt64(digits.dropFirst(2), radix: radix).map { "\($0 &+ 1)" }
    }
    guard let number = UInt64(digits) else { return nil }
    return "\(number < 10 ? number + 1 : number + (number + 3) / 4)"
}

/// A tenth more, or 1 for 0.
func changedFloat(_ literal: String) -> String? {
    guard let number = Double(literal.filter { $0 != "_" }) else { return nil }
    return number == 0 ? "1.0" : "\(number * 1.1)"
}
