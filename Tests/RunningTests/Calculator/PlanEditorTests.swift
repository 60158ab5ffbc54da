import Running
import Scores
import Testing

struct PlanEditorTests {
    private func editor(_ text: String) throws -> PlanEditor { PlanEditor(try plan(text)) }

    /// Presses keys; a text in brackets is typed and entered.
    private func press(_ keys: String, on editor: inout PlanEditor) {
        for key in keys {
            switch key {
            case "[", "\u{5D}": _ = key == "[" ? .none : editor.press(.enter)
            case "^": _ = editor.press(.up)
            case "v": _ = editor.press(.down)
            default: _ = editor.press(.character(key))
            }
        }
    }

    private func parts(_ editor: PlanEditor) -> String { editor.plan.parts.map(\.text).joined(separator: ", ") }

    @Test("parts can be added, changed, duplicated, grouped and deleted, and every step can be undone and redone")
    func steps() throws {
        var editor = PlanEditor(Plan())
        let steps = [
            ("a[run 0:30]", "run 0:30"), ("a[walk 0:30]", "run 0:30, walk 0:30"),
            ("d", "run 0:30, walk 0:30, walk 0:30"), ("n[4]", "run 0:30, walk 0:30, 4x(walk 0:30)"),
            ("^e @ 5:00/km]", "run 0:30, walk 0:30 @ 5:00/km, 4x(walk 0:30)"),
            ("x", "run 0:30, 4x(walk 0:30)"), ("c", ""),
        ]
        for (keys, expected) in steps {
            press(keys, on: &editor)
            #expect(parts(editor) == expected, "\(keys): \(editor.message)")
        }
        for (_, expected) in steps.reversed().dropFirst() {
            press("z", on: &editor)
            #expect(parts(editor) == expected)
        }
        press("z", on: &editor)
        #expect(parts(editor) == "")
        for (_, expected) in steps {
            press("y", on: &editor)
            #expect(parts(editor) == expected)
        }
        // Redone steps can be undone again.
        for (_, expected) in steps.reversed().dropFirst() {
            press("z", on: &editor)
            #expect(parts(editor) == expected)
        }
    }

    @Test("parts can be moved past each other, into a group and out of it")
    func moves() throws {
        var editor = try editor("run 1:00, 2x(walk 0:10, walk 0:20), rest 0:30")
        for expected in [
            "2x(run 1:00, walk 0:10, walk 0:20), rest 0:30", "2x(walk 0:10, run 1:00, walk 0:20), rest 0:30",
            "2x(walk 0:10, walk 0:20, run 1:00), rest 0:30", "2x(walk 0:10, walk 0:20), run 1:00, rest 0:30",
            "2x(walk 0:10, walk 0:20), rest 0:30, run 1:00",
        ] {
            press("J", on: &editor)
            #expect(parts(editor) == expected)
        }
        press("J", on: &editor)
        #expect(editor.message == "it is already at the end")
        press("KKKKK", on: &editor)
        #expect(parts(editor) == "run 1:00, 2x(walk 0:10, walk 0:20), rest 0:30")
    }

    @Test("a line can be typed, corrected and abandoned, and its letters are not commands")
    func typing() throws {
        var editor = try editor("run 1:00, walk 2:00")
        press("a", on: &editor)
        #expect(editor.entry?.purpose == .add && editor.entry?.text == "")
        press("xdq", on: &editor)
        _ = editor.press(.backspace)
        _ = editor.press(.left)
        #expect(editor.entry?.text == "xd" && parts(editor) == "run 1:00, walk 2:00")
        _ = editor.press(.escape)
        #expect(editor.entry == nil && !editor.isChanged)
        // Editing starts with the present text; in an empty plan, a part is added instead.
        press("v", on: &editor)
        _ = editor.press(.enter)
        #expect(editor.entry?.purpose == .edit && editor.entry?.text == "walk 2:00")
        _ = editor.press(.escape)
        press("xx", on: &editor)
        #expect(editor.plan.parts.isEmpty)
        for key in "en" {
            press(String(key), on: &editor)
            #expect(editor.entry?.purpose == .add)
            _ = editor.press(.escape)
        }
        press("xdJ", on: &editor)
        #expect(editor.plan.parts.isEmpty)
        _ = editor.press(.character("s"))
        #expect(editor.message == "there is nothing to save")
    }

