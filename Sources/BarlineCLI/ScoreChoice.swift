internal import ArgumentParser
internal import Formats
internal import Languages
internal import Scores
internal import Screens

/// The score that is played: one that the user names, or one that a page has chosen and that has been read already.
enum ScoreChoice: Sendable {
    case named(String)
    case found(LoadedScore.Found)

    /// The help of an argument that names it.
    static let help: ArgumentHelp = .localized("A score file, the name of a score, or - for standard input.")

    /// Its name.
    var name: String {
        switch self {
        case .named(let name): name
        case .found(let found): found.name
        }
    }

    /// The score, the preferences that it states itself, and the run that it is if it is a plan. Problems are reported on
    /// standard error; an error ends the command.
    func read(
        _ choice: LoadedScore.Choice
    ) throws -> (score: Score, preferences: Set<Score.Preference>, run: ShownRun?) {
        switch self {
        case .named(let name): try LoadedScore.read(name, choice)
        case .found(let found): try LoadedScore.read(found, choice)
        }
    }
}
