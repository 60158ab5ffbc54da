internal import Scores

/// The bar that is being handed out, with the moments inside it.
struct ScheduledBar: Sendable {
    let boundary: Int
    let bar: TimedBar
    /// The click that begins the bar; nil if it is silent.
    let first: VoiceClick?
    /// What happens after that, in order, at the speed of the stretch: beats, holds, and the clicks of other voices.
    let moments: [Moment]

    struct Moment: Sendable {
        /// The time after the beginning of the bar.
        var offset: Duration
        /// Its click; nil if it is silent.
        var click: VoiceClick?
        /// The length of the hold at which live music waits for the player; nil if it does not wait.
        var wait: Duration?
        /// Whether it is a hold at the very end of its bar: what is heard at its place comes after it.
        var endsBar = false
    }

    init(_ boundary: Int, _ performance: Performance) {
        let (passage, timeline) = (performance.passage, performance.passage.timeline)
        let bar = passage.bar(of: boundary)
        let own = timeline.clicks(inBar: bar, performance, voice: timeline.voices.isEmpty ? 0 : 1)
        var moments = own.moments
        if !timeline.companions.isEmpty {
            // All voices wait together, and go on from where they are: the length of a hold belongs to its own voice.
            for i in moments.indices where moments[i].wait != nil { moments[i].wait = .zero }
            let span = bar.start..<timeline.start(ofBar: bar.index + 1)
            for (number, companion) in timeline.companions.enumerated() {
                moments += companion.clicks(during: span, performance, voice: number + 2)
                moments += companion.waits(during: span, performance.inner)
            }
            moments.sort { $0.offset < $1.offset }
            if moments.contains(where: { $0.wait != nil }) {
                // Where voices meet, holds and clicks have an order.
                for i in moments.indices.dropFirst()
                where moments[i].offset - moments[i - 1].offset < SameMoment.tolerance {
                    moments[i].offset = moments[i - 1].offset
                }
            }
            moments.sort { ($0.offset, $0.rank) < ($1.offset, $1.rank) }
            // Where several voices wait at one place, the player goes on once.
            for i in moments.indices.dropFirst().reversed()
            where moments[i].wait != nil && moments[i - 1].wait != nil && moments[i].offset == moments[i - 1].offset {
                moments.remove(at: i)
            }
        }
        let speed = passage.stretch(of: boundary).speed
        if speed != .asWritten {
            for i in moments.indices {
                moments[i].offset = speed.realDuration(of: moments[i].offset)
                moments[i].wait = moments[i].wait.map(speed.realDuration(of:))
            }
        }
        // Silent bars have no clicks, so that players can test their time.
        let isSilent = performance.silence?.isSilent(boundary) ?? false
        if isSilent { for i in moments.indices { moments[i].click = nil } }
        (self.boundary, self.bar, self.moments) = (boundary, bar, moments)
        first = isSilent ? nil : own.first
    }
}

extension ScheduledBar.Moment {
    /// The order of what is at one place: holds at the ends of bars, clicks, other holds.
    fileprivate var rank: Int { wait == nil ? 1 : endsBar ? 0 : 2 }
}

/// How one click of a voice sounds.
struct VoiceClick: Sendable, Equatable {
    var sound: ClickSound
    /// How much louder than others it is, in dB.
    var decibels: Double
    /// The number of the voice, as in `Event`.
    var voice: Int
}

extension Timeline {
    /// The clicks of a bar of this voice: the one that begins it, and the moments after that.
    fileprivate func clicks(
        inBar bar: TimedBar, _ performance: Performance, voice number: Int
    ) -> (first: VoiceClick?, moments: [ScheduledBar.Moment]) {
        let own = bar.written.isPlain ? nil : bar.written.details.click
        let moments = moments(inBar: bar.index, performance.inner)
        let isSilent = voice.click.isSilent || own?.isSilent ?? false
        let decibels = (own?.decibels ?? 0) + voice.click.decibels
        func click(_ sound: ClickSound) -> VoiceClick? {
            isSilent ? nil : VoiceClick(sound: sound, decibels: decibels, voice: number)
        }
        let isLast = performance.cues.lastBar && bar.bar == bar.barsInLine && bar.barsInLine > 1
        let usual = isLast ? .warning : voice.click.sound ?? performance.barSounds.sound(beginning: bar)
        let isFirstSilent = moments.first.map { $0.offset == .zero && $0.kind == .click(.silent) } ?? false
        return (
            isFirstSilent ? nil : click(own?.sound ?? usual),
            moments.map { moment in
                switch moment.kind {
                case .click(let stress):
                    ScheduledBar.Moment(offset: moment.offset, click: ClickSound(stress).flatMap(click), wait: nil)
                case .wait(let length):
                    ScheduledBar.Moment(
                        offset: moment.offset, click: nil, wait: length, endsBar: moment.offset >= bar.duration)
                }
            }
        )
    }

    /// The clicks of this voice during a bar of the leading voice, as moments in that bar.
    fileprivate func clicks(
        during span: Range<Duration>, _ performance: Performance, voice number: Int
    ) -> [ScheduledBar.Moment] {
        var found: [ScheduledBar.Moment] = []
        for index in bars(during: span) {
            let bar = self[index]
            let (first, inner) = clicks(inBar: bar, performance, voice: number)
            for var moment in [ScheduledBar.Moment(offset: .zero, click: first, wait: nil)] + inner {
                guard moment.click != nil, span.moments.contains(bar.start + moment.offset) else { continue }
                moment.offset = max(bar.start + moment.offset - span.lowerBound, .zero)
                found.append(moment)
            }
        }
        return found
    }

    /// The holds until a cue of this voice during a bar of the leading voice, as moments in that bar.
    fileprivate func waits(during span: Range<Duration>, _ settings: InnerSettings) -> [ScheduledBar.Moment] {
        guard layout.hasHolds else { return [] }
        return bars(during: span).flatMap { index in
            waits(inBar: index, settings).filter { $0.isIn(span) }.map { wait in
                let time = min(max(wait.time, span.lowerBound), span.upperBound)
                return ScheduledBar.Moment(
                    offset: time - span.lowerBound, click: nil, wait: .zero, endsBar: wait.endsBar)
            }
        }
    }
}

extension ClickSound {
    /// The sound of a beat, which is `beat` for one without an accent; nil for a silent beat.
    init?(_ stress: Beat.Stress, beat: ClickSound = .beat) {
        switch stress {
        case .accent: self = .accent
        case .beat: self = beat
        case .subdivision: self = .subdivision
        case .silent: return nil
        }
    }
}

extension Score.Section {
    /// Silence of a given length, for a voice that ends before others.
    init(rest: Duration) {
        let longest = DurationUse.bar.range.upperBound
        let whole = Int(rest.attoseconds / longest.attoseconds)
        func line(_ length: Duration, _ passes: Int) -> Score.Part {
            var bar = Score.Bar(length)
            bar.details.click = BarClick(isSilent: true)
            return .line(Score.Line(passes: passes, bars: [bar]))
        }
        let left = rest - longest * whole
        self.init(parts: (whole > 0 ? [line(longest, whole)] : []) + (left > .zero ? [line(left, 1)] : []))
    }
}
