import Playback
import Scores
import Screens
import Testing
import UserSettings

@Suite("The page of keys")
struct StandHelpTests {
    private static let long = "pause f5 f6 f7 insert delete, help f12 f11, quit end, next-line none"

    private func pages(
        _ keys: KeyBindings, _ columns: Int, _ rows: Int, listens: Bool = false
    ) -> [[String]] {
        var choices = StandChoices(keys: keys)
        choices.listens = listens
        return (0..<StandView.helpPages(choices, (columns, rows))).map { page in
            choices.helpPage = page
            let status = Status.of()
            return StandView(status, status.moment(at: 0), choices, at: 0).canvas((columns, rows), lit: nil).text
        }
    }

    @Test(
        "at 80 x 24 and at 100 x 30, one page has every key with its whole text, also while a microphone listens",
        arguments: [(80, 24), (100, 30)], [false, true])
    func whole(size: (columns: Int, rows: Int), listens: Bool) throws {
        let (columns, rows) = size
        for keys in [KeyBindings.standard, try KeyBindings(text: StandHelpTests.long)] {
            let pages = pages(keys, columns, rows, listens: listens)
            #expect(pages.count == 1 || keys != .standard && columns == 80)
            let text = pages.joined().joined(separator: "\n")
            let hidden = listens ? KeyAction.tapBar : .weakBars
            for action in KeyAction.allCases where !keys.keys(of: action).isEmpty && action != hidden {
                let pair = StandHelp.pairs.first { $0.key == action || $0.value.with == action }
                let says = pair?.value.text ?? keys.explanation(of: action)
                #expect(text.contains(says), "\(action)")
            }
            // As on the rest of the stand, nothing stands in the margin.
            #expect(pages.joined().allSatisfy { $0.isEmpty || $0.hasPrefix("  ") })
        }
    }

    @Test("where another machine leads, the stand names only keys that work here, and the others say why they do not")
    func led() {
        var choices = StandChoices()
        choices.isLed = true
        func shown(_ choices: StandChoices) -> String {
            let view = StandView(.of(), Status.of().moment(at: 0), choices, at: 0)
            return view.canvas((80, 24), lit: nil).text.joined(separator: "\n")
        }
        #expect(shown(choices).contains("? keys   q end") && !shown(choices).contains("Space"))
        choices.helpPage = 0
        let help = shown(choices)
        for works in [KeyAction.drone, .clicks, .clicksLouder, .tapBar, .quit] {
            #expect(help.contains(works.standKey.says), "\(works)")
        }
        for refused in [
            KeyAction.pause, .nextBar, .goTo, .loopBar, .faster, .countIn, .mark, .reset, .nextPiece, .addresses,
            .program,
        ] {
            #expect(!help.contains(refused.standKey.says), "\(refused)")
        }
        #expect(help.contains("bars without clicks"))
        choices.helpPage = nil
        let stand = Stand(choices)
        stand.see(.of())
        for key in [Key.character(" "), .character("k"), .character("g"), .right, .enter, .tab, .character("a")] {
            #expect(stand.press(key, at: 0) == [] && stand.choices.prompt == nil, "\(key)")
            #expect(stand.choices.message == "only the machine that leads can do that", "\(key)")
        }
        #expect(stand.press(.character("c"), at: 0) == [.toggleClicks] && stand.choices.message == "")
        #expect(stand.press(.character("j"), at: 7) == [.tell(.tap(at: 7))])
        #expect(!stand.choices.wantsNext)
        // Of practice, each machine has its own bars without clicks.
        func typed(_ text: String) -> [Command] {
            _ = stand.press(.character("P"), at: 0)
            for character in text { _ = stand.press(.character(character), at: 0) }
            return stand.press(.enter, at: 0)
        }
        #expect(typed("each 3") == [] && stand.choices.message == "only the machine that leads can do that")
        #expect(typed("off") == [.silence(nil)])
        guard case .silence(.some)? = typed("silent 1 of 2").first else {
            Issue.record("\(stand.choices.message)")
            return
        }
    }

    @Test("help of several pages says which one is shown, and help of one page says nothing")
    func numbered() {
        let pages = pages(.standard, 60, 15)
        #expect(pages.count > 1)
        for (number, page) in pages.enumerated() {
            #expect(page.last?.contains("page \(number + 1) of \(pages.count)") == true)
        }
        #expect(!self.pages(.standard, 80, 24).joined().contains { $0.contains("page 1 of 1") })
    }

    @Test("keys that the user has changed are shown as they are")
    func rebound() throws {
        let keys = try KeyBindings(text: StandHelpTests.long)
        let text = pages(keys, 100, 30).joined().joined(separator: "\n")
        #expect(text.contains("F5     pause, resume (also F6, F7, Insert, Delete)"))
        #expect(!text.contains("next line") && !text.contains("Space"))
        #expect(text.contains("F5 pause   ←→ bar   ↑ line   F12 keys   End end"))
    }

    @Test("texts are cut only where there is no room for them, and then between words")
    func narrow() {
        let texts =
            KeyAction.allCases.map { KeyBindings.standard.explanation(of: $0) } + StandHelp.pairs.values.map(\.text)
        for columns in [30, 40, 60, 81, 120, 200] {
            for page in pages(.standard, columns, 15) {
                for row in page.dropLast() where row.contains("…") && !row.contains("bar …") && !row.contains("… to") {
                    let end = row.split(separator: "…").first.map { $0.split(separator: " ").last ?? "" } ?? ""
                    #expect(texts.contains { $0.split(separator: " ").contains(end) }, "\(row)")
                    #expect(columns < 40)
                }
            }
        }
    }

    @Test("both kinds of music have as many pages")
    func runs() {
        for (columns, rows) in [(20, 5), (40, 10), (80, 24), (100, 30), (200, 60)] {
            let count = PieceParts.allCases.map {
                StandHelp(.standard, $0, rows: rows - 1, area: 0..<columns).pages.count
            }
            #expect(count[0] == count[1])
        }
    }

    @Test("a key acts as the user has chosen, and a control of a page acts whatever the keys are")
    func acts() throws {
        let keys = try KeyBindings(text: "pause f5, next-bar space")
        let stand = Stand(StandChoices(keys: keys))
        #expect(stand.press(.function(5), at: 0) == [.togglePause])
        #expect(stand.press(.character(" "), at: 0) == [.jump(.nextBar)])
        #expect(stand.press(.right, at: 0) == [])
        #expect(StandControls.press("Space", on: stand, .of(), at: 0) == [.togglePause])
        #expect(StandControls.press("→", on: stand, .of(), at: 0) == [.jump(.nextBar)])
        #expect(StandControls.press("F5", on: stand, .of(), at: 0) == [])
    }
}
