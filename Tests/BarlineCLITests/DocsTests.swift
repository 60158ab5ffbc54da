internal import Foundation
internal import Glibc
internal import Testing

/// Every command in the docs runs as written, and prints the output shown below it.
@Suite struct DocsTests {
    /// A fenced block of a page, without its fences.
    private struct Block {
        var page: String
        var kind: String
        var lines: [String]
    }

    /// A command, and its output.
    struct Example: Sendable, CustomTestStringConvertible {
        var page: String
        var command: String
        /// The commands above it in the same block.
        var before: [String] = []
        /// Its output on the page; nil in blocks that contain only commands.
        var said: [String]?
        var testDescription: String { "\(page): \(command)" }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
    }

    private static let pages: [String] = {
        let docs = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/docs")) ?? []
        return ["README.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }()

    private static func blocks(_ page: String) throws -> [Block] {
        var blocks: [Block] = []
        var isInside = false
        for line in try text(page).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if !isInside { blocks.append(Block(page: page, kind: String(line.dropFirst(3)), lines: [])) }
                isInside.toggle()
            } else if isInside {
                blocks[blocks.count - 1].lines.append(String(line))
            }
        }
        return blocks
    }

    /// All `barline` commands in the docs.
    static let examples: [Example] = {
        var examples: [Example] = []
        for block in pages.flatMap({ (try? blocks($0)) ?? [] }) {
            switch block.kind {
            case "sh":
                for line in block.lines where line.hasPrefix("barline ") {
                    examples.append(Example(page: block.page, command: line, said: nil))
                }
            case "console":
                var before: [String] = []
                for line in block.lines {
                    if line.hasPrefix("$ ") {
                        let command = String(line.dropFirst(2))
                        examples.append(Example(page: block.page, command: command, before: before, said: []))
                        before.append(command)
                    } else if !examples.isEmpty {
                        examples[examples.count - 1].said?.append(line)
                    }
                }
            default: break
            }
        }
        // `barline log` shows the days up to today, which no page can, and the editor needs a terminal: `PracticeLogTests` and
        // `RunScreenTests` cover them.
        let others = ["barline log --piece", "barline plan edit"]
        return examples.filter { example in
            example.command.hasPrefix("barline ") && !others.contains { example.command.hasPrefix($0) }
        }
    }()

    /// A folder with the files that the examples name.
    private static func scratch(for example: Example) throws -> Scratch {
        let scratch = try Scratch()
        let piece = try blocks("README.md").first { $0.kind == "yaml" }?.lines ?? []
        var text = piece.joined(separator: "\n") + "\n"
        // The page shows the piece, and then the errors for two typing mistakes in it.
        if example.said?.contains(where: { $0.contains("error") }) ?? false {
            text = text.replacing("D4", with: "H4").replacing("\n    repeat", with: "\n    repaet")
        }
        for name in ["my-piece.yaml", "piece.yaml"] { try scratch.write(name, text) }
        try scratch.write("clicks.txt", "t 60\n4/4 x 2\n")
        for (name, title) in [("tuesday.plan", "title: Tuesday"), ("spring.plan", "title: Spring marathon")]
        where example.command.contains(name) {
            let plan = try blocks("docs/running.md").first { $0.kind == "text" && $0.lines.contains(title) }
            try scratch.write(name, (plan?.lines ?? []).joined(separator: "\n") + "\n")
        }
        if example.command.contains("activity.tcx") {
            let laps = [(100, 400), (50, 100)].map { seconds, meters in
                "<Lap><TotalTimeSeconds>\(seconds)</TotalTimeSeconds><DistanceMeters>\(meters)</DistanceMeters></Lap>"
            }
            try scratch.write(
                "activity.tcx", "<TrainingCenterDatabase>\(laps.joined())</TrainingCenterDatabase>")
        }
        if example.command.contains("report") {
            try scratch.write(
                "tonight.csv",
                "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags\n"
                    + "1,,0.000000000,0.000001000,1.000,4800.000000,0.100,1.000,\n")
        }
        return scratch
    }

    /// Whether it plays until it is stopped, or for longer than a test should take.
    private static func isPlayed(_ example: Example) -> Bool {
        ["barline play", "barline drone", "barline every"].contains { example.command.hasPrefix($0) }
    }

    /// The command, with two hours shortened to what a test may take, and a day of the plan in place of today.
    private static func command(of example: Example) -> String {
        example.command.replacing("2:00:00", with: "0:02:00").replacing("--day today", with: "--day 2026-11-24")
    }

