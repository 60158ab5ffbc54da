import Application
import Scores
import Shared
import Testing
import UserSettings

/// What to practice next, and goals, over three months of made practice, against a computation in Python.
@Suite struct WhatNextTests {
    /// Three months: pieces with bars that are always off, sometimes off and never off; rows of every age of the log.
    private func practice(_ random: inout Seeded) -> [String] {
        var rows: [String] = []
        for ago in (0...90).reversed() {
            for (n, piece) in ["Sequenza VII", "Study, No 1", "Étude", "Forgotten"].enumerated() {
                guard random.int(0...9) < 4, piece != "Forgotten" || ago > 20 else { continue }
                let speed = 50 + (90 - ago) / 3 + random.int(-5...5) + 5 * n
                let start = "\(day(ago))T\(10 + n):15:00+00:00,\"\(piece)\",1.1-4.4,\(speed),\(random.int(1...30)).50"
                guard ago <= 80 else {
                    rows.append(start + (ago > 85 ? "" : ","))
                    continue
                }
                func figures(_ size: Double) -> String {
                    (1...16).filter { _ in !random.chance(5) }.map { bar in
                        let about = [size, -size, 0, size / 2][bar % 4] * Double(bar) / 16
                        let value = ((about * 10).rounded() + Double(random.int(-30...30))) / 10
                        return "\((bar - 1) / 4 + 1).\((bar - 1) % 4 + 1):\(value)"
                    }.joined(separator: " ")
                }
                let notes = zip(["E5", "F#5", "Bb4", "B4", "C#6"], [0.0, 9, -8, 5, -5]).filter { _ in random.chance(2) }
                    .map { "\($0):\((($1 * 10).rounded() + Double(random.int(-40...40))) / 10)" }
                rows.append(
                    start + ",,,,,,,,\(figures(14)),\(random.chance(2) ? figures(25) : "")"
                        + (ago > 75 ? "" : "," + notes.joined(separator: " ")))
            }
        }
        return rows
    }

    private static let model = """
        import csv, datetime, json, statistics, sys
        log, goals = sys.argv[1], json.loads(sys.argv[2])
        today = datetime.date.fromisoformat(sys.argv[3])
        sessions = []
        for row in csv.reader(open(log, encoding="utf-8")):
            if row[0] == "date": continue
            row += [""] * (15 - len(row))
            when = datetime.date.fromisoformat(row[0][:10])
            sessions.append((when, row[1], float(row[3]), row[12], row[13], row[14]))
        found = set()
        for column, least, names in ((3, 5, ("late", "early")), (4, 10, ("sharp", "flat"))):
            measured = {}
            for session in sessions:
                for word in session[column].split():
                    place, value = word.split(":")
                    measured.setdefault((session[1], place), []).append(round(float(value), 1))
            for (piece, place), values in measured.items():
                last = values[-8:]
                for name, off in zip(names, ([v for v in last if v >= least], [v for v in last if v <= -least])):
                    if len(off) >= 3 and len(off) >= 0.75 * len(last):
                        found.add((name, piece, place, round(statistics.median(last), 4), len(off), len(last)))
        notes = {}
        for session in sessions:
            if 0 <= (today - session[0]).days < 28:
                for word in session[5].split():
                    note, value = word.split(":")
                    notes.setdefault(note, []).append(round(float(value), 1))
        for note, values in notes.items():
            for name, off in zip(("sharp", "flat"), ([v for v in values if v >= 5], [v for v in values if v <= -5])):
                if len(off) >= 3 and len(off) >= 0.75 * len(values):
                    found.add((name, note, round(statistics.median(values), 4), len(off), len(values)))
        for piece in {session[1] for session in sessions}:
            days = (today - max(session[0] for session in sessions if session[1] == piece)).days
            if days >= 14: found.add(("not played", piece, days))
        for piece, speed, by, since in goals:
            by, since = datetime.date.fromisoformat(by), datetime.date.fromisoformat(since)
            best = {}
            for session in sessions:
                if session[1] == piece: best[session[0]] = max(best.get(session[0], 0), session[2])
            def reached(day):
                return max([best[d] for d in sorted(best) if d <= day][-7:], default=None)
            begin, start = since, reached(since)
            now = reached(today)
            line = start + (speed - start) * (today - begin).days / (by - begin).days
            state = "reached" if now >= speed else "on course" if now >= line else "behind"
            found.add(("goal", piece, now, round(line, 2), state))
        for each in sorted(map(repr, found)): print(each)
        """

