import CDrone
import Testing

@Suite("Transactions")
struct TransactionTests {
    /// Whether any of the samples is not silent.
    private func sounds(_ samples: some Collection<Float>) -> Bool { samples.contains { $0 != 0 } }

    @Test("a transaction replaces all events from its frame on, and nothing else")
    func replaces() {
        let engine = EngineUnderTest()
        for frame: Int64 in [100, 20_000, 30_000] { engine.push(click(frame)) }
        #expect(engine.take())
        engine.cut(25_000)
        engine.push(click(35_000))
        #expect(engine.take())
        let samples = engine.renderFloats(50_000)
        #expect(sounds(samples[100..<5000]))
        #expect(sounds(samples[20_000..<24_000]))
        #expect(!sounds(samples[25_000..<35_000]))
        #expect(sounds(samples[35_000...]))
        #expect(engine.counters.clicks == 3)
    }

    @Test("a transaction that begins before the first frame that can be changed is refused, and changes nothing")
    func refused() {
        let (engine, untouched) = (EngineUnderTest(), EngineUnderTest())
        for e in [engine, untouched] {
            e.push(click(1000))
            e.push(click(9000))
            _ = e.render(5000)
        }
        engine.cut(4999)
        engine.push(click(6000))
        #expect(!engine.take(horizon: 7000))
        #expect(!drone_read_verdict(engine.handle).taken)
        #expect(drone_horizon(engine.handle) == .max)
        #expect(engine.render(20_000) == untouched.render(20_000))
        engine.cut(25_000)
        engine.push(click(26_000))
        #expect(engine.take(horizon: 27_000))
        #expect(drone_read_verdict(engine.handle).taken)
        #expect(drone_horizon(engine.handle) == 27_000)
    }

    @Test("rendering decides about no transaction: committed ones wait for a decision")
    func renderTakesNothing() {
        let engine = EngineUnderTest()
        engine.push(click(5000))
        #expect(engine.take())
        engine.cut(2000)
        engine.push(click(3000))
        let number = drone_commit(engine.handle, 10_000, .max)
        // As an audio thread does if it is writing when a command comes.
        _ = engine.renderAsIs(1000)
        #expect(drone_read_verdict(engine.handle).number < number)
        var frame: Int64 = 0
        #expect(drone_next_transaction(engine.handle, &frame) && frame == 2000)
        #expect(drone_decide(engine.handle))
        #expect(drone_read_verdict(engine.handle).number == number)
        _ = engine.renderAsIs(9000)
        #expect(engine.counters.clicks == 1)
    }

    @Test("after a seek back, a transaction takes effect exactly at its frame, and leaves no trace of replaced events")
    func afterRewind() {
        let (engine, clean) = (EngineUnderTest(format: DRONE_S16, rewind: 9600), EngineUnderTest(format: DRONE_S16))
        for e in [engine, clean] {
            e.push(tone(0))
            e.push(click(1000))
        }
        engine.push(click(9000))
        engine.push(click(9500, 0.5))
        _ = engine.render16(10_000)
        _ = clean.render16(8000)
        engine.cut(8000)
        engine.push(click(12_000, 0.25))
        drone_commit(engine.handle, .max, .max)
        #expect(drone_seek(engine.handle, 8000) == DRONE_OK)
        #expect(drone_decide(engine.handle))
        clean.push(click(12_000, 0.25))
        #expect(engine.render16(10_000) == clean.render16(10_000))
        #expect(engine.counters.clicks == 2)
    }

    @Test("after a seek back and a refused transaction, the same samples are rendered again")
    func rewoundForNothing() {
        let (engine, untouched) = (EngineUnderTest(format: DRONE_S16, rewind: 9600), EngineUnderTest(format: DRONE_S16))
        for e in [engine, untouched] {
            for event in randomEvents(5, frames: 40_000, count: 150) { e.push(event) }
        }
        _ = engine.render16(20_000)
        _ = untouched.render16(15_000)
        engine.cut(14_000)
        drone_commit(engine.handle, .max, .max)
        // The card gave back less than was asked for.
        #expect(drone_seek(engine.handle, 15_000) == DRONE_OK)
        #expect(!drone_decide(engine.handle))
        #expect(engine.renderAsIs(20_000) == untouched.renderAsIs(20_000))
    }

    @Test(
        "an event within the frames that the limiter has mixed ahead is still heard",
        arguments: [Int64(0), 1, 20, 47, 48])
    func withinTheLookAhead(distance: Int64) {
        let (engine, clean) = (EngineUnderTest(format: DRONE_S16, rewind: 4800), EngineUnderTest(format: DRONE_S16))
        for e in [engine, clean] { e.push(tone(0, level: 0.9, ramp: 0)) }
        _ = engine.render16(10_000)
        engine.cut(10_000 + distance)
        engine.push(click(10_000 + distance, 0.5, level: 0.9))
        clean.push(click(10_000 + distance, 0.5, level: 0.9))
        #expect(engine.take())
        _ = clean.render16(10_000)
        let (got, wanted) = (engine.render16(5000), clean.render16(5000))
        // The frames before the event, a millisecond at most, were limited without it.
        #expect(got[48...] == wanted[48...])
        #expect(engine.counters.clicks == 1)
    }

    @Test("events on one frame are all heard, in whichever transactions they come")
    func sameFrame() {
        let (split, whole) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        let events = [tone(1000), click(1000), click(1000, 0, DRONE_SOUND_LINE), click(1000, 0.5)]
        for event in events {
            split.push(event)
            #expect(split.take())
            whole.push(event)
        }
        let isSame = split.render16(10_000) == whole.render16(10_000)
        #expect(isSame)
        #expect(split.counters.clicks == 3)
    }

