import Application
import Glibc
import Shared
import Testing
import UserSettings

/// Files that a command would write over what it reads, or over what it has just written.
@Suite struct WrittenFilesTests {
    private static let duo = "voices: {oboe: {bars: [1, 2]}, horn: {bars: [1.5, 1.5]}}\n"

    /// A home with a score of two voices and more files, of which each is whole after a command.
    private func home() throws -> Home {
        let home = Home()
        for name in ["duo.yaml", "duo-oboe.yaml"] { try home.folder.write(name, Self.duo) }
        for name in ["tempi.yaml", "tempi"] { try home.folder.write(name, "bar 1: 60\n") }
        try home.folder.write("own.scl", "fifths\n2\n3/2\n2/1\n")
        try home.folder.write("x-click.wav", "0\n0\n127\n60\n69\n440\n0\n")
        try home.folder.write("tuned.yaml", "tuning: own.scl\nkeyboard-map: x-click.wav\nbars: [1, 2]\n")
        let tone = (0..<24_000).map { (n: Int) -> Double in Double(n % 48) / 96 - 0.25 }
        for name in ["take.wav", "x-music.wav"] {
            try home.folder.write(name, bytes: WaveFile.bytes(tone, right: nil, rate: 24_000))
        }
        try home.folder.write("labels.txt", "0\t0\t1.1\n")
        try #require(symlink("new.wav", home.folder("link.wav")) == 0)
        return home
    }

