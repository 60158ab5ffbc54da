import Scores
import Testing
import UserSettings

@Suite("What to practice next")
struct WeakBarTests {
    private func entry(_ day: Int, percent: Double, piece: String = "P", lengths: [Double], cents: [Double] = []) throws
        -> PracticeLog.Entry
    {
        let date = try #require(LocalTime(text: LocalDay(number: 20_000 + day).text + "T20:15:00Z"))
        let speed = try #require(Speed(millionths: Int64(percent * 10_000)))
        var entry = PracticeLog.Entry(date: date, piece: piece, bars: "1.1-1.9", speed: speed, minutes: 5)
        entry.lengths = lengths.enumerated().map { BarFigure(line: 1, bar: $0.offset + 1, value: $0.element) }
        entry.cents = cents.enumerated().map { BarFigure(line: 1, bar: $0.offset + 1, value: $0.element) }
        return entry
    }

    @Test("a bar is weak if it is off in the same way in three sessions and in three quarters of the last eight")
    func weak() throws {
        func found(_ values: [Double], cents: Bool = false) throws -> [WeakBar] {
            let entries = try values.enumerated().map { day, value in
                try entry(day, percent: 80, lengths: cents ? [] : [value], cents: cents ? [value] : [])
            }
            return WeakBar.all(in: PracticeSummary(entries))
        }
        let late = try found([9, 5, 6, 1])
        #expect(late.map(\.kind) == [.late] && late.map(\.place.text) == ["1.1"])
        #expect(late.first?.times == 3 && late.first?.sessions == 4 && late.first?.median == 5.5)
        #expect(try found([-9, -5, -6, -20]).map(\.kind) == [.early])
        #expect(try found([9, 9]).isEmpty)
        #expect(try found([9, 9, 9, 1, 1]).isEmpty)
        #expect(try found([9, 9, -9, -9, 9]).isEmpty)
        #expect(try found([4.9, 4.9, 4.9]).isEmpty)
        // Only the last eight count.
        #expect(try found([1, 1, 1, 1] + [9, 9, 9, 9, 9, 9, 1, 1]).first?.sessions == 8)
        #expect(try found([9, 9, 9, 9, 9, 9] + [1, 1, 1, 1, 1, 1, 1, 1]).isEmpty)
        #expect(try found([10, 10, 12], cents: true).map(\.kind) == [.sharp])
        #expect(try found([-10, -10, -12], cents: true).map(\.kind) == [.flat])
        #expect(try found([9, 9, 9], cents: true).isEmpty)
    }

    @Test("the bar that is off the most comes first")
    func order() throws {
        let entries = try (0..<3).map { try entry($0, percent: 80, lengths: [6, -20, 8], cents: [0, 0, 30]) }
        let all = WeakBar.all(in: PracticeSummary(entries))
        #expect(all.map(\.kind) == [.early, .sharp, .late, .late] && all.map(\.place.bar) == [2, 3, 3, 1])
    }

    @Test("a note is told that is off in the same way in three sessions of a month, in whatever piece")
    func notes() throws {
        func found(_ values: [Double], days: [Int]? = nil, on today: Int = 27) throws -> [WeakNote] {
            let entries = try values.enumerated().map { day, value in
                var entry = try entry(days?[day] ?? day, percent: 80, piece: "P\(day)", lengths: [])
                entry.notes = [NoteFigure(note: "F#5", value: value)]
                return entry
            }
            return WeakNote.all(in: PracticeSummary(entries), on: LocalDay(number: 20_000 + today))
        }
        let sharp = try found([5, 9, 7, 1])
        #expect(sharp.map(\.note) == ["F#5"] && sharp.first?.isSharp == true && sharp.first?.median == 6)
        #expect(sharp.first?.times == 3 && sharp.first?.sessions == 4)
        #expect(try found([-5, -9, -7]).first?.isSharp == false)
        #expect(try found([5, 9]).isEmpty)
        #expect(try found([5, 9, 4.9]).isEmpty)
        #expect(try found([5, 9, 7, 1, 1]).isEmpty)
        #expect(try found([5, 9, 7], days: [0, 20, 27]).count == 1)
        #expect(try found([5, 9, 7], days: [0, 20, 27], on: 28).isEmpty)
        #expect(try found([5, 9, 7], days: [0, 20, 28]).isEmpty)
    }

