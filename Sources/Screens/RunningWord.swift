internal import Languages

/// The words of the page for runners that are not those of the terminal's calculator and plan editor.
package enum RunningWord: Sendable, CaseIterable {
    case calculator, plan, result, totals, row, part, time, distance, pace, total, times, save, start, changed, noPlan,
        tooLong, lastKnown, vibrate, vibratePlans, vibrateLines, vibrateBars, vibrateOff, offline, waits

    /// The words in the language of the process.
    package var text: String {
        switch self {
        case .calculator: localized("Pace calculator")
        case .plan: localized("Plan")
        case .result: localized("result")
        case .totals: localized("totals")
        case .row: localized("row")
        case .part: localized("interval")
        case .time: localized("time")
        case .distance: localized("distance")
        case .pace: localized("pace")
        case .total: localized("total")
        case .times: localized("times")
        case .save: localized("save")
        case .start: localized("play this plan")
        case .changed: localized("not saved")
        case .noPlan: localized("empty: add an interval, such as run 0:30 @ 10:00/mi, or 4x(run 0:30, walk 0:30)")
        case .tooLong: localized("this is too long for one line")
        case .lastKnown: localized("as it was at")
        case .vibrate: localized("Vibrate")
        case .vibratePlans: localized("at changes of a plan")
        case .vibrateLines: localized("at lines")
        case .vibrateBars: localized("at every bar")
        case .vibrateOff: localized("off")
        case .offline: localized("no network")
        case .waits: localized("no network: computed as soon as there is one")
        }
    }
}
