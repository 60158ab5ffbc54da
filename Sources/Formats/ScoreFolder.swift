internal import Files
internal import Scores
package import SystemPackage

/// The folder of the user's own scores.
package struct ScoreFolder: Sendable, Equatable {
    /// The path of the folder, which need not exist.
    package let path: String

    /// `$XDG_DATA_HOME/barline/scores`, by default `~/.local/share/barline/scores`; nil if there is no home folder.
    package init?(environment: [String: String]) {
        guard let data = BaseFolder.data.path(environment: environment) else { return nil }
        path = data + "/scores"
    }

    /// The ending of the names of interval plans, which are played like scores.
    package static let planEnding = "plan"

    /// The path of the plan with that name, whether or not it exists.
    package func planPath(_ name: String) -> String { "\(path)/\(name).\(ScoreFolder.planEnding)" }

    private static func isScore(_ file: String) -> Bool {
        Format(fileName: file) != nil || file.hasSuffix(".\(planEnding)")
    }

    /// Why the folder cannot be read; nil if it can, or does not exist.
    package var refusal: Errno? {
        do throws(Errno) { _ = try FileBytes.names(in: path) } catch { return error.meansNothing ? nil : error }
        return nil
    }

    /// The files of scores in the folder, sorted. Only regular files are scores: others, such as pipes, are never opened.
    private var files: [String] {
        ((try? FileBytes.names(in: path)) ?? []).filter {
            ScoreFolder.isScore($0) && FileBytes.isRegular("\(path)/\($0)")
        }
    }

    /// The names of the scores in the folder, sorted and without duplicates.
    package var names: [String] { Set(files.map(Self.name)).subtracting([""]).sorted() }

    /// The path of the score with that name, preferring `.yaml` to `.yml` to `.csv`, and these to `.YAML`; nil if there is
    /// none.
    package func path(of name: String) -> String? {
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let endings = Format.allCases.flatMap(\.extensions) + [ScoreFolder.planEnding]
        return endings.map { "\(path)/\(name).\($0)" }.first(where: FileBytes.isRegular)
            ?? files.first { Self.name(ofPath: $0) == name }.map { "\(path)/\($0)" }
    }

    /// The last part of a path, without the ending of a score file.
    static func name(ofPath path: String) -> String {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        guard isScore(file), let dot = file.lastIndex(of: ".") else { return file }
        return String(file[..<dot])
    }
}

/// A score that can be selected by name.
package struct ScoreListing: Sendable, Equatable {
    /// The name by which it is selected.
    package let name: String
    /// The title, or the name if there is none; nil if the score cannot be read.
    package let title: String?
    /// Where it comes from.
    package let source: ScoreSource

    /// All scores that can be selected by name, sorted by name; a user's score hides a bundled one of the same name.
    package static func all(environment: [String: String]) -> [ScoreListing] {
        let folder = ScoreFolder(environment: environment)
        let own = (folder?.names ?? []).compactMap { name in
            folder?.path(of: name).map { ScoreListing(name: name, source: .user(name: name, path: $0)) }
        }
        let names = Set(own.map(\.name))
        let bundled = BundledScore.all.filter { !names.contains($0.name) }
        return (own + bundled.map { ScoreListing(name: $0.name, source: .bundled($0)) }).sorted { $0.name < $1.name }
    }

    private init(name: String, source: ScoreSource) {
        self.name = name
        self.source = source
        title = (try? source.read())?.score.map { $0.title ?? name }
    }
}
