"""Every small change that can be made to a C file, from clang's syntax tree. One dictionary each, as for Swift files:
file, start and end (bytes), form, kind, text, line, column."""
import json
import re
import subprocess

# What each operator is changed into, and the kind of that change.
OPERATORS = {
    "+": ("sign", ["-"]), "-": ("sign", ["+"]), "*": ("sign", ["/"]), "/": ("sign", ["*"]), "%": ("sign", ["/"]),
    "<<": ("sign", [">>"]), ">>": ("sign", ["<<"]), "&": ("sign", ["|"]), "|": ("sign", ["&"]), "^": ("sign", ["&"]),
    "+=": ("sign", ["-="]), "-=": ("sign", ["+="]), "*=": ("sign", ["/="]), "/=": ("sign", ["*="]),
    "<": ("bound", ["<=", ">="]), "<=": ("bound", ["<", ">"]),
    ">": ("bound", [">=", "<="]), ">=": ("bound", [">", "<"]),
    "==": ("condition", ["!="]), "!=": ("condition", ["=="]), "&&": ("condition", ["||"]), "||": ("condition", ["&&"]),
}
TRANSPARENT = {"ParenExpr", "ImplicitCastExpr", "ConstantExpr", "ExprWithCleanups"}
# Where a node's child is a condition, and from which child on there are statements.
CONDITIONS = {"IfStmt": 0, "WhileStmt": 0, "ConditionalOperator": 0, "ForStmt": 2, "DoStmt": 1}
STATEMENTS_FROM = {"CompoundStmt": 0, "IfStmt": 1, "WhileStmt": 1, "ForStmt": 4, "CaseStmt": 1, "DefaultStmt": 0}


def syntax_tree(file, flags):
    """Every place in it carries its file: clang's dump names a file only where it is another than before."""
    dump = subprocess.run(["clang", "-fsyntax-only", "-Xclang", "-ast-dump=json", *flags, file],
                          capture_output=True, check=True).stdout
    now = [None]

    def annotate(found):
        if "offset" in found:
            now[0] = found.get("file", now[0])
            found["file"] = now[0]
        return found

    return json.loads(dump, object_hook=annotate)


