/// The words of a page in a browser, beside those of the stand. A word in braces is a place for a value.
package enum PageWord: String, Sendable, CaseIterable {
    // The connection
    case noNetwork = "no network: this page plays on by itself"
    case isOver = "the music is over"
    case watching = "watching only"

    // The picture
    case music = "The music"
    case secondsLeft = "seconds left"
    case barOfLine = "bar of its line"
    case brackets = "brackets"
    case bar = "bar {n}"
    case line = "line {n}"
    case thenNext = "then {place}, {seconds} s"
    case thenEnd = "then the end"
    case elapsed = "{time} of {total}"
    case opensIn = "{name} opens in {seconds} s"
    case opening = "{name} opening, {seconds} s"
    case open = "{name} open, closes in {seconds} s"
    case closing = "{name} closing, {seconds} s"

    // The controls
    case controls = "Controls"
    case allControls = "All controls"
    case typed = "What to type"
    case send = "OK"
    case lock = "Lock"
    case locked = "Locked: hold for 1 s to unlock"

    // Scores and files
    case chooseFirst = "choose a score, or drop a file on this page"
    case nothingYet = "no music yet"
    case shelf = "Scores and files"
    case score = "Another score"
    case play = "Play it"
    case ownFile = "A file of this device"
    case tooLarge = "{name} is too large: a score that is dropped has at most {most} MB"
    case notSent = "{name} could not be sent"
    case opened = "{name} begins"
    case file = "A file of the music"
    case make = "Make it"
    case making = "{name}: {percent} %"
    case made = "{name} is downloaded"
    case cancel = "Cancel"

    // What each device chooses for itself
    case announce = "Announce"
    case announceLines = "lines and labels"
    case announceBars = "every bar"
    case announceNothing = "nothing"
    case flash = "Flash"
    case flashScreen = "screen"
    case flashBorder = "border"
    case flashOff = "off"
    case awake = "Keep the screen on"
    case awakeHow = """
        At an address without https, browsers do not let a page keep the screen on. Set the screen's timeout to “never” in the \
        settings of this device while you play, or serve the page through a proxy with TLS (see docs/serving.md).
        """

    // The sound of this device
    case sound = "Sound on this device"
    case device = "This device"
    case clicks = "Clicks"
    case partPlayer = "as the player"
    case partLines = "line starts"
    case partBars = "bars"
    case partBeats = "beats"
    case partAll = "subdivisions of the score"
    case partHalves = "beats in 2"
    case partThirds = "beats in 3"
    case partQuarters = "beats in 4"
    case voice = "Voice"
    case allVoices = "all"
    case drone = "Drone"
    case volume = "Volume"
    case soundLate = "Sound late by (ms)"
    case pictureLate = "Picture late by (ms)"
    case test = "Test click"
    case testHow = """
        The test click sounds and flashes at the same moment on every device that plays it. Listen to this device beside \
        another one, or beside the player’s own clicks, and change the two delays until you hear and see one click. This \
        device remembers them.
        """
}
