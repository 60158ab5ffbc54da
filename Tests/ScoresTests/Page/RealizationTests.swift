import Formats
import SampleScores
import Scores
import Shared
import Testing

@Suite("Realizations of time brackets")
struct RealizationTests {
    private func bracket(
        _ start: ClosedRange<Int>, _ end: ClosedRange<Int>, label: String = "", player: String = ""
    ) -> Bracket {
        func seconds(_ range: ClosedRange<Int>) -> ClosedRange<Duration> {
            .seconds(range.lowerBound) ... .seconds(range.upperBound)
        }
        return Bracket(label: label, start: seconds(start), end: seconds(end), player: player)
    }

    private func score(_ brackets: [Bracket], seed: UInt64? = nil) -> Score {
        var score = Score(sections: [])
        score.brackets = brackets
        score.realization = seed
        return score
    }

    /// Random brackets of one to three players, in windows of whole milliseconds.
    private func brackets(_ random: inout Seeded) -> [Bracket] {
        let players = ["", "flute", "violin"].prefix(random.int(1...3))
        var place = [String: Int]()
        return (0..<random.int(1...12)).map { _ in
            let player = players[random.int(0...players.count - 1)]
            let first = max((place[player] ?? 0) + random.int(-20...25) * 100, 0)
            let starts = first...first + random.int(0...3) * random.int(0...3000)
            let end = random.int(starts.lowerBound...starts.upperBound + 2000)
            let ends = end...max(end, starts.upperBound) + random.int(0...4000)
            place[player] = ends.lowerBound
            return Bracket(
                start: .milliseconds(starts.lowerBound) ... .milliseconds(starts.upperBound),
                end: .milliseconds(ends.lowerBound) ... .milliseconds(ends.upperBound), player: player)
        }
    }

    /// Whether every player can play every bracket inside its windows, by trying each time as early as the others allow
    /// until nothing changes.
    private func isPossible(_ brackets: [Bracket]) -> Bool {
        for player in Set(brackets.map(\.player)) {
            let windows = brackets.filter { $0.player == player }.flatMap { [$0.start, $0.end] }
            var times = windows.map(\.lowerBound)
            while let late = times.indices.dropFirst().first(where: { times[$0] < times[$0 - 1] }) {
                times[late] = times[late - 1]
            }
            if zip(times, windows).contains(where: { $0 > $1.upperBound }) { return false }
        }
        return true
    }

    @Test(
        "a seed has at most 19 digits and nothing else",
        arguments: [("7", 7 as UInt64?), ("0", 0), (" 9999999999999999999 ", 9_999_999_999_999_999_999)]
            + ["", "+123456789012345678", "-1", "10000000000000000000", "1.5", "１２３４５６７"].map { ($0, nil) })
    func seeds(text: String, seed: UInt64?) {
        #expect((try? Score.realization(scoreText: text)) == seed)
    }

    @Test("two brackets of one player never overlap, and all times are inside their windows if that is possible")
    func random() {
        var random = Seeded(state: 1992)
        var counts = (possible: 0, impossible: 0)
        for _ in 0..<3000 {
            let written = brackets(&random)
            let isPossible = isPossible(written)
            if isPossible { counts.possible += 1 } else { counts.impossible += 1 }
            #expect((score(written).realizationConflict == nil) == isPossible)
            for _ in 0..<5 {
                let played = score(written, seed: random.next()).playedBrackets
                #expect(played.count == written.count)
                var free: [String: Duration] = [:]
                for (played, written) in zip(played, written) {
                    let (begin, end) = (played.start.lowerBound, played.end.lowerBound)
                    #expect(played.isFixed && begin <= end && played.player == written.player)
                    #expect(begin >= free[played.player] ?? .zero)
                    free[played.player] = end
                    guard isPossible else { continue }
                    #expect(written.start.contains(begin) && written.end.contains(end))
                    #expect(begin.attoseconds % 1_000_000_000_000_000 == 0)
                }
            }
        }
        #expect(counts.possible > 500 && counts.impossible > 500)
    }

    @Test("the times of brackets that cannot meet are drawn evenly from their whole windows")
    func apart() {
        let apart = [bracket(0...45, 30...75), bracket(75...105, 110...150), bracket(160...160, 200...210)]
        for seed in 0..<200 as Range<UInt64> {
            var random = SplitMix64(seed: seed)
            func draw(_ first: Int, _ last: Int) -> Duration {
                .milliseconds(first + Int(random.number(through: UInt64(last - first))))
            }
            for (played, written) in zip(score(apart, seed: seed).playedBrackets, apart) {
                let begin = draw(
                    Int(written.start.lowerBound / .milliseconds(1)), Int(written.start.upperBound / .milliseconds(1)))
                #expect(played.start.lowerBound == begin)
                let first = max(written.end.lowerBound, begin)
                let end = draw(Int(first / .milliseconds(1)), Int(written.end.upperBound / .milliseconds(1)))
                #expect(played.end.lowerBound == end)
            }
        }
    }

