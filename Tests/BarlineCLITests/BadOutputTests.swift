internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// Files that cannot be written: the program prints one message, ends with code 73, and leaves the folder unchanged.
@Suite struct BadOutputTests {
    /// As root, the program is started without capabilities, so that the file's mode takes effect. A limit on the size of files
    /// stops writing in the middle, as a full disk does.
    @Test(
        "a read-only file is not replaced, folders without permission are told, and exceeding the limit on file size is an error"
    )
    func limits() async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        try #require(chmod(scratch.folder + "/good.wav", 0o444) == 0)
        let powerless = geteuid() == 0 ? ["setpriv", "--inh-caps=-all", "--bounding-set=-all"] : []
        let outcome = try await Program.run(
            ["render", "small.yaml", "-o", "good.wav"], in: scratch, wrapper: powerless)
        #expect(outcome.errors == "barline: error: 'good.wav' cannot be written: Permission denied\n")
        #expect(outcome.code == 73 && outcome.text == "", "\(outcome.errors)")
        try expectUntouched(scratch)
        try #require(chmod(scratch.folder + "/good.wav", 0o644) == 0)
        try #require(chmod(scratch.folder + "/there", 0) == 0)
        for (arguments, why) in [
            (["check", "there/s.yaml"], "error: 'there/s.yaml' cannot be read: "),
            (["render", "small.yaml", "-o", "new.wav", "--over", "there"], "error: 'there' cannot be read: "),
            (
                ["render", "small.yaml", "-o", "new.wav", "--over", "there/a.wav"],
                "error: 'there/a.wav' cannot be read: "
            ),
            (["render", "small.yaml", "-o", "new.wav", "--over", "."], "note: './there' cannot be read: "),
        ] {
            let outcome = try await Program.run(arguments, in: scratch, wrapper: powerless)
            #expect(outcome.errors.contains("barline: \(why)Permission denied\n"), "\(outcome.errors)")
            #expect(outcome.code == 66 || why.hasPrefix("note"), "\(outcome.code)")
        }
        try #require(chmod(scratch.folder + "/there", 0o755) == 0)
        for name in ["good.wav", "new.wav"] {
            let limited = ["/bin/sh", "-c", "ulimit -f 8; exec \"$@\"", "sh"]
            let outcome = try await Program.run(["render", "small.yaml", "-o", name], in: scratch, wrapper: limited)
            #expect(outcome.errors == "barline: error: '\(name)' cannot be written: File too large\n")
            #expect(outcome.code == 73 && outcome.text == "", "\(outcome.errors)")
            try expectUntouched(scratch)
        }
    }

    @Test("a timing log on a full disk has only whole rows") func wholeRows() async throws {
        let scratch = try Scratch()
        try scratch.write("many.yaml", "bars: [0.02 x 40]\n")
        let limited = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 2; exec \"$@\"", "sh"]
        let outcome = try await Program.run(
            ["play", "many.yaml", "--device", "null", "--timing-log", "log.csv"], in: scratch, wrapper: limited)
        #expect(outcome.errors.hasPrefix("barline: error: 'log.csv' cannot be written: "))
        #expect(outcome.code == 73 && outcome.text.hasSuffix("end\n"), "\(outcome.text)")
        let report = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(report.code == 0 && report.text.hasPrefix("bars   "), "\(report.errors)")
    }

    @Test("speech needs no folder for temporary files, whose disk may be full")
    func temporary() async throws {
        let scratch = try Scratch()
        let outcome = try await Program.run(
            ["render", "run 0:02, walk 0:02", "-o", "run.wav"], in: scratch, environment: ["TMPDIR": "/nowhere"])
        #expect(outcome.code == 0)
        #expect(try scratch.names.contains("run.wav"))
        #expect(outcome.errors == "")
    }

    @Test(
        "a standard stream that is closed is an error, and no file or socket takes its place",
        arguments: [
            (">&-", ["play", "small.yaml", "--device", "null"], Int32(73), "standard output cannot be written"),
            (">&-", ["render", "small.yaml", "-o", "new.wav"], 0, ""),
            ("2>&-", ["play", "small.yaml", "--device", "nosuch", "--require-audio"], 69, ""),
            ("<&-", ["check", "-"], 66, "'standard input' cannot be read: Bad file descriptor"),
        ])
    func closed(stream: String, arguments: [String], code: Int32, why: String) async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        let outcome = try await Program.run(
            arguments, in: scratch, wrapper: ["/bin/sh", "-c", "exec \"$@\" \(stream)", "sh"])
        #expect(outcome.code == code && outcome.text.isEmpty, "\(outcome.errors)")
        #expect(why.isEmpty ? outcome.errors.isEmpty : outcome.errors.contains(why), "\(outcome.errors)")
    }

    @Test(
        "a standard output that takes nothing is an error at the end, and a reader that has seen enough is none",
        arguments: [
            ["play", "small.yaml", "--device", "null"], ["play", "small.yaml", "--device", "null", "--plain"],
            ["play", "small.yaml", "--device", "null", "--summary"], ["render", "--help"], ["--version"],
            ["help", "play"], ["--generate-completion-script", "bash"], ["timeline", "small.yaml"],
            ["check", "small.yaml"], ["scores"], ["devices"], ["devices", "--json"], ["config"], ["keys"],
            ["report", "log.csv"], ["render", "small.yaml", "-o", "-"],
        ])
    func standardOutput(arguments: [String]) async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        try scratch.write(
            "log.csv", "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags\n1,,0,0,0,0,0,0,\n")
        let full = try await Program.run(arguments, in: scratch, output: .file("/dev/full"))
        #expect(
            full.errors == "barline: error: standard output cannot be written: No space left on device\n"
                && full.code == 73, "\(full.code) \(full.errors)")
        let brief = ["/bin/sh", "-c", "\"$@\" | head -0", "sh"]
        let read = try await Program.run(arguments, in: scratch, wrapper: brief)
        // There may be notes, such as the one that there is no sound card.
        #expect(!read.errors.contains("error: "), "\(read.errors)")
    }

    @Test(
        "a reader that closes the pipe ends the program quietly; a file to which standard output goes is not replaced"
    )
    func closedPipe() async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        let convert = { ["convert", "small.yaml", $0, "--to", "csv"] }
        let log = { ["play", "small.yaml", "--device", "null", "--timing-log", $0] }
        for (arguments, stream, path, code) in [
            (convert, ">>", "/dev/stdout", 73), (convert, "2>>", "good.wav", 73), (convert, "3>>", "/dev/fd/3", 73),
            (log, ">>", "/dev/stdout", 64), (log, "3>>", "good.wav", 64),
        ] {
            let outcome = try await Program.run(
                arguments(path), in: scratch,
                wrapper: ["/bin/sh", "-c", "exec \"$@\" \(stream) good.wav", "sh"])
            let content = String(decoding: try scratch.read("good.wav"), as: UTF8.self)
            #expect(outcome.code == code && content.hasPrefix("a good file\n"), "\(content) \(outcome.errors)")
        }
        let outcome = try await Program.run(
            ["timeline", "metronome", "--times", "1000", "--csv"], in: scratch, output: .closed(after: 100))
        #expect(outcome.text.hasPrefix("index,section,line,bar,label,start_s,duration_s,number\n1,,1,1,,0.000000000,"))
        #expect(outcome.errors == "")
        #expect(outcome.code == 0 || outcome.code == 128 + 13, "ended by itself, or by SIGPIPE")
        // A reader that takes only a part of the sound ends the program by a signal, so that scripts notice it.
        let cut = ["/bin/bash", "-c", "\"$@\" | head -c 1 >/dev/null; exit ${PIPESTATUS[0]}", "bash"]
        let stream = try await Program.run(["render", "metronome", "-o", "-"], in: scratch, wrapper: cut)
        #expect(stream.code == 128 + 13 && stream.errors == "")
        // A name that is not UTF-8 would become the name of another file.
        let latin = ["/bin/sh", "-c", "exec \"$@\" \"$(printf 'caf\\351.plan')\"", "sh"]
        let named = try await Program.run(["plan", "run 10:00", "-o"], in: scratch, wrapper: latin)
        #expect(named.code == 64 && named.errors.contains("is not UTF-8: rename the file"), "\(named.errors)")
        #expect(try !scratch.names.contains { $0.hasPrefix("caf") })
    }

    @Test("a recording that a full disk ends is an error once the music is over; of nothing, no file is made")
    func recording() async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        for type in ["flac", "wav"] {
            let limited = ["/bin/sh", "-c", "ulimit -f 8; exec \"$@\"", "sh"]
            let outcome = try await Program.run(
                ["play", "small.yaml", "--device", "null", "--input", "null", "--record", "take.\(type)"], in: scratch,
                wrapper: limited)
            #expect(outcome.errors.contains("the recording ends here, the music goes on: it cannot be written"))
            #expect(outcome.text.hasSuffix("end\n") && outcome.code == 73, "\(outcome.code) \(outcome.text)")
            try expectUntouched(scratch)
        }
        let log = try await Program.run(["log", "--csv"], in: scratch)
        #expect(log.text.split(separator: "\n").count == 3, "\(log.text)")
    }

    /// Where the tests may not mount a disk, only `/dev/full` (above) stands for a full one.
    @Test("no partial file is left on a full disk", .enabled(if: geteuid() == 0 && BadOutputTests.mayMount))
    func noPartialFileIsLeftOnAFullDisk() async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        let disk = scratch.folder + "/there"
        // A disk that only this process and its children see; it disappears with them.
        let script =
            "mount -t tmpfs -o size=64k tmpfs \"$0\" && cp good.wav \"$0\" && \"$@\"; code=$?; ls -A \"$0\"; "
            + "cat \"$0/good.wav\"; exit $code"
        let wrapper = ["unshare", "-m", "/bin/sh", "-c", script, disk]
        for name in ["good.wav", "new.wav"] {
            let outcome = try await Program.run(
                ["render", "small.yaml", "-o", "there/" + name], in: scratch, wrapper: wrapper)
            #expect(outcome.errors == "barline: error: 'there/\(name)' cannot be written: No space left on device\n")
            #expect(outcome.code == 73, "\(outcome.errors)")
            #expect(outcome.text == "good.wav\na good file\n")
        }
        try expectUntouched(scratch)
    }

    @Test("doctor says that a disk is full", .enabled(if: geteuid() == 0 && BadOutputTests.mayMount))
    func fullDiskIsFound() async throws {
        let scratch = try Scratch()
        try prepare(scratch)
        let script =
            "mount -t tmpfs -o size=64k tmpfs \"$0\" && { cat /dev/zero > \"$0/all\"; } 2> /dev/null; "
            + "XDG_STATE_HOME=\"$0\" \"$@\""
        let wrapper = ["unshare", "-m", "/bin/sh", "-c", script, scratch.folder + "/there"]
        let outcome = try await Program.run(["doctor", "--no-sound"], in: scratch, wrapper: wrapper)
        let found = outcome.text.split(separator: "\n").first { $0.contains("folder of practice log") }
        #expect(found?.hasSuffix("/there/barline is full") ?? false, "\(outcome.text)")
    }

    private static let mayMount =
        (try? Child(["/usr/bin/unshare", "-m", "mount", "-t", "tmpfs", "tmpfs", NSTemporaryDirectory()]).wait()) == 0

    private func prepare(_ scratch: Scratch) throws {
        try scratch.write("small.yaml", SampleTexts.small)
        try scratch.write("good.wav", "a good file\n")
        try #require(mkdir(scratch.folder + "/there", 0o755) == 0)
    }

    private func expectUntouched(_ scratch: Scratch) throws {
        let names = try scratch.names
        #expect(names == ["good.wav", "small.yaml", "there"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.folder + "/there") == [])
        #expect(try scratch.read("good.wav") == Array("a good file\n".utf8))
        #expect(try scratch.read("small.yaml") == Array(SampleTexts.small.utf8))
    }
}