    /// Expects that a request is refused, and that nothing in the folder has changed.
    private func expect(
        _ why: String, of name: String, _ body: @Sendable (Home) async throws -> Void
    ) async throws {
        let home = try home()
        func whole() -> [[UInt8]] { home.files.filter { $0 != "link.wav" }.map { home.folder.bytes($0) } }
        let (names, before) = (home.files, whole())
        let code = try await home.run { try await body(home) }
        #expect(code == 73 && home.text.isEmpty, "\(name): \(home.errors)")
        #expect(
            home.errors.hasPrefix("barline: error: '") && home.errors.hasSuffix("/\(name)' \(why)\n"), "\(home.errors)")
        #expect(home.files == names && whole() == before, "\(home.files)")
    }

    @Test("what a command reads is never written over") func read() async throws {
        let why = "is what is read: give what is written another name"
        for name in ["take.wav", "duo.yaml", "labels.txt", "tempi.yaml"] {
            try await expect(why, of: name) { home in
                var request = ListenRequest(home.folder("take.wav"), home.folder("duo.yaml"))
                request.corrected = home.folder("labels.txt")
                request.passage.reading.tempi = home.folder("tempi.yaml")
                request.labels = home.folder(name)
                try request.listen()
            }
        }
        try await expect(why, of: "x-music.wav") { home in
            var request = RenderRequest(home.folder("duo.yaml"), to: home.folder("x.wav"))
            request.music.names = [home.folder("x-music.wav")]
            request.stems = true
            try request.render()
        }
        try await expect(why, of: "take.wav") { home in
            var request = RenderRequest(home.folder("duo.yaml"), to: home.folder("take.wav"))
            var click = ChangedClick(.bar)
            click.file = home.folder("take.wav")
            request.performance.cues.clicks = [click]
            try request.render()
        }
        try await expect(why, of: "duo-oboe.yaml") { home in
            var request = ConvertRequest(home.folder("duo-oboe.yaml"), to: home.folder("duo.yaml"))
            request.eachVoice = true
            try request.convert()
        }
        try await expect(why, of: "tempi.yaml") { home in
            var request = ConvertRequest(home.folder("duo.yaml"), to: home.folder("tempi.yaml"))
            request.reading.tempi = home.folder("tempi.yaml")
            try request.convert()
        }
        try await expect(why, of: "tempi.yaml") { home in
            var request = PlayRequest(home.folder("duo.yaml"))
            request.device = .null
            request.performance.passage.reading.tempi = home.folder("tempi.yaml")
            request.clock.timingLog = home.folder("tempi.yaml")
            try await request.play()
        }
    }

    @Test("the scale and the keyboard map that a score, an option or a setting names are never written over")
    func tuning() async throws {
        let why = "is what is read: give what is written another name"
        for name in ["own.scl", "x-click.wav"] {
            try await expect(why, of: name) { home in
                var request = RenderRequest(home.folder("tuned.yaml"), to: home.folder(name))
                request.type = .wav
                try request.render()
            }
            try await expect(why, of: name) { home in
                var request = RenderRequest(home.folder("duo.yaml"), to: home.folder(name))
                request.type = .wav
                request.performance.tuning.scale = .scala(home.folder("own.scl"), map: home.folder("x-click.wav"))
                try request.render()
            }
            try await expect(why, of: name) { home in
                var request = PlayRequest(home.folder("duo.yaml"))
                (request.next, request.device) = ([home.folder("tuned.yaml")], .null)
                request.clock.timingLog = home.folder(name)
                try await request.play()
            }
            for format in [WrittenFormat.score(.csv), .page] {
                try await expect(why, of: name) { home in
                    var request = ConvertRequest(home.folder("tuned.yaml"), to: home.folder(name))
                    request.to = format
                    try request.convert()
                }
            }
            try await expect(why, of: name) { home in
                var request = ListenRequest(home.folder("take.wav"), home.folder("tuned.yaml"))
                request.labels = home.folder(name)
                try request.listen()
            }
        }
        try await expect(why, of: "x-click.wav") { home in
            var request = RenderRequest(home.folder("tuned.yaml"), to: home.folder("x.wav"))
            request.stems = true
            try request.render()
        }
        try await expect(why, of: "own.scl") { home in
            try home.folder.write("home/.config/barline/config.yaml", "tuning: \(home.folder("own.scl"))\n")
            var request = RenderRequest(home.folder("duo.yaml"), to: home.folder("own.scl"))
            request.type = .wav
            try request.render()
        }
    }

    @Test("the settings and the tempi beside a recorded score are never written over") func settings() async throws {
        let why = "is what is read: give what is written another name"
        let config = "home/.config/barline/config.yaml"
        try await expect(why, of: "config.yaml") { home in
            try home.folder.write(config, "a4: 442\n")
            defer { #expect(home.folder.text(config) == "a4: 442\n") }
            try ConvertRequest(home.folder("duo.yaml"), to: home.folder(config)).convert()
        }
        try await expect(why, of: "tempi") { home in
            var request = ReportRequest(home.folder("duo.yaml"))
            (request.recording, request.svg) = (home.folder("take.wav"), home.folder("tempi"))
            request.passage.reading.tempi = home.folder("tempi")
            try request.print()
        }
    }

    @Test("if a voice cannot be written, no file of a conversion is") func eachVoice() async throws {
        let home = try home()
        try home.folder.write("v.mid", "old\n")
        try #require(mkdir(home.folder("v-horn.mid"), 0o777) == 0)
        let names = home.files
        var request = ConvertRequest(home.folder("duo.yaml"), to: home.folder("v.mid"))
        request.eachVoice = true
        let wanted = request
        #expect(try await home.run { try wanted.convert() } == 73)
        #expect(home.errors.hasSuffix("/v-horn.mid' cannot be written: Is a directory\n"), "\(home.errors)")
        #expect(home.files == names && home.folder.text("v.mid") == "old\n", "\(home.files)")
    }

    @Test("a performance that cannot begin leaves an old timing log whole, and makes no new one")
    func oldLog() async throws {
        let home = try home()
        try home.folder.write("old.csv", "old\n")
        let names = home.files
        for log in ["old.csv", "new.csv"] {
            var request = PlayRequest(home.folder("duo.yaml"))
            (request.device, request.clock.timingLog) = (.null, home.folder(log))
            var (click, noClick, noMicrophone) = (ChangedClick(.bar), request, request)
            click.file = home.folder("none.wav")
            noClick.performance.cues.clicks = [click]
            (noMicrophone.record.record, noMicrophone.record[Setting.input]) = (home.folder("t.wav"), "nowhere")
            let requests = [(noClick, 66), (noMicrophone, 69)] as [(PlayRequest, Int32)]
            for (request, expected) in requests {
                let code = try await home.run { try await request.play() }
                #expect(code == expected && home.files == names, "\(home.errors) \(home.files)")
                #expect(home.folder.text("old.csv") == "old\n")
            }
        }
    }

    @Test("a follower's log is never written over the sound of its clicks") func follower() async throws {
        try await expect("is what is read: give what is written another name", of: "take.wav") { home in
            var (request, click) = (FollowRequest("127.0.0.1:1"), ChangedClick(.bar))
            click.file = home.folder("take.wav")
            (request.cues.clicks, request.timingLog) = ([click], home.folder("take.wav"))
            try await request.follow()
        }
    }

    @Test("no command writes two files to one place, whatever leads there") func twice() async throws {
        let why = "would be written twice: give each file a name of its own"
        try await expect(why, of: "both") { home in
            var request = ListenRequest(home.folder("take.wav"), home.folder("duo.yaml"))
            (request.svg, request.labels) = (home.folder("both"), home.folder("./both"))
            try request.listen()
        }
        for (log, name) in [("t.flac", "t.flac"), ("t.flac.csv", "t.flac.csv")] {
            try await expect(why, of: name) { home in
                var request = PlayRequest(home.folder("duo.yaml"))
                request.device = .null
                (request.clock.timingLog, request.record.record) = (home.folder(log), home.folder("t.flac"))
                try await request.play()
            }
        }
        for (output, ltc, stems, why) in [
            ("x.wav", "./x.wav", false, "is written or read already: give the timecode another name"),
            ("new.wav", "link.wav", false, "is written or read already: give the timecode another name"),
            ("x.wav", "x-click.wav", true, why),
        ] {
            try await expect(why, of: ltc) { home in
                var request = RenderRequest(home.folder("duo.yaml"), to: home.folder(output))
                (request.ltc, request.stems) = (home.folder(ltc), stems)
                request.timecode.start = try .init(scoreText: "01:00:00:00 @ 25")
                try request.render()
            }
        }
    }

    @Test(
        "each voice of a piece has a file of its own, whatever the voices are called",
        arguments: [
            ["a/b", "a-b", "a-b-1"], ["a/b", "a-b", "a-b-2"], ["1", "1/1", "1-1"], ["x", "y"],
        ])
    func voices(names: [String]) {
        let files = names.indices.map { VoiceFile.name($0, of: names) }
        #expect(Set(files).count == names.count && files.allSatisfy { !$0.contains("/") }, "\(files)")
    }

    @Test("two performances never write one timing log: the second one is refused, and the log stays as it is")
    func sharedLog() async throws {
        let home = try home()
        try home.folder.write("log.csv", "begun\n")
        let other = open(home.folder("log.csv"), O_WRONLY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        let log = home.folder("log.csv")
        #expect(try await home.playSilently("duo.yaml") { $0.clock.timingLog = log } == 73)
        let why = "log.csv' is the timing log of another performance that plays now\n"
        #expect(home.errors.hasSuffix(why), "\(home.errors)")
        #expect(home.folder.text("log.csv") == "begun\n" && home.bars.isEmpty)
    }

    @Test(
        "a timing log that is removed, replaced or changed while the music plays is an error at the end",
        arguments: ["removed", "replaced", "emptied", "appended to"])
    func spoiltLog(what: String) async throws {
        let home = try home()
        let log = home.folder("log.csv")
        async let code = home.playSilently("duo.yaml") { $0.clock.timingLog = log }
        try await home.wait(for: "a row") { home.folder.text("log.csv").contains("\n1,") }
        switch what {
        case "replaced":
            try home.folder.write("other.csv", "mine\n")
            try #require(rename(home.folder("other.csv"), log) == 0)
        case "emptied": try #require(truncate(log, 0) == 0)
        case "appended to":
            let other = open(log, O_WRONLY | O_APPEND | O_CLOEXEC)
            defer { close(other) }
            try #require(write(other, "mine\n", 5) == 5)
        default: try #require(unlink(log) == 0)
        }
        #expect(try await code == 73)
        let why = "log.csv' was removed, replaced or changed while it was written\n"
        #expect(home.errors.hasSuffix(why), "\(home.errors)")
        #expect(home.bars.count == 2 && home.text.hasSuffix("end\n"))
        #expect(!home.folder.text("log.csv").contains("\0"))
    }

    @Test("a timing log needs a file: - would be a file of that name") func standardOutput() async throws {
        let home = try home()
        #expect(try await home.playSilently("duo.yaml") { $0.clock.timingLog = "-" } == 64)
        #expect(home.errors.contains("--timing-log needs a file"), "\(home.errors)")
    }
}
