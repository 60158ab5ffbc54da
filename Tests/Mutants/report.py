"""What became of the changes: the table, the list of survivors, and which of these are explained."""
import collections
import csv
import os

# Of the changes that alter what the program does, at most this part may go unnoticed.
MOST_UNNOTICED = 0.05
COLUMNS = ["part", "number", "file", "line", "column", "kind", "original", "changed", "stage", "noticed", "explained"]


def one_line(text):
    return " ".join(text.split()) or "(left out)"


class Explanations:
    """Why nothing notices some changes; keyed by the text of the line, not by its number."""

    def __init__(self, path):
        with open(path, newline="") as table:
            self.rows = {tuple(row[name] for name in ("file", "line", "original", "changed")): row
                         for row in csv.DictReader(table)}

    def of(self, change):
        """("same" or "accepted", why), or None."""
        row = self.rows.get((change["file"], change["line text"], change["original"], change["changed"]))
        return row and (row["verdict"], row["why"])

    def outdated(self, root):
        """Those whose line is gone."""
        for file, line, *_ in self.rows:
            path = os.path.join(root, file)
            if not os.path.exists(path) or line not in map(str.strip, open(path, encoding="utf-8")):
                yield f"{file}: {line}"


def describe(change):
    place = f"{change['file']}:{change['line']}:{change['column']}"
    return f"{place}: {change['kind']}: {change['original']} -> {change['changed']}  ({change['number']})"


def write_table(path, judged, explanations):
    with open(path, "w", newline="") as table:
        rows = csv.writer(table)
        rows.writerow(COLUMNS)
        for change, stage, noticed in judged:
            verdict = explanations.of(change) if not stage else None
            rows.writerow([change.get(column) for column in COLUMNS[:8]]
                          + [stage or "", noticed or "", ": ".join(verdict) if verdict else ""])


def show(parts, judged, explanations):
    """Prints all; whether few enough survived in each part."""
    good = True
    print(f"{'part':10}{'tried':>7}{'noticed':>9}{'same':>6}{'survived':>10}{'of all':>8}  noticed by")
    for part in parts:
        mine = [(change, stage) for change, stage, _ in judged if change["part"] == part]
        if not mine:
            continue
        stages = collections.Counter(stage for _, stage in mine if stage)
        alive = [change for change, stage in mine if not stage]
        same = [change for change in alive if (explanations.of(change) or [None])[0] == "same"]
        survived, differ = len(alive) - len(same), len(mine) - len(same)
        share = survived / differ if differ else 0
        good = good and share <= MOST_UNNOTICED
        print(f"{part:10}{len(mine):7}{len(mine) - len(alive):9}{len(same):6}{survived:10}{share:8.1%}  "
              + ", ".join(f"{name} {count}" for name, count in stages.most_common()))
    for change, stage, _ in judged:
        if not stage:
            verdict, why = explanations.of(change) or ("not explained", None)
            print(describe(change))
            print(f"    {verdict}" + (f": {why}" if why else ""))
    return good
