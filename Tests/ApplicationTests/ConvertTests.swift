import Application
import Foundation
import Formats
import Scores
import Shared
import Testing
import Timing

/// Scores that are written in other formats.
@Suite struct ConvertTests {
    private static let piece = """
        title: Study
        drone: B4
        lines:
          - label: A
            bars: [3, 2.7, {duration: 2, label: Hold, cue: wait}]
          - bars: [{meter: 4/4, tempo: 1/4 = 72}, {meter: 3/4}, 1.5]
        """

    private func home() throws -> Home {
        let home = Home()
        try home.folder.write("piece.yaml", Self.piece)
        return home
    }

    private func convert(
        to file: String, in home: Home, _ change: (inout ConvertRequest) throws -> Void = { _ in }
    ) async throws -> Int32 {
        var request = ConvertRequest(home.folder("piece.yaml"), to: file == "-" ? file : home.folder(file))
        try change(&request)
        return try await home.run(request) { try $0.convert() }
    }

    /// The start times of a score's bars.
    private func starts(_ file: String, in home: Home) async throws -> [Double] {
        var request = TimelineRequest(home.folder(file))
        request.style = .csv
        let code = try await home.run(request) { try $0.print() }
        try #require(code == 0, "\(home.errors)")
        let rows = home.text.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        let column = try #require(rows.first?.firstIndex(of: "start_s"))
        return try rows.dropFirst().map { try #require(Double($0[column])) }
    }

    @Test(
        "a conversion of a plan to a workout names the command that writes it", arguments: ["c.zwo", "c.fit", "c.txt"])
    func workouts(file: String) async throws {
        let told = try await Home().convert("run 1:00, walk 1:00", to: file) {
            if file == "c.txt" { $0.to = .score(.intervals) }
        }
        #expect(
            told.code == 64 && told.errors.contains("`barline plan 'run 1:00, walk 1:00' -o '\(file)'` writes it"),
            "\(told)")
    }

