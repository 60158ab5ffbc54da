internal import Testing

/// The page as people meet it who use a keyboard, a foot pedal or a screen reader.
@Suite struct PageAccessTests {
    @Test(
        "controls have names, the visible focus follows their order, and screen readers announce what was chosen"
    )
    func access() async throws {
        let plan = "50x(run 0.5s, 2x(walk 0.4s @ 10:00/km), rest 0.6s), forever, count-in: 0.2"
        let facts = try await BrowserFacts("access.py", plan, options: ["--speak", "off"], in: try Scratch())
        for kind in ["control", "watch"] {
            let seen = facts[kind]
            let controls = seen.filter { $0.hasPrefix("control ") }
            #expect(controls.count >= (kind == "control" ? 60 : 8), "\(controls)")
            #expect(controls.allSatisfy { !$0.contains("WITHOUT A NAME") }, "\(controls)")
            for landmark in ["banner", "main The music", "region Messages", "region All controls"] {
                #expect(seen.contains { $0.hasPrefix("landmark \(landmark)") }, "\(kind) has no \(landmark)")
            }
            #expect(seen.contains("landmark navigation Controls"))
            #expect(seen.contains("live polite"))
            #expect(seen.filter { $0.hasPrefix("unseen") }.isEmpty, "\(seen.filter { $0.hasPrefix("unseen") })")
            let orders = seen.filter { $0.hasPrefix("order") }
            #expect(
                orders.count == (kind == "control" ? 6 : 2) && orders.allSatisfy { $0.hasPrefix("order sensible") },
                "\(orders)")
            // Between the controls of the music and all others there is no other stop.
            #expect(seen.contains("stops 1"), "\(seen.filter { $0.hasPrefix("stops") })")
            #expect(seen.contains("width fits"))
        }
        #expect(facts["pedal"].count == 3)
        #expect(facts["motion"] == ["reduced 0s", "full 0.22s"])

        let said = facts["said"].map { $0.split(separator: " ", maxSplits: 3).map(String.init) }
        let counts = said.map { (bars: Int($0[1]) ?? 0, said: Int($0[2]) ?? 0) }
        try #require(counts.count == 3)
        #expect(counts[0].said == 0)
        #expect(counts[1].said > 0 && counts[1].said < counts[1].bars)
        #expect(abs(counts[2].said - counts[2].bars) <= 1)
    }
}
