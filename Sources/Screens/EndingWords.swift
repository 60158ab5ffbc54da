internal import Languages
package import Playback
internal import Scores

// What every screen says about the end of a performance.
extension Wording {
    /// How a performance ended, and where: `stopped at line 2, bar 1, 0:05.7 of 0:07.7`; of a run
    /// `stopped in run 5 of 9, 3.4 km, 4:08 of 9:00`. Empty while it goes on.
    package static func ending(_ status: Status, _ run: ShownRun?) -> String {
        switch status.ending {
        case nil: ""
        case .complete: localized("played to the end")
        case .stopped(.bar(let bar)):
            if let run, let place = run.place(bar, status) {
                [localized("stopped in \(run.name(place))"), run.soFar(place) ?? "", run.elapsed(bar)]
                    .joinedNonempty(", ")
            } else {
                [
                    localized("stopped at line \(bar.bar.line), bar \(bar.bar.bar)"), bar.bar.saidNumber,
                    Wording.elapsed(bar),
                ].joinedNonempty(", ")
            }
        case .stopped(.countIn): localized("stopped in the count-in")
        case .stopped(.waiting), .stopped(.end): localized("stopped before the start")
        }
    }
}
