internal import Shared
internal import Testing

/// What a page of one file sounds, rendered by a real browser whose audio device needs neither a sound card nor time.
@Suite struct SentSoundTests {
    private static let duo = """
        title: Duo
        count-in: 2
        beats: on
        voices:
          flute:
            tempo: 60
            lines:
              - bars:
                  - {meter: 4/4, ramp: {to: 120, over: 4 bars}}
                  - {meter: 4/4, times: 5}
                  - {duration: 3, hold: 4}
                  - {meter: 3/4, times: 2}
                  - {duration: 3, click: "off"}
                  - {meter: 3/4, warning: 2}
                repeat: 3
          oboe: {lines: [{bars: [1.7, 2.3, {duration: 4, click: "off"}, 3], repeat: 6}]}
        """

    @Test(
        "every click, tick and warning of a page of one file sounds when the program has it, slower and faster, too"
    )
    func sound() async throws {
        let scratch = try Scratch()
        try scratch.write("duo.yaml", Self.duo)
        try scratch.write("plan.txt", "warm-up 0:20, 3x(run 0:40 @ 5:00/km, walk 0:15), cool-down 0:10\n")
        let silent = ["BARLINE_DRONE": "off", "BARLINE_SPEAK": "off"]
        let changing = [
            ExpectedClicks(
                name: "duo.yaml", countIn: 2, rests: ["flute": "10", "oboe": "3"], warning: ["flute": ("11", 2)]),
            ExpectedClicks(name: "plan.txt", countIn: 5, isPlan: true),
        ]
        let cases =
            [(piece: ExpectedClicks(name: "sequenza-vii", countIn: 3), percent: 100)]
            + changing.flatMap { piece in [50, 100, 133].map { (piece: piece, percent: $0) } }
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

        var (found, hidden) = (0, 0)
        for (n, (piece, percent)) in cases.enumerated() {
            let own = try #require(HeardSound(wave: scratch.read("program\(n).wav")))
            // The sound begins 0.3 s after the touch.
            let page = try #require(HeardSound(wave: scratch.read("page\(n).wav"))).from(0.3)
            let difference = own.difference(from: page)
            #expect(difference < 0.1, "\(piece.name) at \(percent) %: the sounds differ by \(difference)")
            let onsets = page.onsets()
            let clicks = try await piece.clicks(percent, in: scratch)
            for (what, time) in clicks {
                let isAlone = clicks.count { abs($0.time - time) < 0.002 } == 1
                if isAlone, onsets.contains(where: { abs($0 - time) < 0.001 }) {
                    found += 1
                    continue
                }
                hidden += 1
                let cover = clicks.count { abs($0.time - time) < 0.02 || (time - 0.25..<time).contains($0.time) }
                #expect(cover > 1, "\(piece.name) at \(percent) %: no click at \(time) s, \(what)")
                // This stretch is the program's, and would not be a millisecond later.
                let (begin, end) = (time - 0.005, time + 0.03)
                let stretch = own.from(begin, to: end)
                let difference = stretch.difference(from: page.from(begin, to: end))
                #expect(difference < 0.02, "\(piece.name) at \(percent) %: \(difference) at \(time) s, \(what)")
                #expect(stretch.difference(from: page.from(begin - 0.001, to: end - 0.001)) > 0.5)
            }
            for onset in onsets {
                let nearest = clicks.map { abs($0.time - onset) }.min() ?? .infinity
                #expect(nearest < 0.001, "\(piece.name) at \(percent) %: nothing is due at \(onset) s")
            }
        }
        // Of 694 clicks, ten begin with another one, less than 20 ms before or after it, or in a whistle of the plan, which
        // rings for 0.22 s: at each speed the first ones of both voices; one of the duo at 100 %, two at 133 %; and the signal
        // of the last minute at 133 %.
        #expect(found >= 684 && hidden <= 10, "\(found) clicks were found, \(hidden) are hidden")
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
