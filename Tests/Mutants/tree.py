"""A copy of the sources with changes in it, and what the compiler says about it."""
import os
import re
import shutil
import subprocess

from weave import weave

SWIFT = """internal import Glibc

/// Which change is in force; 0 is none.
public let mutant = getenv("BARLINE_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
"""
C = """#include <stdlib.h>
#include "mutant.h"
int drone_mutant;
__attribute__((constructor)) static void read_mutant(void) {
    const char *number = getenv("BARLINE_MUTANT");
    if (number) drone_mutant = atoi(number);
}
"""
C_HEADER = "extern int drone_mutant;\n"
# The copy's first line: the lines after it keep their numbers.
C_INCLUDE = b'#include "mutant.h"\n#line 1\n'
FLAGS = ["-std=gnu11", "-Wall", "-Wextra"]
# Built as for debugging, so that only changed files are compiled again, but fast: each test runs some hundred times.
OPTIMIZED = ["-Xswiftc", "-O", "-Xcc", "-O2"]


class Tree:
    def __init__(self, root, folder):
        self.root, self.folder = root, os.path.join(folder, "tree")
        self.build_folder = os.path.join(folder, "build")
        # Of each changed file: its source, the changes, and where they lie.
        self.woven = {}

    def copy(self, changes):
        """Copies what has changed since the last time, with these changes woven in."""
        wanted = self.weave_all(changes)
        # What the compiler warns of in a change is no reason to leave it out.
        with open(os.path.join(self.root, "Package.swift")) as package:
            wanted["Package.swift"] = package.read().replace(".treatAllWarnings(as: .error),", "").encode()
        present = set(wanted)
        for file in self.source_files():
            present.add(file)
            if file not in wanted:
                path = os.path.join(self.root, file)
                with open(path, "rb") as source:
                    self.write(file, source.read(), like=path)
        for file, text in wanted.items():
            self.write(file, text)
        self.remove_all_but(present | {"Package.resolved"})
        # The Python that tests look for beside the sources.
        python = os.path.join(self.folder, ".build/python")
        os.makedirs(os.path.dirname(python), exist_ok=True)
        if not os.path.lexists(python):
            os.symlink(os.path.join(self.root, ".build/python"), python)

    def weave_all(self, changes):
        """What the changed files hold, and the files in which each target reads the number of the change in force."""
        by_file, wanted = {}, {}
        for change in changes:
            by_file.setdefault(change["file"], []).append(change)
        self.woven = {}
        for file, found in by_file.items():
            is_c, target = file.endswith(".c"), os.path.join(*file.split(os.sep)[:2])
            with open(os.path.join(self.root, file), "rb") as source:
                text, places = weave(source.read(), found, is_c)
            self.woven[file] = (text, found, places)
            wanted[file] = C_INCLUDE + text if is_c else text
            if is_c:
                wanted[os.path.join(target, "mutant.c")] = C.encode()
                wanted[os.path.join(target, "mutant.h")] = C_HEADER.encode()
            else:
                wanted[os.path.join(target, "Mutant.swift")] = SWIFT.encode()
        return wanted

    def source_files(self):
        for path, folders, files in os.walk(self.root):
            here = os.path.relpath(path, self.root)
            folders[:] = [name for name in folders if not name.startswith((".build", ".git"))
                          and os.path.normpath(os.path.join(here, name)) != "Tests/Mutants"]
            yield from (os.path.normpath(os.path.join(here, name)) for name in files)

    def remove_all_but(self, present):
        for path, folders, files in os.walk(self.folder):
            folders[:] = [name for name in folders if name != ".build"]
            for name in files:
                file = os.path.relpath(os.path.join(path, name), self.folder)
                if file not in present:
                    os.remove(os.path.join(path, name))

    def write(self, file, text, like=None):
        """Leaves a file alone that is right already: it need not be compiled again."""
        path = os.path.join(self.folder, file)
        if os.path.exists(path):
            with open(path, "rb") as old:
                if old.read() == text:
                    return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as new:
            new.write(text)
        if like:
            shutil.copymode(like, path)

    def check_c(self):
        """The changes in C files that do not compile."""
        wrong = []
        for file in sorted(file for file in self.woven if file.endswith(".c")):
            include = os.path.join(os.path.dirname(file), "include")
            found = subprocess.run(["clang", "-fsyntax-only", "-ferror-limit=0", *FLAGS, f"-I{include}", file],
                                   cwd=self.folder, capture_output=True, text=True)
            wrong += self.blamed(found.stderr)
        return wrong

    def build(self, *arguments):
        """Builds; whether it did, and the changes that did not compile."""
        found = subprocess.run(["swift", "build", "--package-path", self.folder, "--scratch-path", self.build_folder,
                                *OPTIMIZED, *arguments], capture_output=True, text=True)
        wrong = self.blamed(found.stdout + found.stderr) if found.returncode else []
        if found.returncode and not wrong:
            raise SystemExit(found.stdout + found.stderr)
        return found.returncode == 0, wrong

    def blamed(self, output):
        """The changes on the lines of the compiler's errors; where a line has none, the one nearest to it."""
        wrong = {}
        for path, line in set(re.findall(r"^(\S+?):(\d+):\d+: error:", output, re.MULTILINE)):
            file = os.path.relpath(os.path.join(self.folder, path), self.folder)
            if file not in self.woven:
                continue
            text, changes, places = self.woven[file]
            line = int(line)
            lines = {change["number"]: (text.count(b"\n", 0, places[change["number"]][0]) + 1,
                                        text.count(b"\n", 0, places[change["number"]][1]) + 1) for change in changes}
            there = [change for change in changes if lines[change["number"]][0] <= line <= lines[change["number"]][1]]
            if not there and changes:
                there = [min(changes, key=lambda change: abs(lines[change["number"]][0] - line))]
            wrong.update((change["number"], change) for change in there)
        return list(wrong.values())
