import SwiftSyntax

/// Walks a file whose operators are folded, and gathers what can be changed in it.
final class ChangeFinder: SyntaxVisitor {
    private(set) var changes: [Change] = []
    private let file: String
    private let bytes: [UInt8]
    private let places: SourceLocationConverter

    /// Calls and declarations that only say something to people, or that hold what must hold.
    private static let unheardCalls: Set = [
        "assert", "assertionFailure", "precondition", "preconditionFailure", "fatalError", "TextError",
    ]
    private static let unheardNames: Set = ["description", "debugDescription", "textError"]

    init(_ file: String, _ tree: Syntax) {
        self.file = file
        bytes = Array(tree.description.utf8)
        places = SourceLocationConverter(fileName: file, tree: tree)
        super.init(viewMode: .sourceAccurate)
    }

    // What is left as it is.

    override func visit(_ node: StringLiteralExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ThrowStmtSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
        let names = node.bindings.map(\.pattern.trimmedDescription)
        return names.contains(where: Self.unheardNames.contains) ? .skipChildren : .visitChildren
    }

    // Expressions.

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator,
            let (kind, into) = operatorChanges[name.text]
        else { return .visitChildren }
        // What assigns is a statement, and woven in as one.
        guard !isAssignment(node) else { return .visitChildren }
        for other in into { add(node, .expression, kind, replacing: name, by: other) }
        return .visitChildren
    }

    override func visit(_ node: PrefixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.operator.text {
        case "-": add(node, .expression, .sign, node.expression.trimmedDescription)
        case "!": add(node, .expression, .condition, node.expression.trimmedDescription)
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if let other = changedInteger(node.literal.text) { add(node, .expression, .constant, other) }
        return .skipChildren
    }

    override func visit(_ node: FloatLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        if let other = changedFloat(node.literal.text) { add(node, .expression, .constant, other) }
        return .skipChildren
    }

    override func visit(_ node: BooleanLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        add(node, .expression, .constant, node.literal.text == "true" ? "false" : "true")
        return .skipChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
        let called = node.calledExpression
        if Self.unheardCalls.contains(called.trimmedDescription) { return .skipChildren }
        let name = called.as(DeclReferenceExprSyntax.self) ?? called.as(MemberAccessExprSyntax.self)?.declName
        switch name?.baseName.text {
        case "min": name.map { add(node, .expression, .bound, replacing: $0.baseName, by: "max") }
        case "max": name.map { add(node, .expression, .bound, replacing: $0.baseName, by: "min") }
        case "rounded":
            guard let way = node.arguments.first?.expression.trimmedDescription else { break }
            let other = [".down": ".up", ".up": ".down", ".towardZero": ".awayFromZero"][way]
            if let other, let argument = node.arguments.first { add(argument.expression, .expression, .sign, other) }
        default: break
        }
        return .visitChildren
    }

    // Conditions.

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        if case .expression(let condition) = node.condition { negate(condition) }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    override func visit(_ node: WhereClauseSyntax) -> SyntaxVisitorContinueKind {
        negate(node.condition)
        return .visitChildren
    }

    /// Comparisons, connectives and what is negated already are changed where they stand.
    private func negate(_ condition: ExprSyntax) {
        if condition.is(InfixOperatorExprSyntax.self) || condition.is(BooleanLiteralExprSyntax.self) { return }
        if let prefix = condition.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" { return }
        add(condition, .expression, .condition, "!(\(condition.trimmedDescription))")
    }

    // Statements.

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard case .expr(let whole) = node.item, !isValue(node) else { return .visitChildren }
        var statement = whole
        while true {
            if let inner = statement.as(TryExprSyntax.self)?.expression {
                statement = inner
            } else if let inner = statement.as(AwaitExprSyntax.self)?.expression {
                statement = inner
            } else {
                break
            }
        }
        if let call = statement.as(FunctionCallExprSyntax.self) {
            let name = call.calledExpression.trimmedDescription
            guard !Self.unheardCalls.contains(name), !name.hasSuffix(".init") else { return .visitChildren }
            add(whole, .statement, .call, "")
        } else if let infix = statement.as(InfixOperatorExprSyntax.self), isAssignment(infix) {
            add(whole, .statement, .assignment, "")
            if let name = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator,
                let (kind, into) = operatorChanges[name.text]
            {
                for other in into { add(whole, .statement, kind, replacing: name, by: other) }
            }
        }
        return .visitChildren
    }

    private func isAssignment(_ node: InfixOperatorExprSyntax) -> Bool {
        if node.operator.is(AssignmentExprSyntax.self) { return true }
        return ["+=", "-=", "*=", "/="].contains(node.operator.trimmedDescription)
    }

    /// Whether a statement stands alone where it is a value: there is nothing to leave out.
    private func isValue(_ item: CodeBlockItemSyntax) -> Bool {
        guard let list = item.parent?.as(CodeBlockItemListSyntax.self), list.count == 1 else { return false }
        var owner = list.parent
        if owner?.is(CodeBlockSyntax.self) == true { owner = owner?.parent }
        guard let owner else { return false }
        if let function = owner.as(FunctionDeclSyntax.self) { return function.signature.returnClause != nil }
        if let accessor = owner.as(AccessorDeclSyntax.self) { return accessor.accessorSpecifier.text == "get" }
        if owner.is(ClosureExprSyntax.self) || owner.is(AccessorBlockSyntax.self) { return true }
        guard owner.is(IfExprSyntax.self) || owner.is(SwitchCaseSyntax.self) else { return false }
        var branch: Syntax? = owner
        while let up = branch,
            up.is(IfExprSyntax.self) || up.is(SwitchExprSyntax.self) || up.is(SwitchCaseSyntax.self)
                || up.is(SwitchCaseListSyntax.self) || up.is(ExpressionStmtSyntax.self)
        {
            branch = up.parent
        }
        return branch?.as(CodeBlockItemSyntax.self).map(isValue) ?? true
    }

    // What has been found.

    private func add(_ node: some SyntaxProtocol, _ form: Change.Form, _ kind: Change.Kind, _ text: String) {
        let start = node.positionAfterSkippingLeadingTrivia
        let place = places.location(for: start)
        changes.append(
            Change(
                file: file, start: start.utf8Offset, end: node.endPositionBeforeTrailingTrivia.utf8Offset, form: form,
                kind: kind, text: text, line: place.line, column: place.column))
    }

    private func add(
        _ node: some SyntaxProtocol, _ form: Change.Form, _ kind: Change.Kind, replacing token: TokenSyntax,
        by other: String
    ) {
        let before =
            node.positionAfterSkippingLeadingTrivia.utf8Offset..<token.positionAfterSkippingLeadingTrivia.utf8Offset
        let after = token.endPositionBeforeTrailingTrivia.utf8Offset..<node.endPositionBeforeTrailingTrivia.utf8Offset
        let text = String(decoding: bytes[before] + Array(other.utf8) + bytes[after], as: UTF8.self)
        add(node, form, kind, text)
    }
}
