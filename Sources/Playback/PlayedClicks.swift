package import Scores
package import Timing

/// The clicks of a performance as they are heard: when each begins, and how it sounds.
package struct PlayedClicks: Sendable {
    package private(set) var clicks: [(seconds: Double, sound: ClickSound)] = []

    /// Collects the clicks of a performance with an end that are not silent. Those of a count-in, if they are wanted, come before
    /// zero.
    package init(_ performance: Performance, rate: Int, withCountIn: Bool = false) {
        var performance = performance
        if !withCountIn { performance.countIn = .off }
        let zero = performance.zeroFrame(rate: rate)
        performance.cues.speech = nil
        var scheduler = Scheduler(performance, rate: rate)
        var sink = ClickSink()
        guard let end = scheduler.endFrame else { return }
        var frame: Int64 = 0
        while frame < end {
            frame = max(scheduler.schedule(before: min(frame + Int64(rate) * 60, end), into: &sink), frame + 1)
            scheduler.settle(before: frame)
        }
        clicks = sink.clicks.map { ($0.position.seconds(rate: rate) - Double(zero) / Double(rate), $0.sound) }
    }

    /// The samples of a click at `rate`, on one channel.
    package static func samples(of sound: ClickSound, rate: Int) throws(EngineError) -> [Float] {
        var engine = try Engine(SoundFormat(rate: rate, channels: 1, samples: .float32))
        engine.push(Event(FramePosition(frame: 0, fraction: 0), .click(sound, amplitude: 0.5)))
        engine.commit(horizon: .max)
        engine.decide()
        var samples = [Float](repeating: 0, count: rate / 8)
        let count = samples.count
        samples.withUnsafeMutableBytes { bytes in
            if let base = bytes.baseAddress {
                engine.render(count, into: UnsafeMutableRawBufferPointer(start: base, count: bytes.count))
            }
        }
        return samples
    }
}

/// Takes clicks and nothing else.
private struct ClickSink: EventSink {
    var clicks: [(position: FramePosition, sound: ClickSound)] = []

    var hasRoom: Bool { true }

    mutating func push(_ event: Event) -> Bool {
        if case .click(let sound, let amplitude, _) = event.kind, amplitude > 0 {
            clicks.append((event.position, sound))
        }
        return true
    }
}

extension FramePosition {
    fileprivate func seconds(rate: Int) -> Double { (Double(frame) + fraction) / Double(rate) }
}
