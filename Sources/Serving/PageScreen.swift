package import Playback
internal import Scores
package import Screens
internal import Timing

/// Shows a performance on the pages of a server: like every screen it only watches.
package struct PageScreen: Screen {
    private let server: PageServer
    private let words: any PieceWords
    /// Called once the pages have been told of this music, and nobody keeps what they knew before.
    private var begun: (@Sendable () -> Void)?
    /// The boundaries that pages know, and what they were taken from: the stretches, and of a plan the speed, which its paces have.
    private var known: (window: Range<Int>, stretches: [Passage.Stretch], passes: Int?, speed: Speed?)?
    private var shown = ""
    /// The performance whose sounds pages know, and the boundaries of which they know them.
    private var sounds: (heard: Performance, told: Range<Int>)?
    private var wasStopping = false
    /// What a microphone hears of the player; nil if none listens.
    private let tuner: @Sendable () -> Tuner?
    private var pitch = ""
    /// The number of the last tap or message that was sent.
    private var told = 0

    /// How often pages learn of the pitch, in ns.
    private static let pitchEvery: Int64 = 200_000_000

    /// A screen for the pages of a server, in the words of the piece. `begun` is called once it has shown something, and `tuner`
    /// knows what is heard of the player.
    package init(
        _ server: PageServer, _ words: any PieceWords = ScoreWords(), tuner: @escaping @Sendable () -> Tuner? = { nil },
        begun: (@Sendable () -> Void)? = nil
    ) {
        self.begun = begun
        self.tuner = tuner
        self.server = server
        self.words = words
        server.begin(words.plan, in: words.unit)
    }

    /// Sends what has changed to every page.
    package mutating func show(_ status: Status, at now: Int64) -> Int64 {
        let passage = status.performance.passage
        let n = status.boundary(at: now)
        var timeline: String?
        let speed = words.parts == .intervals ? status.speed : nil
        if !knows(n, passage, speed) {
            let window = PageMessage.window(around: n, passage)
            known = (window, passage.stretches, passage.passes, speed)
            timeline = PageMessage.timeline(window, status, words)
        }
        let state = PageMessage.state(status, words, at: n)
        let sounds = newSounds(n, status, isNew: timeline != nil)
        // Followers learn at once that the music is being ended.
        if timeline != nil || sounds != nil || state != shown || status.isStopping != wasStopping {
            server.show(status, state: state, timeline: timeline, sounds: sounds)
        }
        (shown, wasStopping) = (state, status.isStopping)
        if let new = status.told, new.number > told {
            server.tellAll(new, words.told(new, status.performance))
            told = new.number
        }
        begun?()
        begun = nil
        let next = nextTime(n, status, at: now)
        guard let tuner = tuner() else { return next }
        let pitch = PageMessage.pitch(tuner)
        if pitch != self.pitch { server.show(pitch: pitch) }
        self.pitch = pitch
        return min(next, now + PageScreen.pitchEvery)
    }

    /// Tells the pages that the performance is over.
    package mutating func end(_ status: Status?) {
        guard let status else { return }
        server.show(status, state: PageMessage.state(status, words, at: status.boundary(at: 0)))
    }

    /// The message about the sounds of the bars that pages know; nil if they have it.
    private mutating func newSounds(_ n: Int, _ status: Status, isNew: Bool) -> String? {
        guard let window = known?.window else { return nil }
        let performance = status.performance
        if !isNew, let sounds, PageSounds.areSame(sounds.heard, performance), sounds.told.contains(n) {
            guard let due = boundaryOfMoreSounds, n >= due else { return nil }
        }
        let message = PageSounds.message(window, from: n, performance)
        sounds = (performance, message.told)
        return message.text
    }

    /// The boundary at which pages need to be told of more sounds; nil if they know those of all bars that they know.
    private var boundaryOfMoreSounds: Int? {
        guard let known, let sounds, sounds.told.upperBound < known.window.upperBound else { return nil }
        return sounds.told.upperBound - max(sounds.told.count / 4, 2)
    }

    /// When pages need more bars or sounds, or another speed or drone is to be told, if the music goes on as at present.
    private func nextTime(_ n: Int, _ status: Status, at now: Int64) -> Int64 {
        guard let known, status.pause == nil, status.ending == nil else { return .max }
        let isAll = status.performance.passage.count.map { known.window.upperBound >= $0 } ?? false
        let ofTimeline = isAll ? nil : known.window.upperBound - PageMessage.leastAhead + 1
        let passage = status.performance.passage
        let ofSpeed = status.targetSpeed == nil ? nil : passage.boundaries(aroundBoundary: n).upperBound
        let ofDrone = status.performance.changesDrone ? n + 1 : nil
        guard let due = [ofTimeline, boundaryOfMoreSounds, ofSpeed, ofDrone].compactMap(\.self).min() else {
            return .max
        }
        return max(status.heard(boundary: max(due, n + 1)), now + 1_000_000_000)
    }

    private func knows(_ n: Int, _ passage: Passage, _ speed: Speed?) -> Bool {
        guard let known, known.stretches == passage.stretches, known.passes == passage.passes, known.speed == speed
        else { return false }
        let ahead = passage.count.map { min(n + PageMessage.leastAhead, $0) } ?? n + PageMessage.leastAhead
        return known.window.lowerBound <= max(n - PageMessage.barsBefore / 2, 0) && ahead <= known.window.upperBound
    }
}
