internal import Files
package import Formats
internal import Glibc
internal import Languages
package import Scores
internal import Timing
package import UserSettings

/// A score that is written in another format, or drawn. `convert` carries it out.
package struct ConvertRequest: OptionRequest {
    package var options = OptionValues()
    /// The score: a file, the name of a score, or `-`.
    package var score: String
    /// The path of the new file, or `-` for standard output.
    package var out: String
    /// How the score is read; whether somebody can go on follows from the new format.
    package var reading = LoadedScore.Choice()
    /// Which order, brackets and voices of the score are played.
    package var version = VersionRequest()
    /// The new format; nil if the name of the file tells it.
    package var to: WrittenFormat?
    /// The places between which it goes; nil for the beginning and the end.
    package var first: String?
    package var last: String?
    package var speed: Speed?
    /// Whether each voice is written to a file of its own, too.
    package var eachVoice = false
    /// The choices that formats have.
    package var choices = WritingOptions()

    package init(_ score: String, to out: String) { (self.score, self.out) = (score, out) }

    /// Writes the files. Errors: `ProgramEnd`, whose reason has been told.
    package func convert() throws {
        let written = try to ?? namedFormat()
        try OutputFile.refuse(out, as: [LoadedScore.path(score)]) {
            localized("'\($0)' is the score: give the new file another name")
        }
        try OutputFile.check([out], read: reading.files)
        guard choices.paper == nil || WrittenFormat.pictures.contains(written) else {
            throw Failure.exit(.usage, localized("--paper: only a picture (.svg, .pdf) is drawn on paper"))
        }
        guard case .score(let format) = written else { return try writePage() }
        if self[Setting.speak] != nil {
            throw Failure.exit(.usage, localized("--speak: only a page that plays by itself (.html) can speak"))
        }
        try check(format)
        // A format of the whole page has holds until a cue.
        var reading = reading
        reading.gaps.canWait = format.isOfPage && reading.gaps.about == nil
        reading.gaps.keepsTimes = true
        var (page, preferences, words, named) = try LoadedScore.read(score, reading)
        // Formats of the whole page keep the score's own speed and count-in; formats of times have those that the user hears.
        var settings = format.isOfPage ? Settings() : try LoadedSettings.get()
        if words.plan != nil { settings.becomeThoseOfPlan() }
        page.speed = settings.applied(to: page, preferences: preferences).speed
        try version.choose(in: &page, written: true)
        page.tuning.move(from: LoadedScore.path(score) ?? "", to: out == "-" ? nil : out)
        let timeline = Timeline(page)
        let bars = try PassageRequest.bars(timeline, from: ("--first", first), to: ("--last", last))
        let passage = try Passage(timeline, bars: bars).withinLimit()
        func made(_ page: Score, _ passage: Passage) throws -> Writing {
            var own = page
            // The default count-in of plans is the player's: a score in which it is written would take precedence over the
            // settings, and a format that lacks it loses nothing of the plan.
            if words.plan != nil, !preferences.contains(.countIn) { own.countIn = .off }
            var played = PlayedScore(own, passage: passage, speed: speed ?? page.speed)
            played.stated = preferences
            played.heard = settings.applied(to: page, preferences: preferences)
            return try Failure.exitOnError(.badData) { try format.write(played, choices) }
        }
        let writing = try made(page, passage)
        let files = [(out, writing)] + (eachVoice ? try voices(of: page, made) : [])
        try OutputFile.check(files.map(\.0), read: [LoadedScore.path(score)] + reading.files + named)
        for (out, writing) in files {
            for loss in writing.losses {
                Failure.say(localized("warning: \(out == "-" ? format.name : out): \(loss)"))
            }
        }
        try OutputFile.write(files.map { ($0, $1.bytes) })
    }

    /// A file for each voice of a score.
    private func voices(
        of page: Score, _ made: (Score, Passage) throws -> Writing
    ) throws -> [(path: String, writing: Writing)] {
        guard page.voiceNames.count > 1 else {
            throw Failure.exit(.usage, localized("--each-voice: the score has only one voice"))
        }
        guard out != "-", first == nil, last == nil else {
            throw Failure.exit(
                .usage,
                localized("--each-voice writes files of whole voices: -, --first and --last cannot be used with it"))
        }
        return try page.voiceNames.enumerated().compactMap { number, name in
            guard let voice = page.written(voices: [name]) else { return nil }
            let writing = try made(voice, try Passage(Timeline(voice)).withinLimit())
            return (FileKind.path(out, part: VoiceFile.name(number, of: page.voiceNames)), writing)
        }
    }

    /// Writes a page that plays the score by itself, as `play` would play it with the user's settings.
    private func writePage() throws {
        if eachVoice {
            throw Failure.exit(
                .usage,
                localized("--each-voice: a page that plays by itself has all voices; each player chooses one on it"))
        }
        var wanted = PerformanceRequest()
        wanted.passage.reading = reading
        (wanted.passage.from, wanted.passage.to, wanted.passage.speed) = (first, last, speed)
        (wanted.passage.version, wanted.cues.options) = (version, options)
        try WrittenPage.write(.named(score), wanted, to: out)
    }

    /// Checks that the other options fit a format.
    private func check(_ format: Format) throws {
        try refuseWorkout(format)
        guard format.canWrite else {
            throw Failure.exit(
                .usage, localized("\(format.name) can be read, but not written; --to takes \(WrittenFormat.options)"))
        }
        if format.isOfPage, first != nil || last != nil || speed != nil {
            throw Failure.exit(
                .usage,
                localized(
                    "\(format.name) always has the whole score: --first, --last and --speed cannot be used with it"))
        }
        if out == "-", format.isBinary, isatty(1) == 1 {
            throw Failure.exit(
                .usage, localized("\(format.name) cannot be written to a terminal: redirect it to a program or a file"))
        }
    }

    /// Ends the command, with the right one, if only a plan can have this format.
    private func refuseWorkout(_ format: Format?) throws {
        guard let format, !format.canWrite, Format.writtenPlans.contains(format) else { return }
        throw Failure.exit(
            .usage,
            localized(
                "\(format.name) is made of a plan: `barline plan \(score.shellWord) -o \(out.shellWord)` writes it"))
    }

    /// The format that the name of the new file implies.
    private func namedFormat() throws -> WrittenFormat {
        let formats = WrittenFormat.candidates(fileName: out)
        if formats.count == 1 { return formats[0] }
        if formats.count > 1 {
            let choice = formats.map { "--to \($0.option)" }.joined(separator: localized(" or "))
            throw Failure.exit(.usage, localized("'\(out)' may be in one of several formats: add \(choice)"))
        }
        guard FileKind.extension(of: out) != nil else {
            throw Failure.exit(
                .usage,
                out == "-"
                    ? localized(
                        "standard output does not determine a format: add --to with one of \(WrittenFormat.options)")
                    : localized("'\(out)' does not determine a format: add --to with one of \(WrittenFormat.options)")
            )
        }
        try refuseWorkout(Format(planFileName: out))
        let known = Set(WrittenFormat.all.flatMap(\.extensions)).sorted().map { "." + $0 }
        throw Failure.exit(
            .usage,
            localized(
                "'\(out)' has no known extension: use one of \(known.joined(separator: ", ")), or add --to with one of \(WrittenFormat.options)"
            )
        )
    }
}

extension Tuning {
    /// Changes the paths of the Scala files so that the score finds them from its new folder, or, where that is
    /// not known, from every folder.
    fileprivate mutating func move(from path: String, to new: String?) {
        guard case .scala(var scale, var map) = scale,
            let folder = FileBytes.realPath(FileBytes.folder(of: path)),
            folder != new.flatMap({ FileBytes.realPath(FileBytes.folder(of: $0)) })
        else { return }
        let moved = { (name: String?) in name.map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" } }
        (scale.file, map.file) = (moved(scale.file), moved(map.file))
        self.scale = .scala(scale, map)
    }
}
