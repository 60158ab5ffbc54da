internal import Application
internal import ArgumentParser
internal import Files
internal import Formats
internal import Languages
internal import Scores

struct ScoresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scores",
        abstract: localized("List the bundled scores and your own, or copy one for editing."),
        discussion: localized(
            """
            Your own scores are in $XDG_DATA_HOME/barline/scores (by default ~/.local/share/barline/scores). A score \
            with the name of a bundled one replaces it. Plans saved by `barline plan --save` are there, too.
            """))

    @Option(
        help: .localized("Copy this score into your folder, for example to add your own holds.", valueName: "name"),
        completion: .bundledScore)
    var copy: String?

    func run() throws {
        if let copy { try copyScore(copy) } else { try list() }
    }

    private func list() throws {
        let listings = ScoreListing.all(environment: Environment.values)
        let width = listings.map(\.name.columns).max() ?? 0
        let lines = listings.map { listing in
            let title =
                listing.title ?? LoadedDocument.title(listing.source, name: listing.name)
                ?? localized("cannot be read; `barline check \(listing.name)` says why")
            let place = if case .user(_, let path) = listing.source { "  (\(path))" } else { "" }
            return (listing.name.padding(to: width + 2) + title + place).printable + "\n"
        }
        try StandardOutput.print(lines.joined())
    }

    private func copyScore(_ name: String) throws {
        guard let score = BundledScore.named(name) else {
            let near = Suggestion.nearest(to: name, in: BundledScore.all.map(\.name)).map {
                localized("there is no bundled score '\(name)'; did you mean '\($0)'?")
            }
            throw Failure.exit(.noInput, near ?? localized("there is no bundled score '\(name)'"))
        }
        guard let folder = ScoreFolder(environment: Environment.values) else {
            throw Failure.exit(.cannotWrite, localized("there is no home folder for scores: set HOME or XDG_DATA_HOME"))
        }
        let path = "\(folder.path)/\(name).yaml"
        try Failure.exitOnError(.cannotWrite, "'\(path)' ") { try TextFile.create(path, score.bytes) }
        try StandardOutput.print(path + "\n")
    }
}