class Finder:
    """Walks the functions of one file, and gathers what can be changed in `changes`."""

    def __init__(self, file, flags):
        self.file, self.changes = file, []
        with open(file, "rb") as source:
            self.source = source.read()
        tree = syntax_tree(file, flags)
        # Names for numbers; the names of kinds and states are not numbers.
        self.constants = {
            constant["name"] for node in self.all_nodes(tree, "EnumDecl") if "name" not in node
            for constant in node.get("inner", []) if re.match(r"(DRONE_)?[A-Z_]+$", constant.get("name", ""))
            and not re.search(r"drone(_output)?\.h", str(constant["loc"].get("file")))}
        for node in tree["inner"]:
            if node["kind"] == "FunctionDecl" and self.place(node["range"]["begin"]):
                for inner in node.get("inner", []):
                    if inner["kind"] == "CompoundStmt":
                        self.walk(inner)

    def all_nodes(self, node, kind):
        if node.get("kind") == kind:
            yield node
        for inner in node.get("inner", []):
            yield from self.all_nodes(inner, kind)

    def place(self, where):
        """(first byte, byte after the token or macro call, byte of the macro if one was expanded); None if elsewhere."""
        macro = None
        if "expansionLoc" in where:
            if where["expansionLoc"].get("isMacroArgExpansion"):
                where = where["spellingLoc"]
            else:
                where = where["expansionLoc"]
                macro = where.get("offset")
        if where.get("file") != self.file:
            return None
        end = where["offset"] + where["tokLen"]
        if macro is not None:
            called = re.match(rb"\s*\(", self.source[end:])
            if called:
                end += called.end()
                depth = 1
                while depth:
                    depth += {40: 1, 41: -1}.get(self.source[end], 0)
                    end += 1
        return where["offset"], end, macro

    def extent(self, node):
        """First byte, end, and whether the node came out of a macro."""
        begin, end = (self.place(node.get("range", {}).get(side, {})) for side in ("begin", "end"))
        if not begin or not end or end[1] <= begin[0]:
            return None
        return begin[0], end[1], begin[2] is not None and begin[2] == end[2]

    def text(self, extent):
        return self.source[extent[0]:extent[1]].decode()

    def add(self, extent, form, kind, text):
        before = self.source[:extent[0]]
        self.changes.append({
            "file": self.file, "start": extent[0], "end": extent[1], "form": form, "kind": kind, "text": text,
            "line": before.count(b"\n") + 1, "column": extent[0] - (before.rfind(b"\n") + 1) + 1})

    def core(self, node):
        while node["kind"] in TRANSPARENT and node.get("inner"):
            node = node["inner"][0]
        return node

    def walk(self, node):
        kind, inner = node.get("kind"), node.get("inner", [])
        if kind == "VarDecl" and node.get("storageClass") == "static":
            return
        extent = self.extent(node)
        if extent:
            self.change(node, kind, inner, extent)
        if kind in CONDITIONS and len(inner) > CONDITIONS[kind]:
            self.negate(inner[CONDITIONS[kind]])
        for index, child in enumerate(inner):
            if kind == "CaseStmt" and index == 0:
                continue
            if kind in STATEMENTS_FROM and index >= STATEMENTS_FROM[kind]:
                self.leave_out(child)
            self.walk(child)

    def change(self, node, kind, inner, extent):
        if extent[2]:
            if self.text(extent) in ("true", "false"):
                self.add(extent, "expression", "constant", "false" if self.text(extent) == "true" else "true")
        elif kind == "BinaryOperator" and node["opcode"] in OPERATORS:
            for change, text in self.with_other_operators(node, inner, extent):
                self.add(extent, "expression", change, text)
        elif kind == "UnaryOperator" and node["opcode"] in ("-", "!"):
            operand = self.extent(inner[0])
            if operand:
                self.add(extent, "expression", "sign" if node["opcode"] == "-" else "condition", self.text(operand))
        elif kind == "IntegerLiteral":
            number, suffix = re.fullmatch(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)", self.text(extent)).groups()
            value = int(number, 0)
            is_pattern = number[:2] in ("0x", "0X")
            value += 1 if value < 10 or is_pattern else (value + 3) // 4
            self.add(extent, "expression", "constant", (hex(value) if is_pattern else str(value)) + suffix)
        elif kind == "FloatingLiteral":
            number, suffix = re.fullmatch(r"(0x.*p[-+0-9]+|[^fF]*)([fF]?)", self.text(extent)).groups()
            value = float.fromhex(number) if "0x" in number else float(number)
            self.add(extent, "expression", "constant", repr(1.0 if value == 0 else value * 1.1) + suffix)
        elif kind == "DeclRefExpr" and node["referencedDecl"].get("name") in self.constants:
            name = self.text(extent)
            self.add(extent, "expression", "constant", f"{name} + {name} / 4 + 1")

    def with_other_operators(self, node, inner, extent):
        left, right = self.extent(inner[0]), self.extent(inner[1])
        if not left or not right:
            return
        change, others = OPERATORS[node["opcode"]]
        between = self.source[left[1]:right[0]].decode()
        if between.count(node["opcode"]) != 1:
            return
        for other in others:
            changed = between.replace(node["opcode"], other)
            yield change, self.text((extent[0], left[1])) + changed + self.text((right[0], extent[1]))

    def negate(self, condition):
        """Comparisons, connectives and what is negated already are changed where they stand."""
        extent = self.extent(condition)
        core = self.core(condition) if extent else {}
        if not extent or core["kind"] == "BinaryOperator" and core["opcode"] in OPERATORS and \
                OPERATORS[core["opcode"]][0] in ("bound", "condition"):
            return
        if core["kind"] == "UnaryOperator" and core["opcode"] == "!" or self.text(extent) in ("true", "false"):
            return
        self.add(extent, "expression", "condition", f"!({self.text(extent)})")

    def leave_out(self, statement):
        """Calls and assignments; an increment counts as one. What assigns is also turned: += into -=, ++ into --."""
        node, extent = self.core(statement), self.extent(statement)
        if not extent:
            return
        kind, opcode, text = node["kind"], node.get("opcode", ""), self.text(extent)
        if kind in ("CallExpr", "AtomicExpr"):
            self.add(extent, "statement", "call", "")
        elif kind == "BinaryOperator" and opcode == "=" or kind == "CompoundAssignOperator" or opcode in ("++", "--"):
            self.add(extent, "statement", "assignment", "")
            if opcode in ("++", "--"):
                self.add(extent, "statement", "sign", text.replace(opcode, "--" if opcode == "++" else "++"))
            elif opcode in OPERATORS:
                for change, other in self.with_other_operators(node, node["inner"], extent):
                    self.add(extent, "statement", change, other)


def find_changes(file, flags):
    return Finder(file, flags).changes
