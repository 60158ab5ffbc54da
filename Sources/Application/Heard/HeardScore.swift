package import Hearing
internal import Languages
package import Playback
internal import Running
internal import Scores
internal import Screens
package import Timing

/// The bars of a passage against which a take is set.
package struct HeardScore {
    package let performance: Performance
    package let passage: Passage
    /// The boundaries that can be heard, and the one with which the player begins.
    package let count: Int
    package let first: Int
    /// How long each bar lasts at the speed, in seconds.
    package let written: [Double]
    /// The boundaries that begin lines.
    package let lines: [Int]
    /// The paths of the files that the score names.
    let files: [String]

    /// More bars than this cannot be set against a take.
    private static let most = 20_000

    package init(_ wanted: PassageRequest, _ score: String) throws {
        let wish = try wanted.passage(of: .named(score))
        let (passage, first) = (wish.passage, wish.first)
        var performance = Performance(of: wish.score, passage: passage)
        performance.first = first
        if let speed = wanted.speed { performance.speed = speed }
        count = passage.count ?? max(1, 2000 / passage.barsInPass) * passage.barsInPass
        guard count <= HeardScore.most else {
            throw Failure.exit(
                .badData,
                localized("the score has \(count) bars, and a recording is set against at most \(HeardScore.most)"))
        }
        let speed = performance.speed
        let positions = (0...count).map { speed.realDuration(of: passage.position(of: $0)).inSeconds }
        written = (0..<count).map { positions[$0 + 1] - positions[$0] }
        lines = (0..<count).filter { $0 == 0 || passage.bar(of: $0).bar == 1 }
        (self.performance, self.passage, self.first, files) = (performance, passage, first, wish.files)
    }

    /// Listens to a take. Reports one that is clipped, has the player on one side, or has sides in opposite phase. Errors: it
    /// cannot be used.
    package func listen(to path: String) throws -> (heard: HeardTake, sound: TakeSound) {
        let sound: TakeSound
        do throws(RenderError) {
            sound = try TakeSound(path, rate: HeardTake.rate)
        } catch {
            throw HeardScore.failure(error)
        }
        do throws(HeardTake.Fault) {
            let heard = try HeardTake(
                sound.samples, written, first: first, lines: lines, known: knownClicks(),
                expected: expected(in: path))
            report(sound, path, heard)
            return (heard, sound)
        } catch {
            throw Failure.exit(.badData, HeardScore.message(error, path))
        }
    }

    /// Tells why a recording cannot be read.
    static func failure(_ error: RenderError) -> ProgramEnd {
        if case .noMusic = error { Failure.exit(.noInput, error) } else { Failure.exit(.badData, error) }
    }

    /// The clicks that play beside the player; nil if they cannot be made.
    private func knownClicks() -> KnownClicks? {
        guard passage.count != nil else { return nil }
        return try? PlayedClicks(performance, rate: HeardTake.rate, withCountIn: true).known(rate: HeardTake.rate)
    }

    private func report(_ sound: TakeSound, _ path: String, _ heard: HeardTake) {
        if sound.clippedPieces > 0 {
            let seconds = Double(sound.clippedPieces) / 100
            Failure.say(
                localized(
                    "warning: '\(path)' is clipped for \(Duration(inSeconds: seconds).seconds(decimals: 2)) s: record it at a lower level"
                ))
        }
        switch sound.side {
        case .left: Failure.say(localized("note: the player is on the left side of '\(path)'; the other is left out"))
        case .right: Failure.say(localized("note: the player is on the right side of '\(path)'; the other is left out"))
        case .opposed:
            Failure.say(localized("note: the two sides of '\(path)' are in opposite phase; one is turned over"))
        case .only, .both: break
        }
        if !heard.clicks.isEmpty {
            Failure.say(localized("note: clicks of this program are heard in '\(path)'; they do not count as notes"))
        }
    }

    private static func message(_ fault: HeardTake.Fault, _ path: String) -> String {
        switch fault {
        case .silent: localized("'\(path)' is silent: check the microphone and its level")
        case .noNotes: localized("no notes are heard in '\(path)': nothing can be set against the score")
        case .fewNotes:
            localized("too few notes are heard in '\(path)': nothing can be set against the score")
        case .onlyClicks: localized("only clicks of this program are heard in '\(path)', and no player")
        case .otherPiece:
            localized(
                "the notes in '\(path)' do not fit the durations of the score: is it this piece, at this speed? --from tells where it begins"
            )
        }
    }
}

extension PlayedClicks {
    /// The clicks with the samples of their sounds at `rate`.
    package func known(rate: Int) throws(EngineError) -> KnownClicks {
        var sounds: [ClickSound] = []
        let places = clicks.map { click -> (seconds: Double, shape: Int) in
            if let shape = sounds.firstIndex(of: click.sound) { return (click.seconds, shape) }
            sounds.append(click.sound)
            return (click.seconds, sounds.count - 1)
        }
        var shapes: [KnownClicks.Shape] = []
        for sound in sounds { shapes.append(try PlayedClicks.samples(of: sound, rate: rate)) }
        return KnownClicks(places, shapes: shapes)
    }
}