    @Test("a list of events sounds the same however it is split into transactions that continue", arguments: 1...12)
    func split(seed: UInt64) {
        var random = Seeded(state: seed)
        let (split, whole) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        // Many events share their frame with others.
        var events = randomEvents(seed, frames: 20_000, count: 200)
        for index in events.indices { events[index].frame = events[index].frame / 500 * 500 }
        events = inOrder(events)
        for event in events {
            #expect(split.push(event) == DRONE_OK)
            whole.push(event)
            if Int.random(in: 0..<3, using: &random) == 0 { #expect(split.take()) }
        }
        let isSame = split.render16(30_000) == whole.render16(30_000)
        #expect(isSame)
        #expect(split.counters.clicks == whole.counters.clicks)
    }

    @Test("a transaction that continues can begin before events that are known, and joins them", arguments: 1...12)
    func joins(seed: UInt64) {
        var random = Seeded(state: seed)
        let (joined, whole) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        // Clicks alone, each at a place of its own: the order of events at one place is that of their transactions.
        var clicks = randomEvents(seed, frames: 20_000, count: 100).filter { $0.kind == DRONE_EVENT_CLICK }
        for index in clicks.indices { clicks[index].level *= 0.01 }
        var hands: [[drone_event]] = [[], [], []]
        for click in clicks {
            hands[.random(in: 0..<3, using: &random)].append(click)
            whole.push(click)
        }
        for hand in hands {
            for click in hand { #expect(joined.push(click) == DRONE_OK) }
            #expect(joined.take())
        }
        let isSame = joined.render16(30_000) == whole.render16(30_000)
        #expect(isSame)
    }

    @Test(
        "a transaction continues at a frame that has been mixed ahead, and what is there stays", arguments: [0, 1, 47])
    func continuesWithinTheLookAhead(distance: Int64) {
        let (engine, whole) = (EngineUnderTest(format: DRONE_S16, rewind: 4800), EngineUnderTest(format: DRONE_S16))
        let frame = 10_000 + distance
        let (first, second) = (click(frame, level: 0.3), click(frame, 0, DRONE_SOUND_LINE, level: 0.3))
        engine.push(first)
        let begin = engine.render16(10_000)
        engine.push(second)
        #expect(engine.take())
        whole.push(first)
        whole.push(second)
        let isSame = begin + engine.render16(5000) == whole.render16(15_000)
        #expect(isSame)
        #expect(engine.counters.clicks == 2)
    }

    @Test("a transaction that continues and begins too early is refused, and what is known stays")
    func continuesTooLate() {
        let (engine, untouched) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        for e in [engine, untouched] {
            e.push(click(1000))
            e.push(click(9000))
            _ = e.render(5000)
        }
        engine.push(click(4999))
        engine.push(click(9500))
        #expect(!engine.take())
        #expect(engine.render(20_000) == untouched.render(20_000))
    }

    @Test("beginning a transaction abandons one that is open")
    func abandoned() {
        let engine = EngineUnderTest()
        engine.cut(100)
        engine.push(click(200))
        engine.cut(1000)
        engine.push(click(2000))
        #expect(engine.take())
        #expect(!sounds(engine.renderFloats(1900)))
        #expect(sounds(engine.renderFloats(1000)))
    }

    @Test("verdicts have the numbers of their transactions, and a transaction without events only moves the horizon")
    func numbers() {
        let engine = EngineUnderTest()
        #expect(drone_read_verdict(engine.handle).number == 0)
        for n: UInt32 in 1...5 {
            #expect(drone_commit(engine.handle, Int64(n) * 100, .max) == n)
            #expect(drone_decide(engine.handle))
            let verdict = drone_read_verdict(engine.handle)
            #expect(verdict.number == n && verdict.taken)
            #expect(drone_horizon(engine.handle) == Int64(n) * 100)
        }
    }

    @Test("random transactions, seeks and renders sound like an edited list of events")
    func modeled() {
        for seed: UInt64 in 1...12 {
            var random = Seeded(state: seed)
            let engine = EngineUnderTest(format: DRONE_S16, rewind: 9600)
            /// The events that count, and the position in the rendered samples.
            var standing: [drone_event] = []
            var (next, furthest): (Int64, Int64) = (0, 0)
            var got: [Int16] = []
            for _ in 0..<60 {
                let from = next + .random(in: -2000...3000, using: &random)
                let seed = UInt64.random(in: 0...999, using: &random)
                // Soft, so that the limiter is idle: frames before an event may be rendered before it is known.
                let events = randomEvents(seed, frames: 6000, count: 8).map { event in
                    var event = event
                    event.frame += from
                    event.level *= 0.02
                    return event
                }
                engine.cut(from)
                for event in events { #expect(engine.push(event) == DRONE_OK) }
                let isTaken = engine.take()
                #expect(isTaken == (from >= next))
                if isTaken {
                    standing.removeAll { $0.frame >= from }
                    standing += events
                }
                let count = Int.random(in: 1...4000, using: &random)
                got += engine.renderAsIs(count).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
                next += Int64(count)
                furthest = max(furthest, next)
                if Bool.random(using: &random) {
                    let target = max(next - .random(in: 0...3000, using: &random), furthest - 9600, 0)
                    #expect(drone_seek(engine.handle, target) == DRONE_OK)
                    got.removeLast(Int(next - target))
                    next = target
                }
            }
            // Until the frames that both have mixed ahead are over.
            got += engine.renderAsIs(100).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            next += 100
            let reference = EngineUnderTest(format: DRONE_S16)
            for event in standing { reference.push(event) }
            let isSame = got == reference.render16(Int(next))
            #expect(isSame, "seed \(seed)")
            #expect(engine.counters.clicks == reference.counters.clicks, "seed \(seed)")
        }
    }
}
