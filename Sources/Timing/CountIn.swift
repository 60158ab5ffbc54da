package import Scores

/// A count-in, the clicks that lead to the anchor; it is empty if its length is zero.
package struct CountIn: Sendable, Equatable {
    private struct Click: Sendable, Equatable {
        /// How long before the end it sounds.
        var lead: Duration
        var sound: ClickSound
        /// The number that is counted; nil between beats.
        var number: Int?
    }

    /// The boundary that it leads to.
    package var target: Int
    /// The clicks from the first to the last.
    private var clicks: [Click] = []
    private var whole = Duration.zero
    /// Whether it is longer than count-ins may be, and only its end is left.
    private(set) var isCut = false
    /// How many clicks sound, counted from the end: others make room for the announcement of a plan's first interval.
    package private(set) var ticks = Int.max
    /// The speed at which bars and beats are counted; nil for a count-in in real seconds.
    private var speed: Speed?
    /// Its least length: the music waits for machines that follow its timecode.
    private var least = Duration.zero

    /// No count-in.
    package init(target: Int) { self.target = target }

    /// No clicks, but the time in which timecode runs before the music does.
    package init(_ performance: Performance, target: Int) {
        self.target = target
        least = performance.linearTimecode?.preroll ?? .zero
    }

    /// The count-in of a performance to boundary `target`, at a speed.
    package init(_ performance: Performance, to target: Int, at speed: Speed) {
        self.init(performance, target: target)
        switch performance.countIn {
        case .time(let time): take(time)
        case .bars(let count):
            let bars = CountedBars(before: target, performance.passage, performance.inner)
            take(bars.beats(ofBars: count), bars.length(ofBars: count), at: speed)
        case .beats(let count):
            let bars = CountedBars(before: target, performance.passage, performance.inner)
            if bars.haveBeats {
                let beats = bars.last(count)
                take(beats, beats.first?.lead ?? .zero, at: speed)
            } else {
                take(.seconds(count))
            }
        }
        let isAnnounced = performance.cues.speech?.announces(target, in: performance.passage) ?? false
        if isAnnounced, performance.speaker != nil {
            let rest = Int((length - CountIn.voice).components.seconds)
            ticks = min(performance.cues.countdown, max(rest, 0))
        }
    }

    /// The time that a count-in leaves for the voice.
    private static let voice = Duration.seconds(2)

    /// Clicks at every whole second before the end, and one for a count-in below a second.
    private mutating func take(_ time: Duration) {
        guard time > .zero else { return }
        whole = time
        let count = max(Int(time.components.seconds), 1)
        clicks = (0..<count).map { Click(lead: min(.seconds(count - $0), time), sound: .countIn, number: $0 + 1) }
    }

    /// Clicks at beats. Those that would sound more than an hour before the end are left out, which `isCut` tells.
    private mutating func take(_ beats: [CountedBars.CountedBeat], _ length: Duration, at speed: Speed) {
        let limit = speed.scoreDuration(of: Score.Lead.longest)
        clicks = beats.filter { $0.lead <= limit }.compactMap { beat in
            ClickSound(beat.stress, beat: .countIn).map { Click(lead: beat.lead, sound: $0, number: beat.number) }
        }
        isCut = length > limit
        whole = length <= limit ? length : clicks.first?.lead ?? .zero
        self.speed = speed
    }

    /// Its length; zero = off.
    package var length: Duration { max(real(whole), least) }

    /// Whether it becomes faster and slower with the music.
    package var followsSpeed: Bool { speed != nil }

    /// The same count-in at another speed.
    package func at(_ new: Speed) -> CountIn {
        var countIn = self
        if speed != nil { countIn.speed = new }
        return countIn
    }

    private func real(_ lead: Duration) -> Duration { speed.map { $0.realDuration(of: lead) } ?? lead }

    /// The part that is handed out first.
    package var cursor: SchedulerCursor { clicks.isEmpty ? .bar(target, inner: 0) : .count(left: clicks.count) }

    /// How long before the end of the count-in the click sounds that has `left` clicks to go, itself included.
    package func lead(left: Int) -> Duration { click(left).map { real($0.lead) } ?? .zero }

    /// The same click as it is heard; nil if it is silent.
    func click(left: Int) -> VoiceClick? {
        left <= ticks ? VoiceClick(sound: click(left)?.sound ?? .countIn, decibels: 0, voice: 0) : nil
    }

    private func click(_ left: Int) -> Click? { clicks.dropLast(max(left, 1) - 1).last }

    /// The clicks that are heard, from the first to the last: how long before the end each sounds.
    package var heard: [CountInClick] {
        clicks.suffix(ticks).map { CountInClick(lead: real($0.lead), sound: $0.sound) }
    }

    /// The numbers of the beats, and how long before the end each is, from the first to the last.
    var numbers: [(lead: Duration, number: Int)] {
        clicks.compactMap { click in click.number.map { (lead: real(click.lead), number: $0) } }
    }

    /// How long before the end each beat sounds, from the first to the last; empty for a count-in in seconds.
    package var beats: [Duration] { speed == nil ? [] : clicks.map { real($0.lead) } }
}

package struct CountInClick: Sendable, Equatable {
    /// How long before the end of the count-in it sounds.
    package var lead: Duration
    package var sound: ClickSound

    package init(lead: Duration, sound: ClickSound) {
        (self.lead, self.sound) = (lead, sound)
    }
}
