internal import Languages

/// The words of a page in a browser that are not those of the stand, by their names in the page. The texts are in the language of
/// the process; pages put values in the place of `{name}`.
package enum PageWords {
    /// The words of the page that shows the music.
    package static let music: [(name: String, text: String)] = [
        ("noNetwork", localized("no network: this page plays on by itself")),
        ("isOver", localized("the music is over")),
        ("watching", localized("watching only")),
        ("music", localized("The music")),
        ("secondsLeft", localized("seconds left")),
        ("barOfLine", localized("bar of its line")),
        ("brackets", localized("brackets")),
        ("bar", localized("bar {n}")),
        ("line", localized("line {n}")),
        ("thenNext", localized("then {place}, {seconds} s")),
        ("thenEnd", localized("then the end")),
        ("elapsed", localized("{time} of {total}")),
        ("opensIn", localized("{name} opens in {seconds} s")),
        ("opening", localized("{name} opening, {seconds} s")),
        ("open", localized("{name} open, closes in {seconds} s")),
        ("closing", localized("{name} closing, {seconds} s")),
        ("controls", localized("Controls")),
        ("allControls", localized("All controls")),
        ("typed", localized("What to type")),
        ("send", localized("OK")),
        ("lock", localized("Lock")),
        ("locked", localized("Locked: hold for 1 s to unlock")),
        ("chooseFirst", localized("choose a score, or drop a file on this page")),
        ("nothingYet", localized("no music yet")),
        ("shelf", localized("Scores and files")),
        ("score", localized("Another score")),
        ("play", localized("Play it")),
        ("ownFile", localized("A file of this device")),
        ("tooLarge", localized("{name} is too large: a score that is dropped has at most {most} MB")),
        ("notSent", localized("{name} could not be sent")),
        ("opened", localized("{name} begins")),
        ("file", localized("A file of the music")),
        ("make", localized("Make it")),
        ("making", localized("{name}: {percent} %")),
        ("made", localized("{name} is downloaded")),
        ("cancel", localized("Cancel")),
        ("announce", localized("Announce")),
        ("announceLines", localized("lines and labels")),
        ("announceBars", localized("every bar")),
        ("announceNothing", localized("nothing")),
        ("flash", localized("Flash")),
        ("flashScreen", localized("screen")),
        ("flashBorder", localized("border")),
        ("flashOff", localized("off")),
        ("awake", localized("Keep the screen on")),
        (
            "awakeHow",
            localized(
                "At an address without https, browsers do not let a page keep the screen on. Set the screen's "
                    + "timeout to “never” in the settings of this device while you play, or serve the page through a "
                    + "proxy with TLS (see docs/serving.md).")
        ),
        ("sound", localized("Sound on this device")),
        ("device", localized("This device")),
        ("clicks", localized("Clicks")),
        ("partPlayer", localized("as the player")),
        ("partLines", localized("line starts")),
        ("partBars", localized("bars")),
        ("partBeats", localized("beats")),
        ("partAll", localized("subdivisions of the score")),
        ("partHalves", localized("beats in 2")),
        ("partThirds", localized("beats in 3")),
        ("partQuarters", localized("beats in 4")),
        ("voice", localized("Voice")),
        ("allVoices", localized("all")),
        ("drone", localized("Drone")),
        ("volume", localized("Volume")),
        ("soundLate", localized("Sound late by (ms)")),
        ("pictureLate", localized("Picture late by (ms)")),
        ("test", localized("Test click")),
        (
            "testHow",
            localized(
                "The test click sounds and flashes at the same moment on every device that plays it. Listen to "
                    + "this device beside another one, or beside the player’s own clicks, and change the two delays "
                    + "until you hear and see one click. This device remembers them.")
        ),
    ]

    /// The words of the page for runners, beside those of the terminal's calculator and plan editor.
    package static let running: [(name: String, text: String)] = [
        ("calculator", localized("Pace calculator")),
        ("plan", localized("Plan")),
        ("result", localized("result")),
        ("totals", localized("totals")),
        ("row", localized("row")),
        ("part", localized("interval")),
        ("time", localized("time")),
        ("distance", localized("distance")),
        ("pace", localized("pace")),
        ("total", localized("total")),
        ("times", localized("times")),
        ("save", localized("save")),
        ("start", localized("play this plan")),
        ("changed", localized("not saved")),
        ("noPlan", localized("empty: add an interval, such as run 0:30 @ 10:00/mi, or 4x(run 0:30, walk 0:30)")),
        ("tooLong", localized("this is too long for one line")),
        ("lastKnown", localized("as it was at")),
        ("vibrate", localized("Vibrate")),
        ("vibratePlans", localized("at changes of a plan")),
        ("vibrateLines", localized("at lines")),
        ("vibrateBars", localized("at every bar")),
        ("vibrateOff", localized("off")),
        ("offline", localized("no network")),
        ("waits", localized("no network: computed as soon as there is one")),
    ]
}
