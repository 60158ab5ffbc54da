internal import Application
internal import ArgumentParser
internal import Files
internal import Formats
internal import Playback
internal import Scores
internal import Timing
internal import UserSettings

/// What the Tab key of a shell completes. Completing never prints a message: what cannot be read offers nothing.
extension CompletionKind {
    /// The names of scores, and files.
    static var score: CompletionKind {
        .custom { _, _, prefix in ScoreListing.all(environment: Environment.values).map(\.name) + files(prefix) }
    }

    /// The names of bundled scores.
    static var bundledScore: CompletionKind { .list(BundledScore.all.map(\.name)) }

    /// Places in the score that stands on the command line: its labels, and the first bars of its lines.
    static var place: CompletionKind {
        .custom { words, _, _ in timeline(words).map(places) ?? [] }
    }

    /// The names of the voices of the score that stands on the command line.
    static var voice: CompletionKind {
        .custom { words, _, _ in timeline(words)?.voices.map(\.name) ?? [] }
    }

    /// The sound devices of this machine.
    static var device: CompletionKind { .custom { _, _, _ in Card.devices().map(\.name) } }

    /// The names of colors.
    static var color: CompletionKind { .list(Color.names.map(\.name)) }

    /// The names of temperaments, and files.
    static var tuning: CompletionKind {
        .custom { _, _, prefix in Temperament.allCases.map(\.rawValue) + files(prefix) }
    }

    /// The names of settings.
    static var setting: CompletionKind { .list(Setting.all.map(\.name)) }

    /// The values of a choice.
    static func values<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> CompletionKind {
        .list(Choice.allCases.map(\.rawValue))
    }

    /// The names of the files and folders where a word begins, as it is typed, without hidden ones.
    private static func files(_ word: String) -> [String] {
        let prefix = unquoted(word)
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        // Other shells would quote the `~` of what is offered.
        let isBelowHome = CompletionShell.requesting == .bash && folder.hasPrefix("~/")
        let path = isBelowHome ? (Environment[.home] ?? "") + folder.dropFirst() : folder
        return ((try? FileBytes.names(in: path.isEmpty ? "." : path)) ?? []).map { folder + $0 }
    }

    /// A word of a command line without its quotes and backslashes; its last quote may still be open.
    private static func unquoted(_ word: String) -> String {
        var text = ""
        var (quote, isEscaped): (Character?, Bool) = (nil, false)
        for character in word {
            if isEscaped || quote != nil && quote != character && (quote == "'" || character != "\\") {
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "'" || character == "\"" {
                quote = quote == nil ? character : nil
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// The first score among the words of a command line.
    private static func timeline(_ words: [String]) -> Timeline? {
        for word in words.dropFirst(2) where !word.isEmpty && !word.hasPrefix("-") {
            let found = try? LoadedScore.find(unquoted(word), LoadedScore.Choice(gaps: .init(canWait: true)))
            if let score = found?.document.score { return Timeline(score) }
        }
        return nil
    }

    private static func places(_ timeline: Timeline) -> [String] {
        let bars = (0..<min(timeline.barCount, 10_000)).lazy.map { timeline[$0] }
        var labels: Set<String> = []
        return timeline.labels.filter { timeline.bars(labeled: $0) != nil && labels.insert($0).inserted }
            + bars.filter { $0.bar == 1 }.map { "\($0.line).1" }
    }
}