    @Test("every command in the docs runs as written", arguments: examples.filter { $0.said == nil })
    func called(example: Example) async throws {
        let scratch = try Self.scratch(for: example)
        // The page takes this file for one of the reader's.
        if example.command.contains("bell.flac") {
            let bell = try await Program.run(["render", "metronome", "--to", "1", "-o", "bell.flac"], in: scratch)
            #expect(bell.code == 0, "\(bell.errors)")
        }
        if example.command.contains("--over music/") {
            try FileManager.default.createDirectory(
                atPath: scratch.folder + "/music", withIntermediateDirectories: true)
            let music = try await Program.run(["render", "metronome", "--to", "1", "-o", "music/1.flac"], in: scratch)
            #expect(music.code == 0, "\(music.errors)")
        }
        let isPlayed = Self.isPlayed(example)
        let outcome = try await Program.run(
            [], in: scratch, environment: ["BARLINE_DEVICE": "null", "PATH": Self.path, "NO_COLOR": "1"],
            wrapper: ["/bin/sh", "-c", "exec " + Self.command(of: example)]
        ) { running in
            // The first line is complete: the sound has started.
            if isPlayed, running.text.contains("\n") { running.sendOnce(SIGINT) }
        }
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test("every command in the docs prints the output shown below it", arguments: examples.filter { $0.said != nil })
    func said(example: Example) async throws {
        let scratch = try Self.scratch(for: example)
        let home = scratch.environment["HOME"] ?? ""
        func write(_ path: String, _ text: String) throws {
            let file = URL(fileURLWithPath: home + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: file, atomically: false, encoding: .utf8)
        }
        // The page shows the error for an invalid setting.
        if example.said?.first?.contains("speed") ?? false {
            try write("/.config/barline/config.yaml", "a4: 442\nspeed: fast\n")
        }
        let before = example.before.map { "\($0) > /dev/null 2>&1; " }.joined()
        let outcome = try await Program.run(
            [], in: scratch, environment: ["PATH": Self.path, "TZ": "UTC"],
            wrapper: ["/bin/sh", "-c", "\(before){ \(example.command); } 2>&1"])
        let heard = outcome.text.replacing(home, with: "/home/anna").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { String($0) }
        #expect(Self.matches(heard.dropLast(), (example.said ?? [])[...]), "it says\n\(outcome.text)")
    }

    /// Whether the output matches the lines of a page, where `...` stands for any lines left out. The width of columns
    /// may differ.
    private static func matches(_ lines: ArraySlice<String>, _ page: ArraySlice<String>) -> Bool {
        func words(_ line: String) -> [Substring] { line.split(separator: " ") }
        guard let first = page.first else { return lines.isEmpty }
        // A final `...` matches all remaining lines.
        if page.count == 1, words(first) == ["..."] { return true }
        if words(first) == ["..."] {
            return (lines.startIndex...lines.endIndex).contains { matches(lines[$0...], page.dropFirst()) }
        }
        guard let line = lines.first, words(line) == words(first) else { return false }
        return matches(lines.dropFirst(), page.dropFirst())
    }

    @Test(
        "the examples on the pages are those that are built, letter by letter; the programs are shorter than 41 lines")
    func code() throws {
        let readme = try Self.blocks("README.md")
        let study = try #require(readme.first { $0.kind == "swift" && $0.lines.first?.hasPrefix("import ") == true })
        #expect(study.lines.joined(separator: "\n") + "\n" == (try Self.text("Tests/Study/main.swift")))
        let page = "Sources/Barline/Barline.docc/BuildingAMetronome.md"
        let tutorial = try #require(try Self.blocks(page).last { $0.kind == "swift" })
        #expect(tutorial.lines.joined(separator: "\n") + "\n" == (try Self.text("Examples/Metronome/main.swift")))
        for name in ["PlaySeconds", "RenderChord", "PrintBoundaries", "Metronome"] {
            #expect(try Self.text("Examples/\(name)/main.swift").split(separator: "\n").count < 41)
        }
    }

    @Test("the example programs play, render and print what their pages say, and refuse what is invalid")
    func programs() async throws {
        let page = try #require(Self.blocks("README.md").first { $0.lines.first == "$ swift run Study" })
        let scratch = try Scratch()
        let study = try await Self.run("Study", in: scratch)
        #expect(study.text == page.lines.dropFirst().map { $0 + "\n" }.joined())
        #expect(study.code == 0, "\(study.errors)")
        #expect(try scratch.names == ["study.flac"])
        let chord = try await Self.run("RenderChord", in: scratch)
        #expect(chord.text == "chord.flac: 960000 frames\n")
        #expect(try scratch.names == ["chord.flac", "study.flac"])

        let seconds = try await Self.run("PlaySeconds", ["0.3", "250 ms"], in: scratch)
        #expect(seconds.text == "2 bars, 0.55 seconds\n")
        let never = try await Self.run("PlaySeconds", ["0.3", "soon"], in: scratch)
        #expect(never.text.hasPrefix("'soon' is not a duration"))

        let commands = Array("184\n\n\nq\n".utf8)
        let metronome = try await Self.run("Metronome", ["92", "3/4"], in: scratch, input: commands)
        #expect(metronome.code == 0, "\(metronome.errors)")
        #expect(metronome.text.isEmpty || metronome.text.hasPrefix("bar 1\n"))
        let meter = try await Self.run("Metronome", ["92", "3/0"], in: scratch)
        #expect(meter.text.contains("score:7:20: error: "), "\(meter.text)")

        try scratch.write("a.yaml", "lines:\n  - label: A\n    bars: [0.2, 0.1]\n")
        let boundaries = try await Self.run("PrintBoundaries", ["a.yaml"], in: scratch)
        #expect(boundaries.text == "1.1  0.0 seconds  A\n1.2  0.2 seconds  \n")
        try scratch.write("b.yaml", "drone: H4\nlines:\n  - bars: [0.2, -1]\n")
        let refused = try await Self.run("PrintBoundaries", ["b.yaml"], in: scratch)
        #expect(refused.text.hasPrefix("b.yaml:1:8: error: 'H4' is not a pitch"))
        #expect(refused.text.contains("\nb.yaml:3:17: error: "))
    }

    /// Runs a program that was built with these tests, without a sound card.
    private static func run(
        _ name: String, _ arguments: [String] = [], in scratch: Scratch, input: [UInt8] = []
    ) async throws -> Outcome {
        let program = Program.root + "/.build/release/" + name
        // The first argument is the path of `barline`, which `shift` removes.
        let wrapper = ["/bin/sh", "-c", "shift; exec \"$0\" \"$@\"", program]
        return try await Program.run(arguments, in: scratch, input: input, wrapper: wrapper)
    }

    /// The `PATH` of the examples; the folder of `barline` comes first.
    private static var path: String {
        Program.root + "/.build/release:" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    }
}