    @Test("a score on standard output finds its Scala files from every folder") func scala() async throws {
        let home = Home()
        try home.folder.write("in/our.scl", "five\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        try home.folder.write("in/x.yaml", "tuning: our.scl\nbars: [1]\n")
        var request = ConvertRequest(home.folder("in/x.yaml"), to: "-")
        request.to = .score(.yaml)
        #expect(try await home.run(request) { try $0.convert() } == 0, "\(home.errors)")
        try home.folder.write("y.yaml", home.text)
        #expect(try LoadedScore.read(home.folder("y.yaml")).score.lines.map(\.bars.count) == [1])
    }

    @Test("a converted score has the same timeline", arguments: ["x.csv", "x.mid"])
    func aConvertedScoreHasTheSameTimeline(file: String) async throws {
        let home = try home()
        let code = try await convert(to: file, in: home)
        #expect(code == 0 && home.text.isEmpty, "\(home.errors)")
        let (one, two) = (try await starts("piece.yaml", in: home), try await starts(file, in: home))
        #expect(one.count == 6 && two.count == 6)
        #expect(zip(one, two).allSatisfy { abs($0 - $1) <= (file == "x.mid" ? 2e-5 : 1e-6) })
    }

    @Test(
        "a bar that is too short or too long at the speed is an error, because the file could not be read back",
        arguments: ["x.csv", "x.tempo-map", "x.mid", "x.txt"])
    func lengths(file: String) async throws {
        let home = try home()
        try home.folder.write("ms.yaml", "lines: [[1, 1], [1, 0.001]]\n")
        try home.folder.write("day.yaml", "speed: 5%\nbars: [1, 5000]\n")
        let formats: [String: WrittenFormat] = [
            "x.tempo-map": .score(.klick), "x.txt": .score(.audacity), "x.csv": .score(.csv), "x.mid": .score(.midi),
        ]
        for (score, speed, code, error) in [
            (
                "ms.yaml", "250%", Int32(65),
                "at 250%, bar 2.2 lasts 0.0004 s; a bar lasts 1 ms to 24 h; choose another speed\n"
            ),
            ("day.yaml", nil, 65, "at 5%, bar 1.2 lasts 100000 s; a bar lasts 1 ms to 24 h; choose another speed\n"),
            ("ms.yaml", "50%", 0, ""), ("day.yaml", "10%", 0, ""),
        ] {
            var request = ConvertRequest(home.folder(score), to: home.folder(file))
            (request.to, request.speed) = (formats[file], try speed.map { try Speed(scoreText: $0) })
            #expect(try await home.run(request) { try $0.convert() } == code, "\(score) \(home.errors)")
            #expect(home.errors.hasSuffix(error), "\(home.errors)")
            #expect(home.files.contains(file) == (code == 0))
        }
    }

    @Test("features that a format does not carry are reported, on standard error only")
    func featuresThatAFormatDoesNotCarryAreReportedOnStandardErrorOnly() async throws {
        let home = try home()
        let code = try await convert(to: "-", in: home) { $0.to = .score(.csv) }
        #expect(code == 0)
        #expect(
            home.errors == """
                barline: warning: a CSV table: the title is left out
                barline: warning: a CSV table: the drone is left out
                barline: warning: a CSV table: meters and tempi are written as seconds (in 2 bars, the first is 2.1)

                """)
        #expect(
            home.text == """
                line,bar,label,cue,duration
                1,1,A,,3
                1,2,,,2.7
                1,3,Hold,wait,2
                2,1,,,3.333333333333333333
                2,2,,,2.5
                2,3,,,1.5

                """)
    }

    @Test(
        "a plan that is written as a score keeps the times of its intervals until the lap button, and says what it loses"
    )
    func lap() async throws {
        let home = Home()
        let plan = "run 1:00, walk until lap about 1:00, at 0:30: \"Drink\""
        #expect(try await home.run(ConvertRequest(plan, to: home.folder("x.yaml"))) { try $0.convert() } == 0)
        #expect(
            home.errors
                == "barline: warning: \(home.folder("x.yaml")): the texts that are spoken at times of the plan are left out\n"
        )
        #expect(home.folder.text("x.yaml").contains("until: cue"))
        #expect(try await starts("x.yaml", in: home) == [0, 60])
        let read = Score.read(Array(home.folder.text("x.yaml").utf8), file: "x.yaml", format: .yaml)
        let timeline = Timeline(try #require(read.score))
        #expect(timeline.total == .seconds(120))
    }

    @Test("an excerpt at another speed begins at zero") func anExcerptAtAnotherSpeedBeginsAtZero() async throws {
        let home = try home()
        let code = try await convert(to: "-", in: home) {
            ($0.to, $0.first, $0.last) = (.score(.audacity), "1.2", "Hold")
            $0.speed = try Speed(scoreText: "50%")
        }
        #expect(code == 0)
        #expect(
            home.text == """
                0.000000000\t5.400000000\t1.2 no. 2
                5.400000000\t9.400000000\t1.3 Hold

                """)
    }

    @Test("label tracks and pictures have the count-in of the settings, as the rendered sound has")
    func countIn() async throws {
        let home = Home()
        _ = try home.write("s.yaml", "bars: [1, 2, 1.5]\n")
        _ = try home.write("own.yaml", "count-in: 2\nbars: [1, 2, 1.5]\n")
        _ = try home.write("h.plan", "run 0:04, walk 0:03\n")
        _ = try home.write("own.plan", "count-in: 2\nrun 0:04, walk 0:03\n")
        for (settings, score, seconds) in [
            (["COUNT_IN": "4", "SPEED": "80%"], "s.yaml", "4"),
            (["COUNT_IN": "1 bar", "SPEED": "80%"], "s.yaml", "1.25"),
            (["COUNT_IN": "4"], "own.yaml", "4"), ([:], "own.yaml", "2"), ([:], "h.plan", "5"),
            (["COUNT_IN": "3"], "h.plan", "3"), (["COUNT_IN": "4 beats"], "h.plan", "5"), ([:], "own.plan", "2"),
        ] {
            let environment = Dictionary(uniqueKeysWithValues: settings.map { ("BARLINE_\($0)", $1) })
            func text(_ format: Format) async throws -> String {
                var request = ConvertRequest(home.folder(score), to: "-")
                request.to = .score(format)
                #expect(try await home.run(request, environment) { try $0.convert() } == 0, "\(home.errors)")
                return home.text
            }
            let start = try #require(Double(try await text(.audacity).prefix { $0 != "\t" }))
            #expect(start == Double(seconds), "\(settings) \(score)")
            #expect(try await text(.reaper).contains(",0:0\(seconds)"), "\(home.text)")
            let lead = environment["BARLINE_COUNT_IN"] == "1 bar" ? "1 bar" : "\(seconds) s"
            #expect(try await text(.svg).contains("count-in \(lead)"), "\(settings) \(score)")
            // A format without time before the music leaves out the score's own count-in, not that of the user or of all plans.
            _ = try await text(.csv)
            #expect(home.errors.contains("the count-in is left out") == score.hasPrefix("own"), "\(home.errors)")
        }
        try home.folder.write("home/.config/barline/config.yaml", "count-in: 3\n")
        for (score, start) in [("s.yaml", "3.0"), ("own.yaml", "2.0"), ("h.plan", "3.0"), ("own.plan", "2.0")] {
            var request = ConvertRequest(home.folder(score), to: "-")
            request.to = .score(.audacity)
            #expect(try await home.run(request) { try $0.convert() } == 0, "\(home.errors)")
            #expect(home.text.hasPrefix(start), "\(score): \(home.text)")
        }
    }

    @Test("a score that is made of a plan has the count-in that the plan states, but not that of all plans")
    func countInOfPlan() async throws {
        let home = Home()
        for (plan, own) in [
            ("run 0:04", ""), ("count-in: 5\nrun 0:04", "count-in: 5"), ("count-in: 0\nrun 0:04", "count-in: 0"),
        ] {
            var request = ConvertRequest(plan, to: "-")
            request.to = .score(.yaml)
            #expect(try await home.run(request, ["BARLINE_COUNT_IN": "9"]) { try $0.convert() } == 0, "\(home.errors)")
            let line = home.text.split(separator: "\n").first { $0.hasPrefix("count-in") }
            #expect(line ?? "" == own, "\(home.text)")
        }
    }

    @Test(
        "the bars of a part keep their numbers", arguments: [Format.csv, .midi, .audacity, .reaper])
    func numbersOfPart(format: Format) async throws {
        let home = Home()
        _ = try home.write("s.yaml", "lines: [[1, 2], [3, 1.5], {repeat: 2, bars: [1]}]\n")
        for (first, numbers) in [(nil, [1, 2, 3, 4, 5, 5]), ("2.1", [3, 4, 5, 5]), ("4.1", [5])] as [(String?, [Int])] {
            var request = ConvertRequest(home.folder("s.yaml"), to: home.folder("x"))
            (request.to, request.first) = (.score(format), first)
            #expect(try await home.run(request) { try $0.convert() } == 0, "\(home.errors)")
            let read = Score.read(home.folder.bytes("x"), file: "x", format: format)
            let timeline = Timeline(try #require(read.score))
            #expect((0..<timeline.barCount).map { timeline[$0].number } == numbers.map { .counted($0) })
        }
    }

    @Test("a picture of a plan at another speed says no length that is not heard")
    func pictureOfFasterPlan() async throws {
        let home = Home()
        func picture(_ speed: String) async throws -> String {
            var request = ConvertRequest("warm-up 0:10, run \"Hill\" 400m @ 5:00/km", to: "-")
            (request.to, request.speed) = (.score(.svg), try Speed(scoreText: speed))
            #expect(try await home.run(request) { try $0.convert() } == 0, "\(home.errors)")
            return home.text
        }
        let written = try await picture("100%")
        #expect(written.contains("Warm-up, 10 seconds") && written.contains("Hill, 400 meters"), "\(written)")
        let faster = try await picture("200%")
        #expect(!faster.contains("10 seconds") && faster.contains("Hill, 400 meters"), "\(faster)")
        #expect(faster.contains("at 200%") && faster.contains("1 of 2"))
    }

    @Test("an independent library can read a MIDI file") func anIndependentLibraryCanReadAMIDIFile() async throws {
        let home = try home()
        #expect(try await convert(to: "x.mid", in: home) == 0, "\(home.errors)")
        let script = """
            import sys, mido
            file = mido.MidiFile(sys.argv[1])
            print(file.type, file.ticks_per_beat, len(file.tracks))
            now, last, tick = 0, 500000, 0
            for event in file.tracks[0]:
                now += mido.tick2second(event.time, file.ticks_per_beat, last)
                if event.type == "set_tempo": last = event.tempo
                if event.type in ("marker", "cue_marker"): print(f"{now:.6f} {event.text}")
                if event.type == "time_signature": print(f"{now:.6f} {event.numerator}/{event.denominator}")
            print(f"{now:.6f}", sum(e.type == "note_on" for e in file.tracks[1]))
            """
        #expect(
            try Python.run(script, file: home.folder.bytes("x.mid"), ofSystem: true).joined(separator: "\n") == """
                1 30240 2
                0.000000 3/4
                0.000000 1.1 A
                5.700000 2/4
                5.700000 1.3 Hold
                5.700000 wait
                7.700000 4/4
                7.700000 2.1
                11.033332 3/4
                13.533331 2/4
                15.033331 6
                """)
    }

    @Test(
        "the content of a text determines its format, in a file with any name",
        arguments: [
            ("t 60\n4/4 x 2\n", "2 bars"), ("2 4/4 120\n1 3/4 90\n", "3 bars"),
            ("0.000000\t1.500000\tone\n1.500000\t2.250000\ttwo\n", "2 bars"),
            ("run 0:30, walk 0:20\n", "2 intervals"), ("2x(run 0:30, walk 0:20)\n", "4 intervals"),
        ])
    func aTextFileIsRecognizedByItsContent(text: String, bars: String) async throws {
        let home = Home()
        let file = try home.write("clicks.txt", text)
        #expect(try await home.run { try CheckRequest([file]).check() } == 0)
        #expect(home.text.contains(bars), "\(home.text)\(home.errors)")
    }

    @Test("whatever reads a score takes its format") func format() async throws {
        let home = Home()
        let clicks = try home.write("clicks", "2 4/4 120\n")
        func check(_ format: Format) async throws -> Int32 {
            var request = CheckRequest([clicks])
            request.reading.format = format
            return try await home.run(request) { try $0.check() }
        }
        #expect(try await check(.klick) == 0, "\(home.errors)")
        #expect(try await check(.csv) == 65)
        var timeline = TimelineRequest(clicks)
        timeline.passage.reading.format = .klick
        #expect(try await home.run(timeline) { try $0.print() } == 0, "\(home.errors)")
        #expect(try await home.render(clicks) { $0.performance.passage.reading.format = .klick } == 0, "\(home.errors)")
    }

    @Test("pictures are written without a warning") func picturesAreWrittenWithoutAWarning() async throws {
        let home = try home()
        for file in ["x.svg", "x.pdf"] {
            let code = try await convert(to: file, in: home)
            #expect(code == 0 && home.errors.isEmpty, "\(home.errors)")
        }
        #expect(home.folder.contents == ["piece.yaml", "x.pdf", "x.svg"])
    }

    @Test("an impossible conversion says why, and writes nothing") func impossible() async throws {
        let home = try home()
        let cases: [(file: String, code: Int32, why: String, change: (inout ConvertRequest) throws -> Void)] = [
            ("x.txt", 64, "x.txt' may be in one of several formats: add --to klick or --to audacity", { _ in }),
            (
                "x.wav", 64,
                "x.wav' has no known extension: use one of .csv, .htm, .html, .klick, .labels, .mid, .midi, .pdf, ",
                { _ in }
            ),
            (
                "x", 64, "a Click Tracker score can be read, but not written; --to takes yaml, ",
                { $0.to = .score(.clickTracker) }
            ),
            (
                "x.yaml", 64, "a Barline score always has the whole score: --first, --last and --speed ",
                { $0.speed = try Speed(scoreText: "50%") }
            ),
            (
                "x.csv", 64, "--first 2.1 comes after --last 1.1: there is nothing to play",
                { ($0.first, $0.last) = ("2.1", "1.1") }
            ),
            (
                "x.html", 64, "--each-voice: a page that plays by itself has all voices",
                { $0.eachVoice = true }
            ),
            ("x.mid", 64, "--paper: only a picture (.svg, .pdf) is drawn on paper", { $0.choices.paper = .letter }),
            ("x.html", 64, "--paper: only a picture (.svg, .pdf) is drawn on paper", { $0.choices.paper = .a4 }),
            (
                "./piece.yaml", 73, "/./piece.yaml' is the score: give the new file another name",
                { $0.to = .score(.csv) }
            ),
            ("nowhere/x.csv", 73, "nowhere/x.csv' ", { _ in }),
        ]
        for (file, code, why, change) in cases {
            let ended = try await convert(to: file, in: home, change)
            #expect(ended == code && home.errors.contains(why), "\(file): \(home.errors)")
            #expect(home.folder.contents == ["piece.yaml"])
        }
    }
}
