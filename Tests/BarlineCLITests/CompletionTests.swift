import Shared
import SimulatedCardSupport
import Testing

@Suite("Completion in the shell")
struct CompletionTests {
    /// What bash offers at the end of a command line, sorted.
    private func offered(_ line: [String], in scratch: Scratch) async throws -> [String] {
        let script = """
            program=$1; shift
            . <("$program" --generate-completion-script bash)
            COMP_WORDS=("$program" "$@") COMP_CWORD=$# COMP_LINE="$program $*"
            COMP_POINT=${#COMP_LINE}
            _barline "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
            printf '%s\\n' "${COMPREPLY[@]}" | sort
            """
        let outcome = try await Program.run(line, in: scratch, wrapper: ["/bin/bash", "-c", script, "bash"])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        return outcome.text.split(separator: "\n").map(String.init)
    }

    @Test("a score completes to names, files and folders") func scores()
        async throws
    {
        let scratch = try Scratch()
        try scratch.write("sea.yaml", "lines: [[3]]")
        #expect(try await offered(["play", "se"], in: scratch) == ["sea.yaml", "sequenza-vii"])
        #expect(try await offered(["render", scratch.folder + "/se"], in: scratch) == [scratch.folder + "/sea.yaml"])
        #expect(try await offered(["scores", "--copy", "se"], in: scratch) == ["sequenza-vii"])
    }

    @Test("a place completes to the labels and lines of the score on the command line") func places() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "sea.yaml", "lines:\n  - {label: Dawn, bars: [3, 4]}\n  - {label: The storm, bars: [3]}\n")
        #expect(
            try await offered(["play", "sea.yaml", "--from", ""], in: scratch) == ["1.1", "2.1", "Dawn", "The storm"])
        #expect(try await offered(["play", "sea.yaml", "--loop", "--to", "D"], in: scratch) == ["Dawn"])
        // Without a score, or with a wrong one, nothing is offered and nothing printed.
        #expect(try await offered(["play", "--from", ""], in: scratch) == [])
        try scratch.write("bad.yaml", "lines: 3")
        #expect(try await offered(["timeline", "bad.yaml", "--from", ""], in: scratch) == [])
    }

    @Test(
        "choices complete to their values",
        arguments: [
            (["play", "x", "--waveform", "tri"], ["triangle"]), (["play", "x", "--flash-color", "ru"], ["rust"]),
            (["play", "x", "--flash", "b"], ["border"]), (["render", "x", "--tuning", "py"], ["pythagorean"]),
            (["config", "flash-"], ["flash-color", "flash-line-color"]),
            (["convert", "x", "y", "--to", "kl"], ["klick"]),
            (["check", "x", "--format", "zw"], ["zwift"]), (["play", "x", "--voice", ""], []),
        ]
    ) func choices(line: [String], values: [String]) async throws {
        #expect(try await offered(line, in: try Scratch()) == values)
    }

    @Test("devices complete to the names that 'barline devices' lists") func devices() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        let listed = try await Program.run(["devices", "--json"], in: scratch)
        let offered = try await offered(["play", "x", "--device", ""], in: scratch)
        #expect(!offered.isEmpty)
        for name in offered { #expect(listed.text.contains("\"name\": \"\(name)\""), "\(name)") }
    }
}
