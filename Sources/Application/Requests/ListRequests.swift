internal import Files
internal import Formats
internal import Languages
internal import Playback
internal import Scores
internal import UserSettings

/// The list of the bundled scores and the user's own, or a copy of one for editing. `print` carries it out.
package struct ScoresRequest: Sendable {
    /// The name of the bundled score that is copied into the user's folder; nil for the list.
    package var copy: String?

    package init(copy: String? = nil) { self.copy = copy }

    /// Prints the list, or the path of the copy. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws { try copy.map(copyScore) ?? list() }

    private func list() throws {
        if let folder = ScoreFolder(environment: Environment.values), let error = folder.refusal {
            Failure.say(localized("note: '\(folder.path)' cannot be read: \(error.reason)"))
        }
        let listings = ScoreListing.all(environment: Environment.values)
        let width = listings.map(\.name.columns).max() ?? 0
        let lines = listings.map { listing in
            let title =
                listing.title ?? LoadedDocument.title(listing.source, name: listing.name)
                ?? localized("cannot be read; `barline check \(listing.name.shellWord)` says why")
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

/// The list of ALSA's devices that can be opened. `print` writes it to standard output.
package struct DevicesRequest: Sendable {
    package var json = false
    /// Whether it lists what can record instead of what can play.
    package var inputs = false

    package init() {}

    /// Prints it. Errors: `ProgramEnd`, whose reason has been told.
    package func print() throws {
        let devices = inputs ? Microphone.devices() : Card.devices()
        if json {
            let rows = devices.map { JSON.object(["name": .text($0.name), "description": .text($0.description)]).line }
            return try StandardOutput.print(JSON.array(rows))
        }
        let width = devices.map(\.name.columns).max() ?? 0
        let lines = devices.map { device in
            let description = device.description.split(separator: "\n").joined(separator: ", ")
            return (device.name.padding(to: width + 2) + description).printable + "\n"
        }
        try StandardOutput.print(lines.joined())
        // As `play` decides.
        guard !inputs, !devices.contains(where: { $0.name == Card.defaultDevice }),
            LoadedSettings.valid.given(Setting.device) == nil
        else { return }
        do throws(CardError) { _ = try Card(Card.defaultDevice) } catch {
            Failure.say(
                error.isOfCard
                    ? localized("note: \(error.description)")
                    : localized(
                        "note: there is no sound card (no ALSA device 'default'): `barline play` counts silently")
            )
        }
    }
}
