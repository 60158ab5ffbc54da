internal import Scores

/// The bar that is being handed out, with the moments inside it.
struct ScheduledBar: Sendable {
    let boundary: Int
    let bar: TimedBar
    let moments: [InnerMoment]
    private let warnsOfLast: Bool
    /// Whether the bar has no clicks, so that players can test their time.
    private let isSilent: Bool
    private let barSounds: BarSounds

    init(_ boundary: Int, _ performance: Performance) {
        self.boundary = boundary
        bar = performance.passage.bar(of: boundary)
        warnsOfLast = performance.cues.lastBar
        moments = performance.passage.moments(of: boundary, performance.inner)
        isSilent = performance.silence?.isSilent(boundary) ?? false
        barSounds = performance.barSounds
    }

    /// The click at an inner moment (0 is the beginning of the bar), and its level relative to other clicks; nil if it
    /// is silent.
    func sound(ofInner inner: Int) -> (sound: ClickSound, decibels: Double)? {
        guard !isSilent else { return nil }
        let click = bar.written.isPlain ? nil : bar.written.details.click
        if let click, click.isSilent { return nil }
        let decibels = click?.decibels ?? 0
        if inner == 0 {
            if let first = moments.first, first.offset == .zero, first.kind == .click(.silent) { return nil }
            let isLast = warnsOfLast && bar.bar == bar.barsInLine && bar.barsInLine > 1
            return (
                click?.sound ?? (isLast ? .warning : barSounds.sound(beginning: bar)), decibels
            )
        }
        guard case .click(let stress) = moments[inner - 1].kind, let sound = ClickSound(stress) else { return nil }
        return (sound, decibels)
    }
}

extension InnerMoment {
    /// Whether live music waits here.
    var isWait: Bool { if case .wait = kind { true } else { false } }
}

extension ClickSound {
    /// The sound of a beat; nil for a silent beat.
    init?(_ stress: Beat.Stress) {
        switch stress {
        case .accent: self = .accent
        case .beat: self = .beat
        case .subdivision: self = .subdivision
        case .silent: return nil
        }
    }
}