    @Test("rows, units, locks and undo stop at their ends")
    func ends() throws {
        var editor = try editor("run 1:00, walk 2:00")
        for (key, row) in zip("^vvv^", [0, 1, 1, 1, 0]) {
            press(String(key), on: &editor)
            #expect(editor.row == row)
        }
        press("z", on: &editor)
        #expect(editor.message == "there is nothing to undo")
        press("y", on: &editor)
        #expect(editor.message == "there is nothing to redo")
        press("vx", on: &editor)
        #expect(editor.row == 0 && editor.isChanged)
        editor.saved(as: "a.plan")
        #expect(editor.message == "saved as a.plan" && !editor.isChanged)
        press("z", on: &editor)
        #expect(editor.isChanged && parts(editor) == "run 1:00, walk 2:00")
        for unit in [DistanceUnit.miles, .kilometers] {
            press("u", on: &editor)
            #expect(editor.distanceUnit == unit)
        }
        for unit in [PaceUnit.perMile, .kilometersPerHour, .milesPerHour, .metersPerSecond, .perKilometer] {
            _ = editor.press(.character("v"))
            #expect(editor.paceUnit == unit)
        }
        for result in [Run.Quantity.pace, .distance, .time] {
            press("l", on: &editor)
            #expect(editor.result == result)
        }
    }

    @Test(
        "groups, paces and lengths can be set within their ranges",
        arguments: [
            ("n[1]", "1x(run 1:00)", ""), ("n[10000]", "10000x(run 1:00)", ""),
            ("n[10001]", "run 1:00", "a group must be repeated 1 to 10 000 times"),
            ("n[0]", "run 1:00", "a group must be repeated 1 to 10 000 times"), ("n[2]n[3]", "3x(run 1:00)", ""),
            ("p[run]", "run 1:00", "expected a distance, time or pace"),
            ("p[]", "run 1:00", "expected a pace, or a kind and its pace"),
            ("a[run: 5:00/km]", "run 1:00", "the plan has no interval"), ("f[1h]", "run 1:00", ""),
            ("a[cadence: 170, run 1:00]", "run 1:00", "expected an interval or a group"),
            ("a[threshold: 5:00/km, count-in: 10, run 1:00 @ 95%]", "run 1:00", "expected an interval or a group"),
            ("a[at 0:30: \"x\", cadence: 170]", "run 1:00", "expected a text to speak"),
            (
                "a[6x400m @ 5:00/km, rest 1:00]", "run 1:00, 6x(run 400m @ 5:00/km), rest 1:00",
                "this rest comes once, after all 6; for one after each, write 6x("
            ),
            ("a[10k @ 5:00]", "run 1:00, run 10km @ 5:00/km", "5:00 is taken as a pace"),
            ("e, 10k @ 5:00]", "run 1:00, run 10km @ 5:00/km", "5:00 is taken as a pace"),
        ])
    func ranges(keys: String, parts: String, message: String) throws {
        var editor = try editor("run 1:00")
        press(keys, on: &editor)
        #expect(self.parts(editor) == parts, "\(editor.message)")
        #expect(editor.message.hasPrefix(message), "\(editor.message)")
    }

    @Test("a mistake keeps the line, and the message says how to correct it")
    func mistakes() throws {
        var editor = try editor("run 1:00")
        press("a[wlak 0:30]", on: &editor)
        #expect(editor.message == "'wlak' is not a kind of interval; did you mean 'walk'?")
        #expect(editor.entry?.text == "wlak 0:30")
        _ = editor.press(.escape)
        #expect(editor.entry == nil && parts(editor) == "run 1:00")
    }

