import Playback
import Scores
import Screens
import Testing
import Timing

/// What every screen says of the numbers of a page.
@Suite("Numbers of bars on screens")
struct BarNumberTests {
    private static let page = "title: Page\nlines: [[1, 1], [{duration: 1, number: 57a}, {duration: 2, number: 58}, 1]]"

    private func status() throws -> (status: Status, now: Int64) { (Status.of(try Score.of(Self.page)), 2_500_000_000) }

    @Test("every screen that says the place of a bar says its number")
    func screens() throws {
        let (status, now) = try status()
        let heard = try #require(status.moment(at: now).bar)
        #expect(StandWording.bar(heard.bar) == "line 2, bar 1 of 3  no. 57a")
        #expect(StandWording.places(heard)[1].hasPrefix("line 2, bar 1 of 3  no. 57a  "))
        #expect(ScoreWords().stand(heard, status, isShort: false).next == "then bar 2, no. 58, 2.0 s")
        #expect(StatusText.line(status, at: now) == "Page, line 2 bar 1, no. 57a, 0.5 s left, 0:02.5 of 0:06.0")
        #expect(StatusText.json(status, at: now).contains("\"number\": \"57a\""))
        #expect(StatusText.json(status, at: now + 1_000_000_000).contains("\"number\": 58"))
        #expect(ScoreWords().line(2, status) == "    2.1    0:02.000    1.000 s  no. 57a")
        #expect(NotificationScreen.texts(status, heard).title == "Line 2, bar 1, no. 57a, 0:01")
        #expect(ScoreWords().ending(status.stopped(at: now)) == "stopped at line 2, bar 1, no. 57a, 0:02.5 of 0:06.0")
        #expect(ScoreWords().pagePlace(2, status) == "line 2, bar 1 of 3  no. 57a")
        #expect(ScoreWords().stripName(of: heard.bar, nil) == "57a")
        #expect(ScoreWords().place(2, status) == "line 2, bar 1 of 3  no. 57a")
    }

    @Test("a number that the place tells already is not said again")
    func counted() throws {
        let (status, _) = try status()
        #expect(ScoreWords().line(0, status) == "    1.1    0:00.000    1.000 s")
        #expect(ScoreWords().pagePlace(0, status) == "line 1, bar 1 of 2")
    }

    @Test("the prompt takes numbers as places")
    func prompt() throws {
        let (status, _) = try status()
        for text in ["no. 58", "57a", "no. 57a (1)"] {
            let commands = try StandControls.answer(.place, text, status)
            #expect(commands == [.jump(.bar(text == "no. 58" ? 3 : 2))])
        }
    }
}