    @Test("each time is drawn evenly from the part of its window that earlier times leave and later times allow")
    func evenly() {
        // The second may begin at 60 ... 90, and must have ended at 100; the first must have ended by then.
        let written = [bracket(0...80, 40...120), bracket(60...90, 70...100)]
        let count = 4000
        var shares: [[Double]] = [[], [], [], []]
        for seed in 0..<UInt64(count) {
            let played = score(written, seed: seed).playedBrackets
            let times = played.flatMap { [$0.start.lowerBound, $0.end.lowerBound] }.map { $0 / .seconds(1) }
            // The first two must leave room until 90, the latest start of the second bracket.
            let windows: [(Double, Double)] = [
                (0, 80), (max(40, times[0]), 90), (max(60, times[1]), 90), (max(70, times[2]), 100),
            ]
            for (index, window) in windows.enumerated() where window.1 - window.0 > 0.5 {
                shares[index].append((times[index] - window.0) / (window.1 - window.0))
            }
        }
        for share in shares {
            // Kolmogorov and Smirnov: with 4000 draws, the largest distance is below 0.03 in 99.8 % of cases.
            let sorted = share.sorted()
            let distance =
                sorted.enumerated().map { n, value -> Double in abs(value - Double(n) / Double(sorted.count)) }
                .max() ?? 1
            #expect(distance < 0.03 && sorted.count > count / 2)
        }
    }

    @Test("an impossible set is an error that names the two brackets")
    func conflict() {
        let fixed = [
            bracket(75...75, 120...120, label: "fixed"), bracket(75...105, 120...150),
            bracket(200...210, 220...230),
        ]
        #expect(
            score(fixed).realizationConflict?.description
                == "bracket 'fixed' and bracket 2 overlap: bracket 'fixed' ends at 2:00 at the earliest, and bracket 2 must "
                + "have begun by 1:45; widen their windows, or name their players if these are two")
        // The first bracket decides when the third can begin, not the second, which can be over at once.
        let chain = [bracket(0...10, 100...110), bracket(90...100, 95...110), bracket(60...99, 120...130)]
        #expect(score(chain).realizationConflict?.message.hasPrefix("bracket 1 and bracket 3 overlap") == true)
        #expect(score([]).realizationConflict == nil)
        var two = fixed
        two[0].player = "flute"
        #expect(score(two).realizationConflict == nil)
        let text = """
            brackets:
              - {start: 1:15, end: 2:00, label: A}
              - {start: 1:15 - 1:45, end: 2:00 - 2:30}
            realize: 7
            """
        let reading = Score.read(Array(text.utf8), file: "x.yaml")
        #expect(reading.score == nil && reading.diagnostics.count == 1)
        #expect(
            reading.diagnostics[0].rendered(color: false).hasPrefix(
                "x.yaml:4:10: error: bracket 'A' and bracket 2 overlap: bracket 'A' ends at 2:00"))
    }

    @Test("sections are played in an order given on the spot; an unknown section is an error with a suggestion")
    func order() throws {
        var open = Score(
            sections: ["A", "B", "Coda"].map { label in
                Score.Section(label: label, parts: [.line(Score.Line(bars: [Score.Bar(.seconds(1))]))])
            })
        try open.play(sections: "Coda, A,B ,A")
        #expect(open.playedSections == [2, 0, 1, 0] && open.orders.last?.name == "Coda, A, B, A")
        try open.play(sections: "B")
        #expect(open.playedSections == [1])
        try open.play(sections: "B")
        #expect(Set(open.orders.map(\.name)).count == 3 && open.playedSections == [1])
        try open.play(sections: Array(repeating: "Coda", count: 500).joined(separator: ","))
        #expect(open.playedSections.count == 500 && open.order == "given")
        var plain = Score(sections: open.sections)
        #expect(message { try plain.play(sections: "A,Koda") } == "there is no section 'Koda'; did you mean 'Coda'?")
        #expect(message { try plain.play(sections: "A,,B") } == "there is no section ''; the score has A, B, Coda")
        #expect(plain.order == nil && plain.orders.isEmpty)
        plain.orders = [Score.Order(name: "backward", sections: ["B", "A"])]
        #expect(
            message { try plain.play(sections: "backwards") }
                == "there is no order or section 'backwards'; did you mean 'backward'?")
        var none = Score(lines: [Score.Line(bars: [Score.Bar(.seconds(1))])])
        #expect(message { try none.play(sections: "A") } == "there is no section 'A'; the score has none")
        let many = Array(repeating: "A", count: 10_001).joined(separator: ",")
        #expect(message { try plain.play(sections: many) } == "an order has at most 10 000 sections")
        var film = try SampleScores.score(
            "sections: [{label: A, bars: [4/4]}, {label: B, bars: [{meter: 4/4, hit: 4}]}]")
        #expect(message { try film.play(sections: "B, A") }.hasPrefix("a score with hits is played in the order"))
    }
}