    @Test("times that were given have their tenths, and computed ones whole seconds")
    func tenths() throws {
        func times(_ text: String) throws -> [String] {
            let editor = try editor(text)
            let rows = editor.partRows.compactMap(\.texts)
            return [editor.totalRows[1].value] + rows.flatMap { [$0.measures[0], $0.totals[0]] }
        }
        #expect(try times("run 5:00.5, walk 4:00.25") == ["9:00.75", "5:00.5", "5:00.5", "4:00.3", "9:00.75"])
        #expect(try times("run 1km @ 5:01.3/km, walk 1:00.5") == ["6:02", "5:01.3", "5:01", "1:00.5", "6:02"])
        var typed = try editor("run 1km @ 5:00/km")
        while typed.result != .pace { press("l", on: &typed) }
        press("t[4:59.6]", on: &typed)
        #expect(typed.totalRows[1].value == "4:59.6", "\(typed.message)")
    }

    @Test("setting a total changes the locked value")
    func totals() throws {
        var editor = try editor("walk: 10:00/km\n4x(run 1k, walk 2:00)")
        press("t[30:00]", on: &editor)
        #expect(editor.message.hasPrefix("the time is the result"))
        _ = editor.press(.escape)
        press("l", on: &editor)
        #expect(editor.result == .pace)
        press("t[30:00]", on: &editor)
        #expect(editor.total.time?.runText() == "30:00")
        #expect(editor.plan.paces[.run]?.text(in: .perKilometer) == "5:30 /km")
        press("f[for 10k]", on: &editor)
        #expect(editor.total.distance?.text(in: .kilometers) == "10 km")
        press("ll", on: &editor)
        #expect(editor.result == .time)
    }

    @Test("setting a total distance sets the length of the plan")
    func totalDistance() throws {
        var editor = try editor("4x(run 1k @ 5:00/km, walk 2:00 @ 10:00/km)")
        press("t[10k]", on: &editor)
        #expect(editor.message == "" && editor.plan.length == .distance(Distance(10, .kilometers)))
        #expect(editor.total.distance?.text(in: .kilometers) == "10 km")
    }

