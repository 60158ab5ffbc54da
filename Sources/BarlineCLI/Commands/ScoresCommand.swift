internal import ArgumentParser
internal import Files
internal import Formats
internal import Scores

struct ScoresCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scores",
        abstract: "List the scores that have a name, or copy one to make it your own.",
        discussion: """
            Your own scores lie in $XDG_DATA_HOME/barline/scores (by default ~/.local/share/barline/scores). One with \
            the name of a bundled score takes its place. Plans that `barline plan --save` has given a name are there, too.
            """)

    @Option(help: ArgumentHelp("Copy this score into your folder, to write in your own holds.", valueName: "name"))
    var copy: String?

    func run() throws {
        if let copy { try copyScore(copy) } else { try list() }
    }

    private func list() throws {
        let listings = ScoreListing.all(environment: Environment.values)
        var output = StandardOutput()
        let width = listings.map(\.name.columns).max() ?? 0
        for listing in listings {
            let title =
                listing.title ?? LoadedPlan.title(listing.source, name: listing.name)
                ?? "cannot be read; `barline check \(listing.name)` says why"
            let place = if case .user(_, let path) = listing.source { "  (\(path))" } else { "" }
            try output.write((listing.name.padding(to: width + 2) + title + place).printable + "\n")
        }
        try output.flush()
    }

    private func copyScore(_ name: String) throws {
        guard let score = BundledScore.named(name) else {
            let near = Suggestion.nearest(to: name, in: BundledScore.all.map(\.name))
            throw Failure.exit(
                .noInput, "there is no bundled score '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        guard let folder = ScoreFolder(environment: Environment.values) else {
            throw Failure.exit(.cannotWrite, "there is no home folder to copy to: set XDG_DATA_HOME")
        }
        let path = "\(folder.path)/\(name).yaml"
        do throws(FileError) {
            try TextFile.create(path, score.bytes)
        } catch {
            throw Failure.exit(.cannotWrite, "'\(path)' \(error)")
        }
        var output = StandardOutput()
        try output.write(path + "\n")
        try output.flush()
    }
}
