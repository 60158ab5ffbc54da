internal import Glibc
internal import Scores
internal import Timing

/// How the rendering of a plan is mastered: cues as loud as the music under them, and no peak above -1 dBFS.
package struct Mastering: Sendable {
    /// Factor of clicks, and of the drone.
    package var clickGain = 1.0
    /// Factor of speech.
    package var speechGain = 1.0
    /// The music under them; nil for none.
    package var music: BackingProgram?

    package init(clickGain: Double = 1.0, speechGain: Double = 1.0, music: BackingProgram? = nil) {
        (self.clickGain, self.speechGain, self.music) = (clickGain, speechGain, music)
    }

    /// The seconds over which music fades out at the end.
    package static let fade = 4.0
    /// The most by which clicks or speech are made louder, in dB: louder ticks would be crushed by the limiter.
    static let mostGain = 12.0
    /// A performance without an end is measured for this many seconds.
    package static let measured = 1800.0
}

extension Renderer {
    /// The mastering with which the signals of this rendering are at -14 LUFS, and its speech is, too, if their levels are the
    /// usual ones. Softer ones are softer by as much, though the limiter then takes less away. Louder ones are measured as if
    /// they were usual: the limiter would crush them.
    ///
    /// Drone, beats and steps do not count. `progress` gets 0 ... 1 now and then; an error that it throws ends it.
    package func measuredCues(
        progress: (Double) throws(RenderError) -> Void = { _ in }
    ) throws(RenderError) -> Mastering {
        // Ticks are limited more than whistles, which takes a second look.
        let first = try decibels(of: .click, from: 6) { share throws(RenderError) in try progress(share / 3) }
        let click = try first.flatMap { guess throws(RenderError) in
            try decibels(of: .click, from: guess) { share throws(RenderError) in try progress((1 + share) / 3) }
        }
        var speech: Double?
        if performance.cues.speech != nil, performance.speaker != nil {
            speech = try decibels(of: .speech, from: 9) { share throws(RenderError) in try progress((2 + share) / 3) }
        }
        func factor(_ decibels: Double?) -> Double { decibels.map { pow(10, $0 / 20) } ?? 1 }
        return Mastering(clickGain: factor(click ?? speech), speechGain: factor(speech ?? click))
    }

    /// The gain in dB with which a part is at -14 LUFS; nil if it is silent. It is measured after the limiter, which makes it
    /// softer, at a gain in dB that is near the one to be found.
    private func decibels(
        of part: SoundParts, from guess: Double, progress: (Double) throws(RenderError) -> Void
    ) throws(RenderError) -> Double? {
        let usual = Performance.standardClickLevel
        var cues = self
        cues.parts = part
        cues.format.samples = .float32
        cues.performance = performance.atMeasuredLevels
        let level = part == .speech ? cues.performance.cues.speech?.level : cues.performance.clickLevel
        let wanted = BackingProgram.loudness + (level ?? usual).decibels - usual.decibels
        if part == .click { cues.performance.speaker = nil }
        for sound in ClickSound.allCases { cues.clicks[sound, default: ClickShape()].gain = sound.isInner ? 0 : 1 }
        let factor = pow(10, guess / 20)
        cues.mastering = Mastering(clickGain: factor, speechGain: factor)
        guard var meter = LoudnessMeter(rate: format.rate, channels: format.channels) else { return nil }
        let end = frames ?? Int64(Mastering.measured * Double(format.rate))
        do {
            try cues.render { bytes, frame throws(RenderError) in
                bytes.withMemoryRebound(to: Float.self) { meter.add($0) }
                try progress(min(Double(frame) / Double(end), 1))
                if frame >= end { throw RenderError.readerGone }
            }
        } catch .readerGone {}
        return meter.integrated.map { min(guess + wanted - $0, Mastering.mostGain) }
    }

    /// Renders with a mastering, block by block.
    func renderMastered(
        _ mastering: Mastering, _ take: (UnsafeRawBufferPointer, Int64) throws(RenderError) -> Void
    ) throws(RenderError) -> [MissedWord] {
        var sounds = self
        sounds.mastering = nil
        sounds.format.samples = .float32
        // The louder part keeps its level, and all are made louder once they are mixed.
        let most = max(mastering.clickGain, mastering.speechGain)
        sounds.performance.scale(clicks: mastering.clickGain / most, speech: mastering.speechGain / most)
        var master = try MasterLimiter(format)
        var bed: Backing?
        if let music = mastering.music, parts.contains(.music) { bed = try Backing(music, format: format) }
        var ducking = Ducking(rate: format.rate, clicks: clicks)
        var cues = Scheduler(performance, rate: format.rate)
        let end = frames
        let gain = Float(most)
        var mix: [Float] = []
        var (first, finished) = (Int64(0), Int64(0))
        let missed = try sounds.rendered { bytes, next throws(RenderError) in
            let samples = bytes.assumingMemoryBound(to: Float.self)
            mix.removeAll(keepingCapacity: true)
            // Copied as a whole, and then multiplied: a lazy product is appended number by number.
            mix.append(contentsOf: samples)
            if !samples.isSilence { for n in mix.indices { mix[n] *= gain } }
            if bed != nil {
                _ = cues.schedule(before: next + ducking.lookahead, into: &ducking)
                cues.settle(before: next)
                ducking.forget(before: first)
                var gains = ducking.gains(from: first, count: Int(next - first))
                if let end { Renderer.fadeOut(&gains, from: first, end: end, rate: format.rate) }
                try bed?.add(to: &mix, gains: gains)
            }
            first = next
            try master.take(mix) { done throws(RenderError) in
                finished += Int64(done.count / format.bytesPerFrame)
                try take(done, finished)
            }
        }
        try master.finish { done throws(RenderError) in
            finished += Int64(done.count / format.bytesPerFrame)
            try take(done, finished)
        }
        return missed
    }

    /// Lowers gains along a raised cosine that reaches 0 at frame `end`.
    private static func fadeOut(_ gains: inout [Float], from first: Int64, end: Int64, rate: Int) {
        let length = min(Int64(Mastering.fade * Double(rate)), end / 2)
        guard first + Int64(gains.count) > end - length else { return }
        for n in gains.indices {
            let left = end - first - Int64(n)
            if left < length { gains[n] *= Float(0.5 - 0.5 * cos(.pi * Double(left) / Double(length))) }
        }
    }
}

extension Performance {
    /// The performance with levels of clicks and speech that can be measured: at most the usual one, and at least where the
    /// limiter has nothing to do.
    fileprivate var atMeasuredLevels: Performance {
        func measured(_ level: Level) -> Level {
            let usual = Performance.standardClickLevel.decibels
            return level.isSilent ? level : Level(decibels: min(max(level.decibels, usual - 24), usual))
        }
        var performance = self
        performance.clickLevel = measured(clickLevel)
        if let level = cues.speech?.level { performance.cues.speech?.level = measured(level) }
        return performance
    }

    /// Multiplies the levels of clicks, drone and speech by factors of at most 1.
    fileprivate mutating func scale(clicks: Double, speech: Double) {
        func scaled(_ level: Level, _ factor: Double) -> Level {
            factor == 1 ? level : Level(decibels: level.decibels + 20 * log10(factor))
        }
        clickLevel = scaled(clickLevel, clicks)
        if let drone { self.drone?.level = scaled(drone.level, clicks) }
        if let level = cues.speech?.level { cues.speech?.level = scaled(level, speech) }
    }
}

extension ClickSound {
    /// Whether it sounds inside of bars, for beats and steps, as often as these come.
    var isInner: Bool { [.beat, .accent, .subdivision].contains(self) }
}
