internal import Hearing
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Timing

/// The clicks in a recording of this program, as the rows of a timing log: `barline report --recording`.
///
/// The first click that is heard is on time by definition: a recording does not tell when the program was started.
enum RecordedTiming {
    static func rows(_ path: String, _ heard: HeardScore) throws -> [TimingRow] {
        let message = localized("the clicks of the score are not heard in '\(path)': is it this score, at this speed?")
        do {
            let rate = try SoundReader(path).rate
            let played = PlayedClicks(heard.performance, rate: rate)
            let known = try played.known(rate: HeardTake.rate)
            guard known.clicks.count >= KnownClicks.fewest else {
                throw Failure.exit(
                    .badData,
                    localized(
                        "a recording is recognized by \(KnownClicks.fewest) clicks at least, and here the score has \(known.clicks.count): take a longer passage"
                    ))
            }
            let sound = try TakeSound(path, rate: rate)
            let coarse = rate == HeardTake.rate ? sound : try TakeSound(path, rate: HeardTake.rate)
            guard
                let recorded = RecordedClicks(
                    sound.samples, rate: rate, shapes: try played.known(rate: rate).shapes, coarse: coarse.samples,
                    known: known),
                let first = recorded.clicks.first(where: { $0.heard != nil }), let zero = first.heard
            else { throw Failure.exit(.badData, message) }
            if recorded.places > 1 {
                Failure.say(
                    localized(
                        "note: '\(path)' fits \(recorded.places) places of the score equally well; the first is taken. --from tells where it begins"
                    ))
            }
            return recorded.clicks.map { click in
                let index = heard.passage.boundary(at: heard.position(click.nominal))
                return TimingRow(
                    index: heard.passage.bar(of: index).index + 1,
                    nominal: Duration(inSeconds: click.nominal),
                    heard: click.heard.map { Duration(inSeconds: $0 - zero + first.nominal) },
                    position: FramePosition(frame: Int64(((click.heard ?? 0) * Double(rate)).rounded(.down))),
                    flags: click.heard == nil ? .lost : [])
            }
        } catch let error as RenderError {
            if case .noMusic = error { throw Failure.exit(.noInput, error) }
            throw Failure.exit(.badData, error)
        } catch let error as EngineError {
            throw Failure.exit(.badData, error)
        }
    }
}

extension HeardScore {
    /// The position in the passage of a time after its first boundary, with a little more, so that it is not rounded into
    /// the bar before.
    fileprivate func position(_ seconds: Double) -> Duration {
        passage.position(of: first) + performance.speed.scoreDuration(of: Duration(inSeconds: seconds + 0.0001))
    }
}