    @Test("each statement about three months of practice is that of an independent computation", arguments: 1...5)
    func months(seed: UInt64) async throws {
        let home = Home()
        var random = Seeded(state: seed)
        try home.writePractice(practice(&random), columns: "date,piece,bars,speed,minutes")
        let goals: [(String, Int, String, String)] = [
            ("Sequenza VII", 100, day(-40), day(60)), ("Étude", 90, day(-1), day(30)),
            ("Study, No 1", 70, day(-9), day(50)),
        ]
        let lines = goals.map { "\"\($0.0)\",\($0.1),\($0.2),\($0.3)\n" }.joined()
        try home.folder.write(Home.practiceFile("goals.csv"), "piece,speed,by,since\n" + lines)
        let list = goals.map { "[\"\($0.0)\", \($0.1), \"\($0.2)\", \"\($0.3)\"]" }.joined(separator: ", ")
        let log = home.folder.bytes(Home.practiceFile())
        let wanted = try Python.run(Self.model, file: log, arguments: ["[\(list)]", day(0)])

        let code = try await home.log { ($0.next, $0.style) = (true, .json) }
        #expect(code == 0 && home.errors == "", "\(home.errors)")
        let told = try Python.run(
            """
            import json, sys
            for row in sorted(map(repr, ({
                "goal": lambda r: ("goal", r["piece"], float(r["speed"]), round(float(r["line"]), 2), r["state"]),
                "not played": lambda r: ("not played", r["piece"], r["days"]),
            }.get(r["kind"], lambda r: (r["kind"], *([r["note"]] if r["note"] else [r["piece"], r["bar"]]),
                round(float(r["median"]), 4), r["times"], r["sessions"]))(r)
                for r in json.load(open(sys.argv[1], encoding="utf-8"))))): print(row)
            """, file: home.output)
        #expect(told == wanted)
        #expect(wanted.count > 8)
        // For people: each of them in words, and in the whole log the first five bars.
        try await home.log { $0.next = true }
        #expect(home.text.split(separator: "\n").count == wanted.count)
        try await home.log()
        #expect(home.text.contains("\nwhat next\n") && home.text.contains("more of them: --next shows all"))
        #expect(home.text.contains("Forgotten: not played for"))
    }

    @Test("a goal is set by the name of a score, told, replaced and ended")
    func goal() async throws {
        let home = Home()
        let rows = [(3, 70), (0, 80)].map { "\(day($0))T20:15:00+00:00,Sequenza VII (1969),1.1-13.13,\($1),40.00" }
        try home.writePractice(rows, columns: "date,piece,bars,speed,minutes")
        func said(_ goal: String) async throws -> String {
            let code = try await home.log { $0.goal = try Goal.Wish(scoreText: goal) }
            #expect(code == (home.errors.isEmpty ? 0 : 64))
            return home.errors.isEmpty ? home.text : home.errors
        }
        try await home.log { $0.next = true }
        #expect(home.text == "the practice log asks for nothing\n")
        let later = day(-100)
        #expect(
            try await said("sequenza-vii at 100% by \(later)")
                == "  Sequenza VII (1969): 100% by \(later): on course, at 80% (the line to it: 80%)\n")
        #expect(
            try await said("sequenza at 75% by \(later)")
                == "  Sequenza VII (1969): 75% by \(later): reached, with 80%\n")
        #expect(try await said("sequenza off") == "the practice log asks for nothing\n")
        #expect(try await said("sequenza off").contains("--goal: 'Sequenza VII (1969)' has no goal"))
        let goals = Home.practiceFile("goals.csv")
        #expect(home.folder.text(goals).split(separator: "\n").count == 4)
        try home.folder.write(goals, home.folder.text(goals) + "Sequenza VII (1969),fast,\(later),\(day(0))\n")
        try await home.log { $0.next = true }
        #expect(home.errors.hasSuffix("goals.csv': 1 invalid row was skipped\n"), "\(home.errors)")
        try home.folder.write(goals, "")
        #expect(try await said("x at 100% by \(day(-9))").contains("--goal: there is no piece 'x' in the log"))
        #expect(
            try await said("sequenza at 100% by \(day(0))").contains("--goal: \(day(0)) is not in the future"))
        let error = #expect(throws: TextError.self) { try Goal.Wish(scoreText: "sequenza at 100%") }
        #expect(error?.description.contains("a goal needs a piece, a speed and a day") == true)
    }
}
