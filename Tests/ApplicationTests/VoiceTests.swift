import Application
import Formats
import Shared
import Testing

/// Scores of several voices.
@Suite struct VoiceTests {
    private let home = Home()

    init() throws {
        try home.folder.write(
            "canon.yaml",
            """
            voices:
              flute: {channel: 1, bars: [0.5, {duration: 0.3, cue: go}]}
              harp: {channel: 4, bars: [{duration: 0.6, label: B}]}
            """)
    }

    private func timeline(_ change: (inout TimelineRequest) -> Void = { _ in }) async throws -> String {
        var request = TimelineRequest(home.folder("canon.yaml"))
        change(&request)
        let wanted = request
        let code = try await home.run { try wanted.print() }
        #expect(code == 0, "\(home.errors)")
        return home.text
    }

    private func convert(
        _ score: String = "canon.yaml", to file: String = "-", _ change: (inout ConvertRequest) -> Void
    ) async throws -> Int32 {
        var request = ConvertRequest(home.folder(score), to: file == "-" ? file : home.folder(file))
        change(&request)
        let wanted = request
        return try await home.run { try wanted.convert() }
    }

    @Test("a voice that is chosen keeps its channel in a written score") func channel() async throws {
        #expect(try await convert { ($0.to, $0.version.voice) = (.score(.yaml), "harp") } == 0)
        #expect(home.text.contains("  harp:\n    channel: 4\n"), "\(home.text)")
        #expect(try await convert(to: "each.yaml") { $0.eachVoice = true } == 0, "\(home.errors)")
        #expect(home.files.count { (try? LoadedScore.read(home.folder($0)).score.voice.channel) == 4 } == 1)
    }

    @Test("the total of a score is that of its longest voice: a shorter one does not miss it") func total() async throws
    {
        let score = try home.write(
            "duo.yaml", "total: 0:06\nvoices:\n  a: {bars: [1, 2]}\n  b: {bars: [1, 2, 3]}\n")
        #expect(try await home.run { try CheckRequest([score]).check() } == 0)
        #expect(
            home.text.hasSuffix(
                "duo.yaml: 2 voices, 0:06\n  voice 'a': 1 line, 2 bars, 0:03\n  voice 'b': 1 line, 3 bars, 0:06\n"),
            "\(home.text)")
    }

    @Test("the timeline has a column for the voices, in the order of time") func timeline() async throws {
        #expect(
            try await timeline() == """
                  voice  index    line.bar         start s      duration s  label
                  flute      1         1.1        0.000000        0.500000
                  harp       1         1.1        0.000000        0.600000  B
                  flute      2         1.2        0.500000        0.300000  go
                2 bars, 0:00.800

                """)
        let alone = try await timeline { ($0.passage.version.voice, $0.style) = ("harp", .csv) }
        #expect(
            alone == """
                index,section,line,bar,label,start_s,duration_s,number
                1,,1,1,B,0.000000000,0.600000000,1

                """)
        let turned = try await timeline { ($0.passage.version.voice, $0.style) = ("harp, flute", .json) }
        #expect(turned.hasPrefix("[\n  {\"voice\": \"harp\", \"index\": 1,"))
    }

    @Test("a format for one voice reports that the others are left out; a picture has a sheet of all and one for each")
    func formats() async throws {
        #expect(try await convert { ($0.to, $0.version.voice) = (.score(.csv), "harp,flute") } == 0)
        #expect(home.text == "line,bar,label,duration\n1,1,B,0.6\n")
        let loss = "barline: warning: a CSV table: only the first voice is written; --voice chooses another\n"
        #expect(home.errors.hasPrefix(loss))
        #expect(try await convert { $0.to = .score(.svg) } == 0)
        #expect(home.errors == "barline: warning: an SVG picture: the channels of voices are left out\n")
        #expect(home.text.contains(">flute<") && home.text.contains(">harp<"))
        #expect(home.text.contains("height=\"891mm\""))
    }

    @Test("each voice gets a file of its own, and so do the clicks of each; a score with one voice has none")
    func files() async throws {
        try home.folder.write("one.yaml", "bars: [1]\n")
        #expect(try await convert(to: "x.mid") { $0.eachVoice = true } == 0, "\(home.errors)")
        #expect(try await home.render("canon.yaml", to: "y.wav") { $0.stems = true } == 0, "\(home.errors)")
        let sounds = ["y-click-flute.wav", "y-click-harp.wav", "y-click.wav", "y-drone.wav", "y-speech.wav", "y.wav"]
        let all = (sounds + ["x-flute.mid", "x-harp.mid", "x.mid", "canon.yaml", "one.yaml"]).sorted()
        #expect(home.folder.contents == all)
        #expect(try await convert("one.yaml", to: "z.mid") { $0.eachVoice = true } == 64)
        #expect(home.errors == "barline: error: --each-voice: the score has only one voice\n")
        #expect(try await convert(to: "z.mid") { ($0.eachVoice, $0.first) = (true, "2") } == 64)
        let whole = "--each-voice writes files of whole voices: -, --first and --last cannot be used with it"
        #expect(home.errors == "barline: error: \(whole)\n" && home.folder.contents == all)
    }
}
