"""Many changes in one file, each of which is there only when the program is told its number."""


def group(changes):
    """Changes of the same extent and form together, outermost first: [(start, end, form, [change])]."""
    groups = {}
    for change in changes:
        groups.setdefault((change["start"], -change["end"], change["form"] != "statement"), []).append(change)
    return [(start, -end, "expression" if is_expression else "statement", found)
            for (start, end, is_expression), found in sorted(groups.items(), key=lambda item: item[0])]


def weave(source, changes, is_c):
    """The source with all changes in it, and between which bytes each now lies: {number: (first, end)}.

    An expression e becomes (mutant == 17 ? (changed) : (e)), a statement `if mutant == 17 { changed } else { s }`; in C
    statements are expressions, too. What is inside e and s is woven in turn, what is inside a change is not."""
    variable = "drone_mutant" if is_c else "mutant"
    groups, out, places = group(changes), bytearray(), {}

    def write(text):
        out.extend(text.encode())

    def write_range(begin, end, index):
        """Writes from `begin` to `end`, with the groups from `index` on that lie there; the next index."""
        while index < len(groups) and groups[index][1] <= end and groups[index][0] < end:
            start, stop, form, found = groups[index]
            out.extend(source[begin:start])
            first, is_void = len(out), is_c and form == "statement"
            cast = "(void)" if is_void else ""
            if form == "statement" and not is_c:
                for change in found:
                    write(f"if {variable} == {change['number']} {{ {change['text']} }} else ")
                write("{ ")
            else:
                write("(")
                for change in found:
                    write(f"{variable} == {change['number']} ? {cast}({change['text'] or '0'}) : ")
                write(f"{cast}(")
            index = write_range(start, stop, index + 1)
            write(" }" if form == "statement" and not is_c else "))")
            for change in found:
                places[change["number"]] = (first, len(out))
            begin = stop
        out.extend(source[begin:end])
        return index

    write_range(0, len(source), 0)
    return bytes(out), places
