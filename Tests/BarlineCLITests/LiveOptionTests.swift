internal import Cables
internal import Glibc
internal import Shared
internal import Testing

/// Options of live performances. What they do is tested without a process; here, that they arrive, and what is refused.
@Suite struct LiveOptionTests {
    private static let score = "bars: [0.1, {duration: 0.2, label: \"B, b\", send: midi note 3 on}, 0.15]\n"

    @Test("the options of clock, device, timecode and cables reach the performance, and its log can be reported")
    func arrive() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", LiveOptionTests.score)
        let receiver = try DatagramSocket()
        let cables = ["--osc", "\(receiver.port)", "--osc-ahead", "50ms", "--midi", "off", "--no-media-keys"]
        let played = try await Program.run(
            [
                "play", "score.yaml", "--times", "2", "--device", "null", "--clock", "card", "--timing-log", "log.csv",
                "--latency", "-12.5", "--summary", "--output-policy", "small", "--ltc-channel", "3", "--ltc-start",
                "10:00:00:00 @ 25",
            ] + cables, in: scratch)
        #expect(played.code == 0, "\(played.errors)")
        #expect(
            played.errors == "barline: note: the score sends MIDI, and no --midi PORT says where to: nothing is sent\n")
        #expect(played.text.contains("\nend\nbars   6, heard 6, lost 0, late 0\n"))
        let told = receiver.datagrams().flatMap { OSCMessage.read($0) ?? [] }
        #expect(told.contains { $0.address == "/barline/bar" })
        let kept = String(decoding: try scratch.captured("home/.local/state/barline/cards.csv"), as: UTF8.self)
        #expect(kept.hasSuffix(",-12.5\n"), "\(kept)")
        let report = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(report.code == 0 && report.text.hasPrefix("bars   6, heard 6, lost 0, late 0\n"))
    }

    @Test("a time of day that the clock shows twice, when it is put back, is the first of the two") func twice()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("score.yaml", LiveOptionTests.score)
        // In a quarter of an hour, clocks are put back from summer time, which is an hour ahead of UTC.
        let summer = time(nil) + 3600
        func parts(_ seconds: Int) -> tm {
            var (seconds, parts) = (seconds, tm())
            gmtime_r(&seconds, &parts)
            return parts
        }
        let (end, wanted) = (parts(summer + 900), parts(summer + 600))
        let zone = "STD0DST-1,\((end.tm_yday + 180) % 365),\(end.tm_yday)/\(end.tm_hour):\(end.tm_min):\(end.tm_sec)"
        let outcome = try await Program.run(
            ["play", "score.yaml", "--device", "null", "--at", "\(wanted.tm_hour):\(wanted.tm_min):\(wanted.tm_sec)"],
            in: scratch, environment: ["TZ": zone]
        ) { running in
            if running.text.contains("begins in ") { running.sendOnce(SIGINT) }
        }
        // The second moment is an hour later. However long the program took to begin, the first is less than an hour ahead.
        let left = outcome.text.split(separator: "begins in ").last?.split(separator: "\n").first
        #expect(left?.split(separator: ":").count == 2, "\(zone) \(outcome.text)")
        // A zone with leap seconds moves no day.
        let dated = try await Program.run(
            ["log", "--goal", "x at 100% by 2036-01-01"], in: scratch, environment: ["TZ": "right/UTC"])
        #expect(dated.errors.contains("there is no piece 'x' in the log"), "\(dated.errors)")
    }

    @Test("live options that cannot be carried out are refused before anything plays, with what would do")
    func refused() async throws {
        let scratch = try Scratch()
        try scratch.write("score.yaml", LiveOptionTests.score)
        let nobody = "127.0.0.1:1/#" + String(repeating: "0", count: 32)
        let day = "--at must be a time of day such as 20:15 or 20:15:00, not '"
        for (command, code, why) in [
            ("play metronome --at 25:00", 64, day + "25:00'"), ("play metronome --at 12:60", 64, day + "12:60'"),
            ("play metronome --at 12", 64, day + "12'"), ("play metronome --at -1:00", 64, day + "-1:00'"),
            ("play metronome --at 12:00:00:00", 64, day), ("play metronome --at 12:00:0x", 64, day),
            ("play metronome --at _", 64, day + "'"), ("play metronome --at 1200", 64, day),
            ("play metronome --at 12:00:60", 64, day), ("play metronome --at 12:00:00.1234", 64, day),
            ("play metronome --at 12:00:00.+5", 64, day),
            (
                "play metronome --output-policy big", 64,
                "is not a value of --output-policy; write auto, rewind or small"
            ),
            ("render score.yaml -o x.wav --ltc-start 10:00:00:00", 64, "a timecode needs its frames per second"),
            ("render score.yaml -o x.wav --ltc-channel 33", 64, "'33' is not a channel; write 1 to 32, or off"),
            (
                "render score.yaml -o x.wav --ltc ltc.mp3", 64,
                "--ltc needs a name that ends in .wav, .rf64, .aiff or .flac"
            ),
            ("render score.yaml -o x.wav --ltc-preroll 2min", 64, "the time must be at most 60 s"),
            (
                "render score.yaml -o x.wav --ltc ltc.wav", 64,
                "the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'"
            ),
            (
                "play metronome --osc desk", 64,
                "'desk' is not a host and a port, for example 192.168.1.20:9000"
            ),
            (
                "play metronome --osc ::1:9000", 64,
                "an IPv6 address stands in brackets, for example [::1]:9000"
            ),
            (
                "play metronome --osc-in 127.0.0.1:0", 64,
                "'127.0.0.1:0' is not a host and a port, for example 192.168.1.20:9000"
            ),
            ("play metronome --mtc", 64, "the score has no timecode: add one with --ltc-start '01:00:00:00 @ 25'"),
            ("play metronome --jack-transport 2s --then metronome", 64, "--jack-transport is for one score"),
            ("keys --learn", 64, "--learn needs a terminal, because you press keys"),
            ("keys --midi-in all", 64, "--midi-in says what --learn listens to: add --learn"),
            ("drone --device nosuch", 69, "there is no sound device 'nosuch'"),
            ("play metronome --require-audio", 69, "there is no sound card"),
            ("follow \(nobody) --part tuba --device null", 69, "nobody serves at 127.0.0.1:1"),
        ] {
            let words = command.split(separator: " ").map { $0 == "_" ? "" : String($0) }
            let outcome = try await Program.run(words, in: scratch)
            #expect(outcome.code == code && outcome.text == "", "\(command): \(outcome.text)")
            #expect(outcome.errors.contains("barline: error: ") && outcome.errors.contains(why), "\(outcome.errors)")
        }
        #expect(try scratch.names == ["score.yaml"])
    }
}
