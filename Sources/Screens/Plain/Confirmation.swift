internal import Languages
internal import Playback
internal import Scores
internal import Timing

/// The line that confirms a command at a terminal without a picture.
package struct Confirmation {
    let text: String
    /// The boundary that the line tells; nil if it tells none.
    var boundary: Int?
    /// Whether the line tells that the music is paused, or goes on.
    var isOfPause = false

    init(_ text: String) { self.text = text }

    /// What has become of `command`, carried out between two statuses, at `now` (CLOCK_MONOTONIC, ns).
    init(_ command: Command, _ before: Status, _ after: Status, _ words: any PieceWords, at now: Int64) {
        let performance = after.performance
        switch command {
        case .togglePause, .pause, .resume, .continue:
            let state = StateWord(after.moment(at: now))
            text = [state.plainText, words.place(after.boundary(at: now), after)].joined(separator: ", ")
            isOfPause = true
        case .jump:
            let place = words.place(after.boundary(at: now), after)
            let isSame = after.anchor == before.anchor && after.commandCount == before.commandCount
            text = isSame ? localized("still at \(place)") : place
            boundary = after.boundary(at: now)
        case .speed, .speedTo: text = localized("speed \(after.speed(of: after.boundary(at: now)))")
        case .practice:
            let passage = performance.passage
            if after.isHome {
                text = before.isHome ? localized("no loop or program to end") : localized("loop or program ended")
            } else if let loop = after.loop {
                let names = [loop.lowerBound, loop.upperBound - 1].map { words.name(ofBar: $0, performance) }
                text =
                    loop.count == 1 ? localized("loop \(names[0])") : localized("loop \(names[0]) to \(names[1])")
            } else {
                let count = passage.stretches.count
                let steps =
                    count == 1
                    ? localized("practice program, 1 step") : localized("practice program, \(count) steps")
                // The seed of a random order is the label of all its steps.
                let labels = Set(passage.stretches.map(\.label))
                text = [steps, labels.count == 1 ? labels.first ?? "" : ""].joinedNonempty(", ")
            }
        case .silence:
            text = performance.silence.map { Wording.silence($0, isLong: true) } ?? localized("no silent bars")
        case .toggleDrone, .dronePitch, .drone, .droneWaveform, .droneLevel:
            text = Wording.droneAndLevel(performance, at: after.boundary(at: now))
        case .a4: text = "A4 \(Wording.tenths(performance.a4)) Hz"
        case .toggleClicks, .clickLevel: text = Wording.clicks(performance)
        case .toggleCountIn:
            text =
                !performance.countsInJumps
                ? localized("jumps are not counted in")
                : performance.countIn == .off
                    ? localized("jumps are counted in, but there is no count-in") : localized("jumps are counted in")
        case .nudge(let time):
            let milliseconds = Int(time / .milliseconds(1))
            text =
                milliseconds < 0
                ? localized("shifted \(-milliseconds) ms earlier") : localized("shifted \(milliseconds) ms later")
        case .revert:
            let settings = words.settings(after, at: after.boundary(at: now))
            text = localized("reset: \(settings)")
        case .say: text = ""
        case .tell:
            let new = after.told == before.told ? nil : after.told
            if let new {
                text = words.told(new, performance)
            } else if case .bar = after.moment(at: now) {
                text = localized("the music stands still: taps do not count")
            } else {
                text = localized("not playing yet")
            }
        case .stop: text = localized("stopping")
        }
    }
}
