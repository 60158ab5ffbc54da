internal import Playback
import Timing

#if canImport(Glibc)
    import Glibc
#endif

extension VirtualCard {
    /// Everything that a virtual card is at one moment. Times are seconds since the beginning, of CLOCK_MONOTONIC too.
    package struct State: Sendable {
        enum Item: Sendable {
            case event(Event)
            case cut(Int64)
        }

        let crystal: Crystal
        var faults: [Fault]
        var now = 1000.0
        var queue: [Item] = []
        var horizon = Int64.min
        var hasCut = false
        var end = Int64.max
        var observations: [EpochObservation] = []
        var gaps: [Range<Int64>] = []
        var learntRate = 48_000.0
        var heard: [(position: FramePosition, time: Double)] = []
        var tones: [Event] = []
        var wakes = 0

        /// The card plays frame `first` at `began`; nil while it is away.
        private var run: (first: Double, began: Double)?
        private var next: Int64 = -4800
        private var pending: [Event] = []
        private var rendered: [FramePosition] = []
        private var nextWake = 1000.0
        private var acquired = 1000.0
        private var epoch: UInt32 = 0
        private var seen = (time: 1000.0, heard: Int64(-4800), reach: Int64(-4800), next: Int64(-4800))
        private var silentFrom: Int64 = 0
        private var back: Double?
        private var hasNews = false
        private var counts = (xruns: UInt64(0), losses: UInt64(0), suspends: UInt64(0))
        private var random: UInt64
        private var isAway = false
        private var looks = 0
        private var missed = 0
        private var isOver = false

        /// What a card cannot be robbed of, and how soon it plays once it is told to.
        private static let margin: Int64 = 576
        private static let startDelay = 0.0004

        init(_ crystal: Crystal, _ faults: [Fault]) {
            self.crystal = crystal
            self.faults = faults.sorted { $0.time < $1.time }
            random = crystal.seed
        }

        mutating func start() {
            run = (Double(next), now + Self.startDelay)
            wake()
        }

        mutating func set(horizon frame: Int64) {
            horizon = frame
            if hasCut, run != nil {
                hasCut = false
                wake()
            }
        }

        /// The frame at the converter, as a real number.
        private func played(at time: Double) -> Double {
            guard let run else { return 0 }
            return time <= run.began
                ? run.first : run.first + crystal.frames(in: time) - crystal.frames(in: run.began)
        }

        /// When a place is at the converter: by bisection, exact to a picosecond.
        private func time(of position: FramePosition) -> Double {
            let frame = Double(position.frame) + position.fraction
            var (low, high) = (now - 3, now + 3)
            for _ in 0..<60 {
                let middle = (low + high) / 2
                if played(at: middle) < frame { low = middle } else { high = middle }
            }
            return high
        }

        mutating func pass(_ seconds: Double) {
            let until = now + seconds
            hasNews = false
            while now < until, !hasNews, !isOver {
                let fault = faults.first.map(\.time) ?? .infinity
                let moment = min(until, nextWake, fault, back ?? .infinity)
                hear(until: moment)
                now = max(moment, now)
                if now >= fault { happen(faults.removeFirst()) }
                if let back, now >= back { comeBack() }
                if now >= nextWake { wake() }
            }
        }

        /// What the converter plays by then.
        private mutating func hear(until moment: Double) {
            guard run != nil else { return }
            while let position = rendered.first {
                let time = time(of: position)
                guard time < moment else { break }
                heard.append((position, time))
                rendered.removeFirst()
            }
        }

        private mutating func happen(_ fault: Fault) {
            switch fault {
            case .underrun:
                counts.xruns += 1
                beginGap(at: now)
                run = nil
                back = now + 0.001
                nextWake = .infinity
            case .away(_, let to, let asleep):
                if asleep { counts.suspends += 1 }
                counts.losses += 1
                beginGap(at: now)
                gaps.append(silentFrom..<Int64.max)
                run = nil
                isAway = true
                // Tried again after 50 ms, then doubling to a second.
                var (retry, wait) = (now + 0.05, 0.05)
                while retry < to {
                    wait = min(2 * wait, 1)
                    retry += wait
                    wakes += 1
                }
                back = retry
                nextWake = .infinity
                hasNews = true
            case .stall(_, let seconds):
                guard let run else { return }
                // Until then the same frame, thereafter as before: the relation has moved.
                let frame = played(at: now)
                self.run = (frame, max(now, run.began) + seconds)
            case .jump(_, let frames):
                self.run = (played(at: now) + Double(frames), now)
                let reached = played(at: now)
                rendered.removeAll { Double($0.frame) < reached }
            }
        }

        private mutating func beginGap(at time: Double) {
            silentFrom = min(dueFrame, next)
            rendered.removeAll { $0.frame >= silentFrom }
        }

        private var dueFrame: Int64 { seen.heard + Int64((now - seen.time) * learntRate) }

        private mutating func comeBack() {
            back = nil
            isAway = false
            epoch += 1
            let due = dueFrame
            if due > silentFrom { gaps.append(silentFrom..<due) }
            next = due
            run = (Double(due), now + Self.startDelay)
            acquired = now
            accept(isRendering: true)
            pending.removeAll { $0.position.frame < next }
            hasNews = true
            wake()
        }

        // MARK: - The audio thread

        private var isAcquiring: Bool { now - acquired < 10 }

        /// Takes events in; a cut of what has been rendered stops it, unless that is rendered anew anyway.
        @discardableResult
        private mutating func accept(isRendering: Bool) -> Int64? {
            while let item = queue.first {
                switch item {
                case .cut(let frame):
                    if frame < next, !isRendering { return frame }
                    pending.removeAll { $0.position.frame >= frame }
                case .event(var event):
                    if event.position.frame < next {
                        if case .click = event.kind {
                            gaps.append(event.position.frame..<event.position.frame + 1)
                            queue.removeFirst()
                            continue
                        }
                        event.position = FramePosition(frame: next)
                    }
                    pending.append(event)
                }
                queue.removeFirst()
            }
            return nil
        }

        private mutating func wake() {
            guard run != nil else { return }
            wakes += 1
            let playing = Int64(played(at: now))
            if let cut = accept(isRendering: false), crystal.rewinds, horizon > cut {
                let target = max(cut, playing + Self.margin)
                if target < next {
                    next = target
                    rendered.removeAll { $0.frame >= next }
                }
            }
            let isOpen = accept(isRendering: false).map { horizon <= $0 } ?? false
            var until = crystal.rewinds ? playing + (isAcquiring ? 7200 : 48_000) : (playing / 480 + 2) * 480
            if crystal.rewinds { until = min(until, max(horizon, playing + (isOpen ? 960 : 7200))) }
            if until > next {
                accept(isRendering: true)
                next = until
                while let event = pending.first, event.position.frame < next {
                    if case .click = event.kind { rendered.append(event.position) } else { tones.append(event) }
                    pending.removeFirst()
                }
            }
            look()
            let base = min(isAcquiring ? 0.05 : 0.4, max(Double(next - playing) / 96_000, 0.002))
            // A small period wakes as its end is seen, a timer as it likes.
            let period = FramePosition(frame: (playing / 480 + 1) * 480)
            nextWake =
                crystal.rewinds
                ? now + base * (0.9 + 0.2 * uniform()) : time(of: period) + max(crystal.jitter, 1e-6) * uniform()
            if playing >= end { isOver = true }
        }

        private mutating func look() {
            let seenAt = crystal.rewinds ? now - crystal.jitter * uniform() : now
            var frame = Int64((played(at: seenAt) / Double(crystal.step)).rounded(.down)) * crystal.step
            var time = now
            if crystal.rewinds {
                // The thread waits for the pointer's next step, though not for ever.
                let step = max(now, self.time(of: FramePosition(frame: frame + crystal.step)))
                missed = step - now > 0.0013 ? missed + 1 : 0
                if missed == 0 {
                    frame += crystal.step
                    time = step + crystal.jitter * uniform()
                }
                looks += 1
                if (1..<3).contains(missed) || crystal.step > 5 && !isAcquiring && looks % 3 != 0 {
                    seen = (now, frame, min(Int64(played(at: now)) + Self.margin, next), next)
                    return
                }
            }
            let stray = Double(frame - seen.heard) - (now - seen.time) * learntRate
            if !isAcquiring, abs(stray) > 240 + Double(crystal.step) {
                acquired = now
                hasNews = true
            }
            let reach = crystal.rewinds ? min(Int64(played(at: now)) + Self.margin, next) : next
            seen = (time, frame, reach, next)
            observations.append(
                EpochObservation(clock: ClockObservation(time: Int64(time * 1e9), frame: frame), epoch: epoch))
        }

        private mutating func uniform() -> Double {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(random >> 11) / 0x1p53
        }

        // MARK: - As the conductor sees it

        func reading() -> OutputReading {
            let passed = Int64((now - seen.time) * learntRate)
            var reading = OutputReading(
                time: Int64(seen.time * 1e9), heardFrame: seen.heard, nextFrame: max(seen.next, next))
            reading.epoch = epoch
            reading.xruns = counts.xruns
            reading.losses = counts.losses
            reading.suspends = counts.suspends
            reading.hasEnded = isOver || (isAway && seen.heard + passed >= end)
            if isAway {
                reading.failure = "No such device"
                reading.time = Int64(now * 1e9)
                reading.heardFrame += passed
                reading.nextFrame = reading.heardFrame
            } else if crystal.rewinds {
                reading.nextFrame = min(reading.nextFrame, seen.reach + passed)
            }
            return reading
        }
    }
}
