/// The words of the page for runners that are not those of the terminal's calculator and plan editor.
package enum RunningWord: String, Sendable, CaseIterable {
    case calculator = "Pace calculator"
    case plan = "Plan"
    case result
    case totals
    case row
    case part = "interval"
    case time
    case distance
    case pace
    case total
    case times
    case save
    case start = "play this plan"
    case changed = "not saved"
    case noPlan = "empty: add an interval, such as run 0:30 @ 10:00/mi, or 4x(run 0:30, walk 0:30)"
    case tooLong = "this is too long for one line"
    case lastKnown = "as it was at"
    case vibrate = "Vibrate"
    case vibratePlans = "at changes of a plan"
    case vibrateLines = "at lines"
    case vibrateBars = "at every bar"
    case vibrateOff = "off"
    case offline = "no network"
    case waits = "no network: computed as soon as there is one"
}
