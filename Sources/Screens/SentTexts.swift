internal import Languages
internal import Timing

/// The texts of a page that plays by itself, beside those of the page for browsers: where the program computes a text
/// anew with every state, that page puts values in the place of `{name}`.
package enum SentTexts {
    package static let all: [(name: String, text: String)] = settings + places + programs + own

    /// The settings, in the words of `PieceWords.settings` and `Wording`.
    private static let settings: [(name: String, text: String)] = {
        let (name, hertz, level, pace, milliseconds) = ("{name}", "{hertz}", "{level}", "{pace}", "{milliseconds}")
        return [
            ("noDrone", localized("no drone")), ("droneMuted", localized("drone off")),
            ("droneChord", localized("drone \(name)")), ("droneTone", localized("drone \(name) \(hertz) Hz")),
            ("clicksMuted", localized("clicks off")), ("clicksAt", localized("clicks \(level)")),
            ("jumpsCounted", localized("jumps counted in")), ("isOn", localized("on")),
            ("pace", localized("pace \(pace)")), ("tapLate", localized("\(name): \(milliseconds) ms late")),
            ("tapEarly", localized("\(name): \(milliseconds) ms early")),
        ]
    }()

    /// What can be wrong with a place, in the words of `Place`.
    private static let places: [(name: String, text: String)] = {
        let (text, count, line, bar, first, last) = ("{text}", "{count}", "{line}", "{bar}", "{first}", "{last}")
        let (other, nth, said, pass) = ("{other}", "{nth}", "{said}", "{pass}")
        return [
            ("noBar", localized("there is no bar \(bar): the piece has bars 1 to \(count)")),
            ("noLine", localized("there is no line \(line): the piece has lines 1 to \(count)")),
            ("noBarInLine", localized("there is no bar \(bar) in line \(line): it has bars \(first) to \(last)")),
            ("noLabel", localized("there is no label '\(text)' in the piece")),
            ("noTime", localized("there is no bar at \(text): the piece lasts \(count)")),
            ("notPlayed", localized("'\(text)' is not in the passage")),
            ("noNumber", localized("there is no bar \(said): the piece begins with \(first) and ends with \(last)")),
            ("playedOnce", localized("there is no pass \(pass) of bar \(said): it is played once")),
            ("noPass", localized("there is no pass \(pass) of bar \(said): it is played \(count) times")),
            ("noClock", localized("the minutes and seconds after a colon must be two digits, 00 to 59")),
            ("clocks", localized("for example 1:30 or 1:02:03.5")),
            (
                "ambiguous",
                localized(
                    "\(bar) could mean the bar with this number, \(other), or bar \(bar) as played, \(nth); "
                        + "write '\(said)' or '\(nth)'")
            ),
        ]
    }()

    /// What can be wrong with a program, a pitch or a waveform.
    private static let programs: [(name: String, text: String)] = {
        let (text, list) = ("{text}", "{list}")
        return [
            ("noProgram", localized("there is no practice program '\(text)'")),
            ("badProgram", localized("a value of the practice program '\(text)' is not valid")),
            ("programs", localized("for example \(PracticeProgram.examples(hasLog: false))")),
            ("isFast", localized("it is played at \(text) already")),
            ("tooFast", localized("it gets at most ten times as fast")),
            ("silences", localized("for example 2 of 8")), ("noColumn", localized("no line has a bar \(text)")),
            ("notAPitch", localized("this is not a drone of this page: \(text)")),
            ("pitches", localized("for example B4, Bb3, B4+14c or 493.9 Hz")),
            ("waveformList", localized("the waveforms are \(list)")),
        ]
    }()

    /// What only this page says.
    private static let own: [(name: String, text: String)] = [
        ("asleep", localized("this device slept for {seconds} s: the music waited, and goes on from where it was")),
        ("soundAway", localized("no sound since {time}: touch the page")),
        ("soundBack", localized("sound was away for {seconds} s; the music went on")),
        ("saveTaps", localized("save taps (CSV): {count}")),
        ("notKept", localized("this browser keeps no settings for this page")),
        (
            "awakeHow",
            localized(
                "This browser does not let a file keep the screen on. Set the screen's timeout to “never” in the settings "
                    + "of this device while you play.")
        ),
    ]

    /// What is shown where scripts do not run, as in the previews of many mail programs.
    package static var needsScripts: String {
        localized("This page needs JavaScript. If this is a preview of mail, save the file and open it in a browser.")
    }
}
