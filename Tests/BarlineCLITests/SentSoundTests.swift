internal import Shared
internal import Testing

/// What a page of one file sounds, rendered by a real browser whose audio device needs neither a sound card nor time.
@Suite struct SentSoundTests {
    /// A piece: the length of its count-in in s, and the bars of the table of `timeline` that no click begins.
    private struct Piece {
        var name: String
        var countIn: Double
        var isSilent: ([Substring]) -> Bool = { _ in false }
    }

    private static let duo = """
        title: Duo
        count-in: 2
        voices:
          flute:
            tempo: 60
            lines:
              - bars:
                  - {meter: 4/4, ramp: {to: 120, over: 4 bars}}
                  - {meter: 4/4, times: 5}
                  - {duration: 3, hold: 4}
                  - {meter: 3/4, times: 3}
                repeat: 3
          oboe: {lines: [{bars: [1.7, 2.3, {duration: 4, click: "off"}, {duration: 3, warning: 2}], repeat: 6}]}
        """

    @Test(
        "every click, tick and warning of a page of one file sounds when the program has it, at 50, 100 and 133 %"
    )
    func sound() async throws {
        let scratch = try Scratch()
        try scratch.write("duo.yaml", Self.duo)
        try scratch.write("plan.txt", "warm-up 0:20, 3x(run 0:40 @ 5:00/km, walk 0:15), cool-down 0:10\n")
        let silent = ["BARLINE_DRONE": "off", "BARLINE_SPEAK": "off"]
        let pieces = [
            Piece(name: "sequenza-vii", countIn: 3),
            // The third bar of each line of the oboe is a rest.
            Piece(name: "duo.yaml", countIn: 2) { $0[0] == "oboe" && $0[4] == "3" },
            Piece(name: "plan.txt", countIn: 5),
        ]
        let cases = pieces.flatMap { piece in [50, 100, 133].map { (piece: piece, percent: $0) } }
        var arguments: [String] = []
        for (n, each) in cases.enumerated() {
            let speed = ["--speed", "\(each.percent)%"]
            let sound = ["-o", "program\(n).wav", "--channels", "1", "--bits", "32f"]
            for command in [["convert", each.piece.name, "page\(n).html"], ["render", each.piece.name] + sound] {
                let outcome = try await Program.run(command + speed, in: scratch, environment: silent)
                try #require(outcome.code == 0, "\(outcome.errors)")
            }
            let length = try #require(HeardSound(wave: scratch.read("program\(n).wav"))).count / 48_000 + 2
            arguments += ["page\(n).html", "\(length)", "page\(n).wav", ""]
        }
        let facts = try await BrowserFacts("heard.py", running: arguments, in: scratch)
        #expect(facts["complaint"].isEmpty, "the browser complains: \(facts["complaint"])")

        for (n, (piece, percent)) in cases.enumerated() {
            let own = try #require(HeardSound(wave: scratch.read("program\(n).wav")))
            // The sound begins 0.3 s after the touch.
            let page = try #require(HeardSound(wave: scratch.read("page\(n).wav"))).from(0.3)
            let difference = own.difference(from: page)
            #expect(difference < 0.1, "\(piece.name) at \(percent) %: the sounds differ by \(difference)")
        }
    }

    @Test(
        "after a call, in a frozen page and after a sleep the sound is that of the program again, and the page says what was"
    )
    func away() async throws {
        let scratch = try Scratch()
        let silent = ["BARLINE_DRONE": "off"]
        for command in [
            ["convert", "sequenza-vii", "page.html"],
            ["render", "sequenza-vii", "-o", "program.wav", "--channels", "1", "--bits", "32f", "--to", "8.13"],
        ] {
            let outcome = try await Program.run(command, in: scratch, environment: silent)
            try #require(outcome.code == 0, "\(outcome.errors)")
        }
        let happens = ["page.html", "140", "page.wav", "call:14:4,freeze:40:12,sleep:90:60"]
        let facts = try await BrowserFacts("heard.py", running: happens, in: scratch)
        #expect(facts["away"].first?.hasPrefix("no sound since ") == true, "\(facts["away"])")
        // The trouble is over.
        #expect(facts["back"] == ["sound was away for 5 s; the music went on|"])
        #expect(facts["slept"] == ["this device slept for 60 s: the music waited, and goes on from where it was"])
        let own = try #require(HeardSound(wave: scratch.read("program.wav")))
        let page = try #require(HeardSound(wave: scratch.read("page.wav")))
        // Until the call, from the call on until the page is frozen with 2.5 s of clicks ahead, and once it is awake again. The
        // sound begins 0.3 s after the touch, and stood still for 4 s during the call.
        for (begin, end, lag) in [(0.3, 14, -0.3), (14, 42.5, 3.7), (52, 139, 3.7)] {
            let heard = page.from(begin, to: end)
            let difference = own.from(begin + lag, to: end + lag).difference(from: heard)
            #expect(difference < 0.1, "from \(begin) to \(end) s: the sounds differ by \(difference)")
        }
        #expect(page.from(43.5, to: 52).peak == 0)
    }
}