    private func course(
        _ speeds: [(day: Int, percent: Double)], goal: Double = 100, by: Int = 100, since: Int = 0, on: Int
    )
        throws -> GoalCourse
    {
        let entries = try speeds.map { try entry($0.day, percent: $0.percent, lengths: []) }
        let speed = try #require(Speed(millionths: Int64(goal * 10_000)))
        let goal = Goal(
            piece: "P", speed: speed, by: LocalDay(number: 20_000 + by), since: LocalDay(number: 20_000 + since))
        return GoalCourse(goal, PracticeSummary(entries), on: LocalDay(number: 20_000 + on))
    }

    @Test("a goal is on course while the speed that is reached is on or above the line from where it was set")
    func goals() throws {
        #expect(try course([(0, 50), (50, 75)], on: 50).state == .onCourse)
        #expect(try course([(0, 50), (50, 75)], on: 50).line?.percent == 75)
        #expect(try course([(0, 50), (50, 75)], on: 51).state == .behind)
        #expect(try course([(0, 50), (50, 74.9)], on: 50).state == .behind)
        #expect(try course([(0, 50), (50, 100)], on: 50).state == .reached)
        #expect(try course([(0, 50), (90, 99)], on: 101).state == .missed)
        #expect(try course([(0, 50), (90, 99)], on: 100).state == .behind)
        #expect(try course([], on: 3).state == .notBegun)
        #expect(try course([(5, 50)], on: 3).state == .notBegun)
        #expect(try course([], on: 101).state == .missed)
        // Begun after it was set, the line begins with the first day.
        #expect(try course([(20, 60), (60, 80)], on: 60).state == .onCourse)
        #expect(try course([(20, 60), (60, 80)], on: 60).line?.percent == 80)
        // Of the days with practice, the last seven count.
        let slower = (1...7).map { (day: $0, percent: 40.0) }
        #expect(try course([(0, 90)] + slower, on: 8).speed?.percent == 40)
        #expect(try course([(0, 90)] + slower.dropLast(), on: 8).speed?.percent == 90)
        // A goal for a day that is over before the first session is not a trap.
        #expect(try course([(150, 50)], on: 160).state == .missed)
    }

    @Test("goals are kept; the last of a piece holds, and one that is ended is gone")
    func kept() throws {
        let folder = TemporaryFolder()
        let file = try #require(GoalFile(environment: ["XDG_STATE_HOME": folder.path]))
        #expect(try file.read().goals.isEmpty)
        let (by, since) = (LocalDay(number: 20_100), LocalDay(number: 20_000))
        let goal = Goal(piece: "a, \"b\"", speed: .asWritten, by: by, since: since)
        try file.set(goal)
        try file.set(Goal(piece: "c", speed: .asWritten, by: by, since: since))
        #expect(try file.read().goals.map(\.piece) == ["a, \"b\"", "c"] && file.read().goals.first == goal)
        let slower = try #require(Speed(millionths: 725_000))
        try file.set(Goal(piece: "a, \"b\"", speed: slower, by: by, since: since))
        #expect(try file.read().goals.map(\.speed) == [.asWritten, slower])
        try file.end("c", on: since)
        let kept = try file.read()
        #expect(kept.goals.map(\.piece) == ["a, \"b\""] && kept.skipped == 0)
        let text = "piece,speed,by,since\n\nx\nP,0,2026-01-01,2026-01-01\nP,80,x,2026-01-01\n"
        let invalid = GoalFile.read(Array(text.utf8))
        #expect(invalid.goals.isEmpty && invalid.skipped == 3)
    }

    @Test("a goal is read as it is typed, and an error says how")
    func typed() throws {
        let wish = try Goal.Wish(scoreText: "my  piece at home at 72.5% by 2027-03-01")
        #expect(
            wish.piece == "my piece at home" && wish.aim?.speed.percent == 72.5 && wish.aim?.by.text == "2027-03-01")
        #expect(try Goal.Wish(scoreText: "sequenza-vii off").aim == nil)
        for text in ["", "off", "p at 100%", "p at 100% by tomorrow", "at 100% by 2027-03-01", "p 100% by 2027-03-01"] {
            #expect(
                throws: TextError(
                    "a goal needs a piece, a speed and a day",
                    hint: "for example 'sequenza-vii at 100% by 2027-03-01', or 'sequenza-vii off'")
            ) { try Goal.Wish(scoreText: text) }
        }
    }
}
