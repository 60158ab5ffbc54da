internal import Running
internal import Screens
internal import Shared
internal import Synchronization
internal import Testing

internal import Serving

/// The calculator and the table of the plan over the messages of pages.
@Suite struct RunningPagesTests {
    /// A page that has said hello, and what it sends.
    private func page(_ music: ServedMusic, mayControl: Bool) throws -> RawBrowser {
        let browser = try RawBrowser.live(port: music.server.port)
        browser.send(RawBrowser.message("hello \((mayControl ? music.server.control : music.server.watch).text)"))
        try browser.read { $0.text.contains("\"state\"") }
        return browser
    }

    /// Sends a message, and waits for an answer that contains a text after what has come before.
    private func ask(_ browser: RawBrowser, _ message: String, until answer: String) throws {
        let before = browser.text.ranges(of: answer).count
        browser.send(RawBrowser.message(message))
        try browser.read { $0.text.ranges(of: answer).count > before }
    }

    /// The number of the first table that a page gets. It may come after the state.
    private func version(_ browser: RawBrowser) throws -> Int {
        try browser.read { $0.text.contains("\"plan\": {\"version\"") }
        let found = try #require(browser.text.firstMatch(of: /"plan": \{"version": (\d+)/))
        return try #require(Int(found.1))
    }

    private func plan(_ text: String) throws -> Plan { try Plan(runText: text) }

    @Test("each page has a calculator with the rules of the terminal's, and can restore another one")
    func calculators() throws {
        let music = try ServedMusic()
        for mayControl in [true, false] {
            let browser = try page(music, mayControl: mayControl)
            var calculator = PaceCalculator(.first)
            for (message, edit) in [
                ("distance 10", PaceEdit.value(.distance, "10")), ("pace 9:30/mi", .value(.pace, "9:30/mi")),
                ("lock distance", .lock(.distance)), ("time 1h", .value(.time, "1h")),
                ("distance 5", .value(.distance, "5")), ("unit pace", .unit(.pace)), ("reset now", .reset),
                ("time 99:99", .value(.time, "99:99")),
            ] {
                calculator.carryOut(edit)
                try ask(browser, "pace \(message)", until: RunningMessage.pace(calculator))
            }
            let other = try page(music, mayControl: mayControl)
            var known = PaceCalculator(.first)
            known.carryOut(.value(.distance, "13.1mi"))
            try ask(other, "pace restore \(KnownRun(known).text)", until: RunningMessage.pace(known))
        }
    }

    @Test("pages with control edit one plan; a page that has not seen the last change is refused")
    func together() throws {
        let music = try ServedMusic()
        music.server.begin(try plan("run 1:00, walk 2:00"), in: .kilometers)
        let (one, two) = try (page(music, mayControl: true), page(music, mayControl: true))
        for browser in [one, two] { try ask(browser, "running show", until: "\"totals\"") }
        let first = try version(one)
        try ask(one, "plan \(first) 1 cell-time 90", until: "\"version\": \(first + 1)")
        try two.read { $0.text.contains("\"version\": \(first + 1)") }
        #expect(two.text.contains("\"totalTime\": \"2:30\""))
        try ask(two, "plan \(first) 0 delete", until: "has just changed on another page")
        try ask(two, "plan \(first + 1) 0 delete", until: "\"version\": \(first + 2)")
        try ask(one, "plan \(first + 2) 0 cell-time soon", until: "\"edited\": 0")
    }

    @Test("a page that may only watch sees the plan that plays, and cannot edit it")
    func watching() throws {
        let music = try ServedMusic()
        music.server.begin(try plan("run 1:00, walk 2:00"), in: .kilometers)
        let (control, watch) = try (page(music, mayControl: true), page(music, mayControl: false))
        for browser in [control, watch] { try ask(browser, "running show", until: "\"totals\"") }
        let first = try version(watch)
        try ask(watch, "plan \(first) 0 delete", until: "this address can only watch")
        try ask(control, "plan \(first) 0 delete", until: "\"version\": \(first + 1)")
        try watch.read { $0.text.contains("\"version\": \(first + 1)") }
        #expect(watch.text.ranges(of: "\"says\": \"Run\"").count == 2)
        #expect(control.text.ranges(of: "\"says\": \"Run\"").count == 1)
    }

    @Test("a plan is started or saved as edited; a refusal is reported, and changes nothing")
    func starting() throws {
        let music = try ServedMusic()
        let plans = StartedPlans()
        music.server.startPlans { plan in
            plans.all.withLock { $0.append(plan) }
            return plans.refusal.withLock { $0 }
        }
        music.server.begin(try plan("run 1:00"), in: .kilometers)
        let browser = try page(music, mayControl: true)
        try ask(browser, "running show", until: "\"totals\"")
        var number = try version(browser)
        func change(_ text: String) throws {
            try ask(browser, "plan \(number) 0 \(text)", until: "\"version\": \(number + 1)")
            number += 1
        }
        try change("add walk 2:00")
        #expect(browser.text.contains("\"changed\": 1"))
        try change("start")
        let expected = try Plan(runText: "run 1:00, walk 2:00")
        #expect(plans.all.withLock { $0 } == [expected])
        try change("save")
        #expect(browser.text.contains(#""file": "run 1:00\nwalk 2:00\n""#))
        plans.refusal.withLock { $0 = "not now" }
        try ask(browser, "plan \(number) 0 start", until: "\"not now\"")
        try change("clear")
        try ask(browser, "plan \(number) 0 start", until: "there is nothing to save")
    }

    @Test("the changes of pages stay when another performance begins")
    func nextPerformance() throws {
        var desk = PlanDesk()
        let (first, second) = try (Plan(runText: "run 1:00"), Plan(runText: "walk 5:00"))
        desk.play(first, in: .kilometers)
        let added = desk.carryOut(DeskRequest(version: desk.version, row: 0, change: .edit(.line(.add, "rest 0:10"))))
        #expect(added.isDone)
        desk.play(second, in: .kilometers)
        #expect(String(decoding: desk.edited, as: UTF8.self).contains("Rest"))
        #expect(String(decoding: desk.played, as: UTF8.self).contains("Walk"))
        desk.keep()
        desk.play(second, in: .kilometers)
        #expect(!String(decoding: desk.edited, as: UTF8.self).contains("Rest"))
    }

    @Test("a plan does not grow beyond the rows of a page; of a longer one the page shows the first rows, and says so")
    func limits() throws {
        var desk = PlanDesk()
        let parts = Array(repeating: Plan.Part.interval(Interval(.run, .time(.seconds(60)))), count: 700)
        desk.play(Plan(parts), in: nil)
        let text = String(decoding: desk.edited, as: UTF8.self)
        #expect(text.contains("says\": \"the first 500 of 700 rows are shown here\""))
        #expect(text.ranges(of: "\"group\"").count == PlanDesk.rowLimit)
        for change in [PlanEditor.Edit.line(.add, "run 1:00"), .act(.duplicate), .cell(.name, "walk")] {
            let outcome = desk.carryOut(DeskRequest(version: desk.version, row: 0, change: .edit(change)))
            #expect(!outcome.isDone && outcome.message.contains("500 rows"))
        }
        let deleted = desk.carryOut(DeskRequest(version: desk.version, row: 0, change: .edit(.act(.delete))))
        #expect(deleted.isDone)
    }
}

/// The plans that pages have started, and why that is refused.
private final class StartedPlans: Sendable {
    let all = Mutex<[Plan]>([])
    let refusal = Mutex<String?>(nil)
}
