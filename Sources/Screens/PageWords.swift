internal import Languages

/// The words of a page in a browser, beside those of the stand. A word in braces is a place for a value.
package enum PageWord: Sendable, CaseIterable {
    // The connection
    case noNetwork, isOver, watching

    // The picture
    case music, secondsLeft, barOfLine, brackets, bar, line, thenNext, thenEnd, elapsed, opensIn, opening, open, closing

    // The controls
    case controls, allControls, typed, send, lock, locked

    // Scores and files
    case chooseFirst, nothingYet, shelf, score, play, ownFile, tooLarge, notSent, opened, file, make, making, made,
        cancel

    // What each device chooses for itself
    case announce, announceLines, announceBars, announceNothing, flash, flashScreen, flashBorder, flashOff, awake,
        awakeHow

    // The sound of this device
    case sound, device, clicks, partPlayer, partLines, partBars, partBeats, partAll, partHalves, partThirds,
        partQuarters, voice, allVoices, drone, volume, soundLate, pictureLate, test, testHow

    /// The words in the language of the process. Pages put values in the place of `{name}`.
    package var text: String {
        switch self {
        case .noNetwork: localized("no network: this page plays on by itself")
        case .isOver: localized("the music is over")
        case .watching: localized("watching only")
        case .music: localized("The music")
        case .secondsLeft: localized("seconds left")
        case .barOfLine: localized("bar of its line")
        case .brackets: localized("brackets")
        case .bar: localized("bar {n}")
        case .line: localized("line {n}")
        case .thenNext: localized("then {place}, {seconds} s")
        case .thenEnd: localized("then the end")
        case .elapsed: localized("{time} of {total}")
        case .opensIn: localized("{name} opens in {seconds} s")
        case .opening: localized("{name} opening, {seconds} s")
        case .open: localized("{name} open, closes in {seconds} s")
        case .closing: localized("{name} closing, {seconds} s")
        case .controls: localized("Controls")
        case .allControls: localized("All controls")
        case .typed: localized("What to type")
        case .send: localized("OK")
        case .lock: localized("Lock")
        case .locked: localized("Locked: hold for 1 s to unlock")
        case .chooseFirst: localized("choose a score, or drop a file on this page")
        case .nothingYet: localized("no music yet")
        case .shelf: localized("Scores and files")
        case .score: localized("Another score")
        case .play: localized("Play it")
        case .ownFile: localized("A file of this device")
        case .tooLarge: localized("{name} is too large: a score that is dropped has at most {most} MB")
        case .notSent: localized("{name} could not be sent")
        case .opened: localized("{name} begins")
        case .file: localized("A file of the music")
        case .make: localized("Make it")
        case .making: localized("{name}: {percent} %")
        case .made: localized("{name} is downloaded")
        case .cancel: localized("Cancel")
        case .announce: localized("Announce")
        case .announceLines: localized("lines and labels")
        case .announceBars: localized("every bar")
        case .announceNothing: localized("nothing")
        case .flash: localized("Flash")
        case .flashScreen: localized("screen")
        case .flashBorder: localized("border")
        case .flashOff: localized("off")
        case .awake: localized("Keep the screen on")
        case .awakeHow:
            localized(
                "At an address without https, browsers do not let a page keep the screen on. Set the screen's "
                    + "timeout to “never” in the settings of this device while you play, or serve the page through a "
                    + "proxy with TLS (see docs/serving.md).")
        case .sound: localized("Sound on this device")
        case .device: localized("This device")
        case .clicks: localized("Clicks")
        case .partPlayer: localized("as the player")
        case .partLines: localized("line starts")
        case .partBars: localized("bars")
        case .partBeats: localized("beats")
        case .partAll: localized("subdivisions of the score")
        case .partHalves: localized("beats in 2")
        case .partThirds: localized("beats in 3")
        case .partQuarters: localized("beats in 4")
        case .voice: localized("Voice")
        case .allVoices: localized("all")
        case .drone: localized("Drone")
        case .volume: localized("Volume")
        case .soundLate: localized("Sound late by (ms)")
        case .pictureLate: localized("Picture late by (ms)")
        case .test: localized("Test click")
        case .testHow:
            localized(
                "The test click sounds and flashes at the same moment on every device that plays it. Listen to "
                    + "this device beside another one, or beside the player’s own clicks, and change the two delays "
                    + "until you hear and see one click. This device remembers them.")
        }
    }
}
