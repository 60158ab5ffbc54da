import Playback
import Scores
import Screens
import Testing
import Timing
import UserSettings

@Suite("Those who are connected")
struct GuestTests {
    private static let report = GuestReport(clock: .microseconds(1234), lost: 2, voice: "oboe")

    @Test("a line tells what each is, how well it knows the clock, what it lost, and since when it is silent")
    func text() {
        let page = Guest(.page, number: 3, mayControl: true, contact: seconds(10))
        #expect(page.text(at: seconds(11)) == "page 3   controls")
        var follower = Guest(.follower, number: 4, mayControl: true, contact: seconds(10), report: Self.report)
        #expect(follower.text(at: seconds(14)) == "follower 4, oboe   clock 1.23 ms   2 clicks lost")
        follower.report?.lost = 0
        #expect(follower.text(at: seconds(22.5)) == "follower 4, oboe   clock 1.23 ms   no contact for 12 s")
    }

    @Test("the status for programs lists all, and lists nobody where nobody can connect")
    func json() {
        let guests = [Guest(.page, number: 3, mayControl: false, contact: seconds(1), report: Self.report)]
        let status = StatusText.json(.of(), guests: guests, at: seconds(1.5))
        #expect(
            status.hasSuffix(
                #""connected": [{"kind": "page", "number": 3, "controls": false, "voice": "oboe", "clock_s": 0.001234, "lost": 2, "silent_s": 0.500}]}"#
            ), "\(status)")
        #expect(!StatusText.json(.of(), at: 0).contains("connected"))
    }

    @Test("what a page tells of itself reads back, and never becomes too long for a message")
    func report() {
        #expect(GuestReport(message: Self.report.message) == Self.report)
        let long = GuestReport(clock: .seconds(9), lost: 1, voice: String(repeating: "e\u{301}\u{7}", count: 500))
        #expect(long.message.utf8.count < 200)
        #expect(GuestReport(message: long.message) == long)
    }

    // MARK: - On the stand

    private static let invitations = ["only watch", "control", "oboe"].map { name in
        Invitation(
            name, "http://192.168.178.123:8573/#0b5c73f3aa11bb22cc33dd44ee55ff66&voice=\(name.prefix(4))",
            code: (0..<19).map { _ in String(repeating: "█", count: 37) })
    }

    private func rows(_ columns: Int, _ count: Int, _ guests: [Guest], shown: Int = 0) -> [String] {
        var choices = StandChoices()
        (choices.invitations, choices.shownInvitation) = (Self.invitations, shown)
        return StandView(.of(), Status.of().moment(at: 0), choices, at: seconds(5), guests: guests)
            .canvas((columns, count), lit: nil).text
    }

    @Test(
        "a key shows each address with its code and those who are connected; where there is no room, it says what the code needs"
    )
    func invitation() {
        let guests = (1...30).map {
            Guest(.page, number: $0, mayControl: false, contact: seconds(5), report: Self.report)
        }
        let shown = rows(80, 24, guests, shown: 1)
        #expect(shown[0] == "  " + String(repeating: "█", count: 37) + "  control (address 2 of 3)")
        let texts = shown.map { String($0.dropFirst(41)) }
        #expect(texts[1...2].joined() == Self.invitations[1].address)
        #expect(texts[4] == "connected:" && texts[5].hasPrefix("page 1, oboe   clock 1.23 ms"))
        #expect(texts[22] == "…")
        #expect(rows(80, 24, []).contains { $0.hasSuffix("nobody is connected") })
        let small = rows(60, 20, guests)
        #expect(!small.contains { $0.contains("█") })
        #expect(small.contains("the QR code needs 63 columns and 20 rows"))
    }

    @Test(
        "the key goes through the addresses and back to the music, as Escape does; without addresses, it says how to have some"
    )
    func key() {
        var choices = StandChoices()
        choices.invitations = Self.invitations
        let stand = Stand(choices)
        for expected in [0, 1, 2, nil, 0] {
            #expect(stand.press(.character("a"), at: 0).isEmpty)
            #expect(stand.choices.shownInvitation == expected)
        }
        _ = stand.press(.character("?"), at: 0)
        #expect(stand.choices.helpPage == 0 && stand.choices.shownInvitation == nil)
        _ = stand.press(.character("a"), at: 0)
        #expect(stand.choices.helpPage == nil && stand.choices.shownInvitation == 0)
        _ = stand.press(.escape, at: 0)
        #expect(stand.choices.shownInvitation == nil)
        let alone = Stand()
        _ = alone.press(.character("a"), at: 0)
        #expect(alone.choices.message == "nobody can connect: `barline play --serve` lets others in")
    }

    @Test("the key for the next piece ends this one if another follows, and otherwise says that none does")
    func nextPiece() {
        var choices = StandChoices()
        let last = Stand(choices)
        #expect(last.press(.tab, at: 0).isEmpty)
        #expect(last.choices.message == "no other piece follows" && !last.choices.wantsNext)
        choices.hasNext = true
        let first = Stand(choices)
        #expect(first.press(.tab, at: 0) == [.stop])
        #expect(first.choices.wantsNext)
        // Who quits while the drone fades wants no other piece.
        #expect(first.press(.character("q"), at: 1) == [.stop])
        #expect(!first.choices.wantsNext)
    }
}
