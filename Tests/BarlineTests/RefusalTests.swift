import Barline
internal import Shared
internal import Testing

/// What can be made of values, but not written or played.
@Suite struct RefusalTests {
    private static func score(_ change: (inout Score) -> Void = { _ in }) -> Score {
        var score = Score(lines: [Score.Line(bars: [Score.Bar(.milliseconds(20)), Score.Bar(.milliseconds(10))])])
        change(&score)
        return score
    }

    @Test("a score that repeats forever is played as often as a program says, otherwise until stopped")
    func times() throws {
        let endless = RefusalTests.score { $0.isEndless = true }
        let performance = try Performance(endless, from: "1.1", to: "1.2", times: 3)
        #expect(performance.count == 6 && performance.length == .milliseconds(90))
        // The click of the last line begins after 60 ms, and lasts 100 ms.
        #expect(Renderer(performance, format: SoundFormat()).frames == 7680)
        #expect(try Performance(endless).count == nil)
        #expect(try Performance(RefusalTests.score(), times: nil).count == nil)
        #expect(try Performance(RefusalTests.score()).count == 2)
    }

    @Test("several files of one path, and more markers than a file can have, are refused, and nothing is written")
    func files() throws {
        let folder = TemporaryFolder()
        let renderer = try Renderer(RefusalTests.score())
        let path = folder("d.wav")
        #expect(
            throws: RenderError.unsuitable("'\(path)' would be written twice: give each file a name of its own")
        ) { try renderer.write([(folder("./d.wav"), .click), (path, .drone)]) }
        for type in FileType.allCases {
            let markers = Array(repeating: Marker(frame: 0, name: "x"), count: type.markerLimit + 1)
            let (name, limit) = (type.rawValue.uppercased(), type.markerLimit)
            #expect(throws: RenderError.unsuitable("\(name) files have at most \(limit) markers")) {
                try renderer.write(to: folder("a.\(type.rawValue)"), markers: markers)
            }
        }
        #expect(folder.contents == [])
    }

    @Test("A4 and notes of the drone beyond their ranges are refused by renderers and players")
    func pitches() async throws {
        var performance = try Performance(RefusalTests.score { $0.drone = Score.Drone() })
        for a4 in [-5, .nan, 1e9, 500] {
            performance.a4 = a4
            let renderer = Renderer(performance, format: SoundFormat())
            #expect(renderer.frames == nil)
            #expect(throws: RenderError.unsuitable("A4 must be 380 Hz to 480 Hz")) { try renderer.render { _, _ in } }
        }
        performance.a4 = 440
        performance.drone?.pitch = .frequency(9000)
        let fault = "in this tuning, 9000 Hz has 9000.0 Hz, outside the range of a drone (16 to 8000 Hz)"
        let renderer = Renderer(performance, format: SoundFormat())
        #expect(throws: RenderError.unsuitable(fault)) { try renderer.render { _, _ in } }
        await #expect(throws: PlayerError.performance(.drone(fault))) {
            _ = try await Player(performance, device: "null")
        }
    }

    @Test("a format with channels that the sound does not have is refused with the channel", arguments: [1, 2, 3])
    func channels(part: Int) throws {
        var format = SoundFormat(rate: 8000)
        switch part {
        case 1: format.clickChannels = ChannelSet([7])
        case 2: format.droneChannels = ChannelSet([1, 7])
        default: format.timecodeChannels = ChannelSet([7])
        }
        let renderer = try Renderer(RefusalTests.score(), format: format)
        #expect(renderer.frames == nil)
        #expect(throws: RenderError.unsuitable("there is no channel 7: the sound has only 2")) {
            try renderer.render { _, _ in }
        }
    }

    @Test("a bar that no score can have is not written into one", arguments: [Format.yaml, .csv, .midi])
    func longBars(format: Format) throws {
        let score = try Plan([.interval(Interval(.run, .time(.seconds(90_000))))]).score()
        let played = PlayedScore(score, passage: Passage(Timeline(score)), speed: .asWritten)
        #expect(throws: TextError("a bar lasts at most 24 h")) { try format.write(played) }
    }

    @Test("what no text can give is written as the nearest that one can")
    func yaml() throws {
        func read(_ change: (inout Score) -> Void) throws -> Score { try Score(RefusalTests.score(change).yaml) }
        #expect(try read { $0.title = "a\tb\r\nc" }.title == "a b  c")
        for empty in ["", " \n"] { #expect(try read { $0.title = empty }.title == nil) }
        #expect(try read { $0.composer = String(repeating: "x", count: 300) }.composer?.count == 200)
        #expect(try read { $0.sections[0].label = "A\nB" }.sections[0].label == "A B")
        #expect(try read { $0.countIn = .seconds(90) }.countIn == .seconds(60))
        #expect(try read { $0.countIn = .bars(0) }.countIn == .bars(1))
        let voices = ["", "a,b", "1"].map { Score.Companion(Score.VoiceMark($0), RefusalTests.score()) }
        #expect(try read { $0.companions = voices }.voiceNames == ["1", "2", "a b", "14"])
    }

    @Test("the text of a plan has one interval for each of its own, whatever their names are")
    func plan() throws {
        let intervals = ["3 \"fast\" ones", "a\nrun 1:00", "", " \t"].map {
            Plan.Part.interval(Interval(.run, .time(.seconds(30)), label: $0))
        }
        let text = Plan(title: "One\nrun 2:00", intervals, countIn: .seconds(90)).text
        let plan = try #require(Plan.read(Array(text.utf8)).plan)
        #expect(plan.title == "One run 2:00" && plan.countIn == .seconds(60))
        let labels = plan.parts.map { part in if case .interval(let interval) = part { interval.label } else { "-" } }
        #expect(labels == ["3 'fast' ones", "a run 1:00", "", ""])
    }
}
