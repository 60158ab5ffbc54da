import CDrone
import Testing

@Suite("Seek and cut")
struct SeekTests {
    @Test("beginning again at an earlier frame gives the same samples", arguments: [UInt64(1), 2, 3])
    func seekBack(seed: UInt64) {
        let frames = 60_000
        let events = randomEvents(seed, frames: Int64(frames), count: 200)
        let reference = EngineUnderTest(format: DRONE_S16)
        let engine = EngineUnderTest(format: DRONE_S16, rewind: 9600)
        for event in events {
            reference.push(event)
            engine.push(event)
        }
        let wanted = reference.render16(frames)
        var got = [Int16](repeating: 0, count: frames)
        var random = Seeded(state: seed)
        var at = 0
        var (seeks, furthest) = (0, 0)
        while at < frames {
            let size = min(Int.random(in: 1...3000, using: &random), frames - at)
            got.replaceSubrange(at..<at + size, with: engine.render16(size))
            at += size
            if Int.random(in: 0..<2, using: &random) == 0 {
                // The memory reaches back from the furthest frame that was rendered.
                furthest = max(furthest, at)
                let back = max(at - max(furthest - .random(in: 0...9600, using: &random), 0), 0)
                #expect(drone_seek(engine.handle, Int64(at - back)) == DRONE_OK)
                at -= back
                seeks += 1
                // Twice the length is enough going back.
                if seeks > 30 { break }
            }
        }
        got.replaceSubrange(at..<frames, with: engine.render16(frames - at))
        let isSame = got == wanted
        #expect(isSame)
        #expect(engine.counters.clicks == reference.counters.clicks)
    }

    @Test("seeking ahead is the same as rendering and throwing away")
    func seekAhead() {
        let (played, jumped) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        for event in randomEvents(9, frames: 30_000, count: 100) {
            played.push(event)
            jumped.push(event)
        }
        _ = played.render16(12_345)
        #expect(drone_seek(jumped.handle, 12_345) == DRONE_OK)
        #expect(played.render16(17_000) == jumped.render16(17_000))
    }

    @Test("what is deeper than the memory is refused, and nothing changes")
    func tooDeep() {
        let engine = EngineUnderTest(format: DRONE_S16, rewind: 4800)
        engine.push(tone(0))
        _ = engine.render16(48_000)
        #expect(Int(drone_seek(engine.handle, 48_000 - 4800)) == DRONE_OK)
        #expect(Int(drone_seek(engine.handle, 0)) == DRONE_ERR_DEPTH)
        #expect(drone_read_counters(engine.handle).frame == 48_000 - 4800)
    }

    @Test("a cut takes back what has not been rendered, and nothing else")
    func cut() {
        let engine = EngineUnderTest(format: DRONE_F32)
        engine.push(click(100))
        engine.push(click(20_000))
        engine.push(click(30_000))
        #expect(drone_cut(engine.handle, 25_000) == DRONE_OK)
        let samples = engine.renderFloats(40_000)
        #expect(samples[100..<5000].contains { $0 != 0 })
        #expect(samples[20_000..<24_000].contains { $0 != 0 })
        #expect(samples[25_000...].allSatisfy { $0 == 0 })
        #expect(engine.counters.clicks == 2)
    }

    @Test("behind a cut a new generation begins, at earlier frames than the one before")
    func generation() {
        let engine = EngineUnderTest(format: DRONE_F32)
        engine.push(click(30_000))
        #expect(engine.push(click(10_000)) == DRONE_ERR_ORDER)
        drone_cut(engine.handle, 5000)
        #expect(engine.push(click(10_000)) == DRONE_OK)
        let samples = engine.renderFloats(40_000)
        #expect(samples[10_000..<12_000].contains { $0 != 0 })
        #expect(samples[30_000...].allSatisfy { $0 == 0 })
    }

    @Test("a cut behind a rewind leaves no trace of what was taken back")
    func cutAfterRewind() {
        let (engine, clean) = (EngineUnderTest(format: DRONE_S16, rewind: 9600), EngineUnderTest(format: DRONE_S16))
        for e in [engine, clean] {
            e.push(tone(0))
            e.push(click(1000))
        }
        engine.push(click(9000))
        engine.push(click(9500, 0.5))
        _ = engine.render16(10_000)
        #expect(drone_seek(engine.handle, 8000) == DRONE_OK)
        drone_cut(engine.handle, 8000)
        for e in [engine, clean] { e.push(click(12_000, 0.25)) }
        _ = clean.render16(8000)
        #expect(engine.render16(10_000) == clean.render16(10_000))
        #expect(engine.counters.clicks == 2)
    }

    @Test("a late click is left out and counted; a late tone takes effect at once")
    func late() {
        let engine = EngineUnderTest(format: DRONE_F32)
        _ = engine.renderFloats(1000)
        engine.push(click(999, 0.9))
        engine.push(click(1000, 0.1))
        #expect(engine.renderFloats(10_000).contains { $0 != 0 })
        #expect(engine.counters.late == 1)
        #expect(engine.counters.clicks == 1)
        drone_cut(engine.handle, 0)
        engine.push(tone(5, level: 0.5, ramp: 0))
        #expect(engine.renderFloats(100).contains { abs($0) > 0.1 })
    }

    @Test("a click that had sounded when it was taken back is told, and one that had not is not")
    func strays() {
        let engine = EngineUnderTest(format: DRONE_F32)
        engine.push(tone(10))
        for frame: Int64 in [100, 900, 990, 1020, 5000] { engine.push(click(frame)) }
        _ = engine.renderFloats(1000)
        var frame: Int64 = 0
        #expect(!drone_next_stray(engine.handle, &frame))
        drone_cut(engine.handle, 900)
        engine.push(click(6000))
        _ = engine.renderFloats(9000)
        var told: [Int64] = []
        while drone_next_stray(engine.handle, &frame) { told.append(frame) }
        // That at 1020 was mixed already, for the limiter looks ahead, but not rendered.
        #expect(told == [900, 990])
        #expect(engine.counters.clicks == 4)
        #expect(!drone_next_late(engine.handle, &frame))
    }

    @Test("more clicks at once than can sound are counted, not lost in silence")
    func dropped() {
        let engine = EngineUnderTest()
        for i in 0..<200 { engine.push(click(10, Double(i) / 200, level: 0.001)) }
        _ = engine.renderFloats(100)
        #expect(engine.counters.clicks == 128)
        #expect(engine.counters.dropped == 72)
    }
}
