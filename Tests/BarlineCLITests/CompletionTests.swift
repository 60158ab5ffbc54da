import Foundation
import Shared
import SimulatedCardSupport
import Testing

@Suite("Completion in the shell")
struct CompletionTests {
    /// The folder of the scripts that make packages.
    private static let packaging = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../packaging").standardized.path

    /// What bash offers at the end of each command line, sorted.
    private func offered(_ lines: [[String]], in scratch: Scratch) async throws -> [[String]] {
        let script = """
            program=$1
            . <("$program" --generate-completion-script bash)
            while IFS=$'\\t' read -r -a words; do
              COMP_WORDS=("$program" "${words[@]%|}") COMP_CWORD=${#words[@]} COMP_LINE="${COMP_WORDS[*]}"
              COMP_POINT=${#COMP_LINE} COMPREPLY=()
              _barline "$program" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
              printf '%s\\n' "${COMPREPLY[@]}" | LC_ALL=C sort | tr '\\n' '\\t'
              echo
            done
            """
        // A word may be empty, so that each ends with a sign of its own.
        let input = lines.map { $0.map { $0 + "|" }.joined(separator: "\t") + "\n" }.joined()
        let outcome = try await Program.run(
            [], in: scratch, input: Array(input.utf8), wrapper: ["/bin/bash", "-c", script, "bash"])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        return outcome.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { $0.split(separator: "\t").map(String.init) }
    }

    @Test("scores, places, values and devices complete to what there is, and nothing is printed or run")
    func completed() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        try scratch.write(
            "sea.yaml",
            "lines:\n  - {label: Dawn, bars: [{duration: 3, label: Birds}, 4]}\n  - {label: The storm, bars: [3]}\n")
        try scratch.write("bad.yaml", "lines: 3")
        // No part of a name or a label is run.
        try FileManager.default.createDirectory(atPath: scratch.folder + "/my dir", withIntermediateDirectories: true)
        for name in ["$(touch PWNED).yaml", "do$lar.yaml", "it's.yaml", "my dir/`touch PWNED`.yaml"] {
            try scratch.write(name, "bars: [1]\n")
        }
        try scratch.write(
            "odd.yaml", "bars: [{duration: 1, label: Coda $(touch PWNED)}, {duration: 1, label: Don't rush}]\n")
        let cases: [(line: [String], values: [String])] = [
            (["play", "se"], ["sea.yaml", "sequenza-vii"]),
            (["render", scratch.folder + "/se"], [scratch.folder + "/sea.yaml"]),
            (["scores", "--copy", "se"], ["sequenza-vii"]),
            (["play", "sea.yaml", "--from", ""], ["1.1", "2.1", "Birds", "Dawn", "The storm"]),
            (["play", "sea.yaml", "--loop", "--to", "D"], ["Dawn"]),
            // Without a score, or with a wrong one, nothing is offered.
            (["play", "--from", ""], []), (["timeline", "bad.yaml", "--from", ""], []),
            (["play", "x", "--waveform", "tri"], ["triangle"]), (["play", "x", "--flash-color", "ru"], ["rust"]),
            (["play", "x", "--flash", "b"], ["border"]), (["render", "x", "--tuning", "py"], ["pythagorean"]),
            (["config", "flash-"], ["flash-color", "flash-line-color"]),
            (["convert", "x", "y", "--to", "kl"], ["klick"]), (["check", "x", "--format", "zw"], ["zwift"]),
            // The options of `plan` are those of `plan show`.
            (["plan", "--fi"], ["--fill"]), (["plan", "x", "--unit", "mi", "--fi"], ["--fill"]),
            (["plan", "x", "--unit", "m"], ["mi"]), (["plan", "ed"], ["edit"]), (["plan", "edit", "x", "--fi"], []),
            (["play", "x", "--voice", ""], []), (["play", "do"], ["do$lar.yaml"]), (["play", "it"], ["it's.yaml"]),
            (["play", #"\$\("#], ["$(touch PWNED).yaml"]), (["play", "my\\ d"], ["my dir"]),
            (["play", "my\\ dir/"], ["my dir/`touch PWNED`.yaml"]),
            (["play", "odd.yaml", "--from", ""], ["1.1", "Coda $(touch PWNED)", "Don't rush"]),
            (["play", "it\\'s.yaml", "--from", ""], ["1.1"]),
        ]
        let offered = try await offered(cases.map(\.line) + [["play", "x", "--device", ""]], in: scratch)
        #expect(offered.count == cases.count + 1)
        for (one, found) in zip(cases, offered) { #expect(found == one.values, "\(one.line) \(found)") }
        #expect(try !scratch.names.contains("PWNED"))
        let listed = try await Program.run(["devices", "--json"], in: scratch)
        let devices = try #require(offered.last)
        #expect(!devices.isEmpty)
        for name in devices { #expect(listed.text.contains("\"name\": \"\(name)\""), "\(name)") }
        let fish = try await Program.run(["--generate-completion-script", "fish"], in: scratch).text
        #expect(fish.contains("or set unparsed_tokens plan show ") && fish.contains("= \"barline plan\"' -fa 'edit'"))
        let zsh = try await Program.run(["--generate-completion-script", "zsh"], in: scratch).text
        #expect(zsh.contains("_barline_plan_show && ret=0\n        [["))
        try await expectColons(zsh, in: scratch)
        try await expectDescriptions(in: scratch)
    }

    /// A colon in a label begins no description in zsh: what it would describe has the colon escaped.
    private func expectColons(_ zsh: String, in scratch: Scratch) async throws {
        try scratch.write(
            "functions", String(zsh.prefix(upTo: try #require(zsh.range(of: "\n_barline() {")).lowerBound)))
        let script = """
            _describe() { print -r -- "${(@P)3}" }
            . ./functions && __barline_complete 'Verse: one' plain
            """
        let outcome = try await Program.run([], in: scratch, wrapper: ["/usr/bin/env", "zsh", "-fc", script])
        #expect(outcome.text == "Verse\\: one plain\n", "\(outcome.text) \(outcome.errors)")
    }

    /// Each shell can read its completions; these and the man pages describe a flag and its opposite.
    private func expectDescriptions(in scratch: Scratch) async throws {
        let script = """
            for shell in 'bash -n' 'zsh -n' 'fish --no-execute'; do
              "$1" --generate-completion-script ${shell%% *} > script && $shell script && cat script || exit
            done
            "$0/man" "$1" . 'May 1, 2026' && cat barline-doctor.1 barline-config.1
            """
        let outcome = try await Program.run([], in: scratch, wrapper: ["/bin/sh", "-c", script, Self.packaging])
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let said = outcome.text
        #expect(
            said.contains("'--no-sound[The opposite of --sound.]'") && said.contains("'--sound[Play a test sound.]'"))
        #expect(said.contains("-l 'no-sound' -d 'The opposite of --sound.'"))
        #expect(said.contains("'--no-cues[Play a plan without"))
        #expect(said.contains(#".It Cm "\&\-\-sound" , Cm "\&\-\-no\-sound""# + "\nPlay a test sound.\n"))
        #expect(said.contains(#".Op Ar "\&setting""#) && said.contains(#".Op Ar "\&value" ..."#))
    }
}