    @Test(
        "a total pace is that of running and walking together, for distances and for times",
        arguments: ["4x(run 1k, walk 200m)", "4x(run 5:00, walk 2:00)"])
    func totalPace(parts: String) throws {
        var editor = try editor("walk: 10:00/km\n" + parts)
        press("t[6:30/km]", on: &editor)
        #expect(editor.message.hasPrefix("run at 5:"))
        let total = editor.total
        let (time, distance) = (try #require(total.time), try #require(total.distance))
        #expect(agree(time.inSeconds / distance.meters, 0.390))
    }

    @Test("the parts of a long plan fill the screen except for the lines around them", arguments: [12, 24, 50])
    func screen(rows: Int) throws {
        let editor = try editor(Array(repeating: "run 1:00", count: 60).joined(separator: ", "))
        let lines = editor.lines(rows: rows)
        #expect(lines.count { $0.contains("1:00") && $0.lowercased().contains("run") } >= rows - 8)
        #expect(lines.count == rows - 1)
    }

    @Test(
        "in a long plan, the selected part is shown in the middle, or as near to it as the ends allow",
        arguments: [5, 12, 25])
    func scrolling(rows: Int) throws {
        var editor = try editor(Array(repeating: "run 1:00", count: 60).joined(separator: ", "))
        // At least three parts are shown, even if the screen has no room for them.
        let room = max(rows - 8, 3)
        for row in 0..<60 {
            let shown = editor.lines(rows: rows).filter { $0.dropFirst(2).hasPrefix("Run") }
            #expect(shown.count == room)
            #expect(shown.firstIndex { $0.hasPrefix(">") } == max(min(row, room / 2), room - (60 - row)))
            press("v", on: &editor)
        }
    }

    @Test(
        "at 80 columns and fewer, no line is wider than the screen, and units and keys are whole",
        arguments: [40, 60, 79, 99])
    func narrow(columns: Int) throws {
        var editor = try editor(
            "run: 5:00/km\nwalk: 10:00/km\nwarm-up: 7:00/km\nwarm-up 10:00, 4x(run 400m @ 4:30/km, walk \"A label of some length, with more words\" 1:30), run 1:00:00"
        )
        func check(_ words: String...) {
            let lines = editor.lines(rows: 24, columns: columns)
            for line in lines { #expect(line.columns <= columns, "\(line)") }
            let text = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            for word in words { #expect(text.contains(word), "\(word) in \(lines)") }
        }
        check("c clear", "z undo", "y redo", "u v units", "s save", "q quit", "0.4 km", "distance")
        if columns >= 79 { check("15.629 km", "A label of some") }
        press("lt0.1k", on: &editor)
        check("total: 0.1k▏", "or two: 5mi in 50:00")
        press("]", on: &editor)
        #expect(editor.entry != nil)
        check("everything else alone goes", "which is not less than 0.1 km")
        _ = editor.press(.escape)
        press(
            "arun 1:00, walk 1:00, run 1:00, walk 1:00, run 1:00, walk 1:00, run 1:00, walk 1:00, run 2:00", on: &editor
        )
        check("run 2:00▏")
    }

    @Test("a computed pace is offered as it is shown, stays exact unless it is changed, and Ctrl-U clears the line")
    func offered() throws {
        var editor = try editor("6x(run 400m @ 5:00/km, walk 1:30 @ 10:00/km)")
        press("llt20:00]", on: &editor)
        #expect(editor.entry == nil, "\(editor.message)")
        let exact = editor.plan
        let pace = try #require(exact.written[0].known(at: nil).pace)
        #expect(pace.exactText.count > 12)
        press("ve", on: &editor)
        #expect(editor.entry?.text == "run 400m @ \(pace.text(in: .perKilometer).replacing(" /", with: "/"))")
        press("]", on: &editor)
        #expect(editor.entry == nil && editor.plan == exact)
        press("e \"Hill\"]", on: &editor)
        #expect(editor.plan.written[0].label == "Hill" && editor.plan.written[0].measure == exact.written[0].measure)
        press("e", on: &editor)
        _ = editor.press(.clear)
        #expect(editor.entry?.text == "")
        press("run 300m @ 4:00/km]", on: &editor)
        #expect(parts(editor).contains("run 300m @ 4:00/km"))
    }

    @Test("a pace that changes nothing says so")
    func unusedPace() throws {
        var editor = try editor("run: 5:00/km\nrun 400m @ 4:00/km, walk 1:30")
        press("p4:30/km]", on: &editor)
        #expect(editor.message == "no interval of this kind lacks a pace, so nothing else changes")
        press("p4:30/km]", on: &editor)
        #expect(editor.message == "this was the pace already")
        press("pwalk: 10:00/km]", on: &editor)
        #expect(editor.message == "")
    }

    @Test("a file that another program has changed is overwritten only by a second s")
    func overwriting() throws {
        var editor = try editor("run 1:00")
        #expect(editor.press(.character("s")) == .save)
        editor.askToOverwrite("a.plan")
        #expect(editor.message == "another program has changed a.plan: press s again to overwrite it")
        #expect(editor.press(.character("s")) == .overwrite)
        editor.askToOverwrite("a.plan")
        _ = editor.press(.character("d"))
        #expect(editor.press(.character("s")) == .save)
    }

    @Test("leaving with unsaved changes needs one confirmation")
    func leaving() throws {
        var editor = try editor("run 1:00")
        if case .leave = editor.press(.character("q")) {} else { Issue.record("nothing to lose, yet asked") }
        press("d", on: &editor)
        if case .leave = editor.press(.character("q")) { Issue.record("left without asking") }
        #expect(editor.message.contains("q again"))
        if case .leave = editor.press(.character("q")) {} else { Issue.record("asked twice") }
        if case .save = editor.press(.character("s")) {} else { Issue.record("nothing to save") }
        editor.saved(as: "x.plan")
        #expect(!editor.isChanged)
        // Undo has restored the plan that was saved.
        press("ddzz", on: &editor)
        #expect(!editor.isChanged)
        press("z", on: &editor)
        #expect(editor.isChanged)
    }

    @Test("the picture is never higher than the screen, and has the cursor and what is typed", arguments: 4...24)
    func crowded(rows: Int) throws {
        let remarks = (1...30).map { "at \($0):00: \"Text number \($0) that is fairly long so as to fill the line\"" }
        var editor = try editor("run 45:00 @ 5:00/km, rest 1:00, rest 2:00\n" + remarks.joined(separator: "\n"))
        for columns in [79, 20] {
            let lines = editor.lines(rows: rows, columns: columns)
            #expect(lines.count < rows && lines.contains { $0.hasPrefix("> Run") })
            if rows > 4 { #expect(lines[0] == "Plan") }
            if rows == 24, columns == 79 {
                #expect(lines[1].contains("distance 9 km") && lines.contains { $0.hasSuffix(" …") })
                #expect(lines.contains { $0.hasSuffix("q quit") } && lines.count == 23)
            }
            press("a[x]", on: &editor)
            let typed = editor.lines(rows: rows, columns: columns)
            #expect(typed.count < rows && typed.contains("add: x▏"))
            #expect(typed.contains { $0.hasPrefix(">") } && typed.contains { $0.hasPrefix("'x' is") })
            _ = editor.press(.escape)
        }
    }

    @Test("after any keys, the plan can be laid out and written, and fits on the screen")
    func random() throws {
        var numbers = Seeded(state: 31)
        var editor = try editor("run 1:00 @ 5:00/km, 2x(walk 0:10, 3x(run 0:20))")
        let words = [
            "a[run 0:30]", "a[2x(walk 100m)]", "n[3]", "n[0]", "e]", "e@]", "t[10k]", "p[run: 5:00/km]", "f[for 1h]",
            "f[once]",
        ]
        let keys = "daxzyvJKcluv^^^vvv".map { String($0) } + words + words
        for _ in 0..<4_000 {
            press(keys.randomElement(using: &numbers) ?? "v", on: &editor)
            if editor.entry != nil { _ = editor.press(.escape) }
            #expect(editor.lines(rows: 24).count <= 24)
            guard !editor.plan.parts.isEmpty else { continue }
            _ = try PlanTable(editor.plan)
            #expect(Plan.read(Array(editor.plan.text.utf8)).faults == [])
            #expect(editor.paths.indices.contains(editor.row))
        }
    }

    @Test("a group has a line of its own above its parts, which are indented")
    func groups() throws {
        let lines = try editor("warm-up 5:00, 4x(run 1:00, walk 1:00)").lines(rows: 24)
        let first = try #require(lines.firstIndex { $0.contains("4 times") })
        #expect(lines[first - 1].lowercased().contains("warm"))
        #expect(lines[first + 1].contains("  Run") && lines[first + 2].contains("  Walk"))
    }

    @Test(
        "the last thousand steps can be taken back, but none before them",
        arguments: [(999, "run 0:45"), (1000, "run 0:45 @ 5:00/km")])
    func history(steps: Int, oldest: String) throws {
        var editor = try editor("run 0:45")
        press("e @ 5:00/km]", on: &editor)
        // Double and delete.
        for step in 0..<steps { press(step % 2 == 0 ? "d" : "x", on: &editor) }
        for _ in 0..<1100 { press("z", on: &editor) }
        #expect(parts(editor) == oldest)
    }
}
