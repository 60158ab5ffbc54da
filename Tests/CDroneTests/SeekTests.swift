import CDrone
import Testing

@Suite("Seek and skip")
struct SeekTests {
    @Test("rendering again from an earlier frame gives the same samples", arguments: [UInt64(1), 2, 3], [1, 2])
    func seekBack(seed: UInt64, channels: Int) {
        let frames = 60_000
        var random = Seeded(state: seed)
        let events = randomEvents(seed, frames: Int64(frames), count: 200).map { event in
            var event = event
            if event.kind == DRONE_EVENT_TONE { event.tone.pan = .random(in: -1...1, using: &random) }
            return event
        }
        let reference = EngineUnderTest(channels: UInt32(channels), format: DRONE_S16)
        let engine = EngineUnderTest(channels: UInt32(channels), format: DRONE_S16, rewind: 9600)
        for event in events {
            reference.push(event)
            engine.push(event)
        }
        let wanted = reference.render16(frames)
        var got = [Int16](repeating: 0, count: frames * channels)
        var at = 0
        var (seeks, furthest) = (0, 0)
        while at < frames {
            let size = min(Int.random(in: 1...3000, using: &random), frames - at)
            got.replaceSubrange(at * channels..<(at + size) * channels, with: engine.render16(size))
            at += size
            if Int.random(in: 0..<2, using: &random) == 0 {
                // The rewind depth counts from the furthest frame that was rendered.
                furthest = max(furthest, at)
                let back = max(at - max(furthest - .random(in: 0...9600, using: &random), 0), 0)
                #expect(drone_seek(engine.handle, Int64(at - back)) == DRONE_OK)
                at -= back
                seeks += 1
                // Enough seeks back.
                if seeks > 30 { break }
            }
        }
        got.replaceSubrange(at * channels..<frames * channels, with: engine.render16(frames - at))
        let isSame = got == wanted
        #expect(isSame)
        #expect(engine.counters.clicks == reference.counters.clicks)
    }

    @Test("in stereo, every frame within the rewind depth can be rendered again")
    func seekAnywhere() {
        let engine = EngineUnderTest(channels: 2, format: DRONE_S16, rewind: 9600)
        for (n, event) in randomEvents(4, frames: 20_000, count: 80).enumerated() {
            var event = event
            if event.kind == DRONE_EVENT_TONE { event.tone.pan = n % 2 == 0 ? -1 : 1 }
            engine.push(event)
        }
        let wanted = engine.render16(20_000)
        for back in stride(from: 1, through: 9600, by: 13) {
            let isBack = drone_seek(engine.handle, Int64(20_000 - back)) == DRONE_OK
            #expect(isBack)
            let isSame = engine.render16(back) == Array(wanted[(2 * (20_000 - back))...])
            #expect(isSame, "\(back) frames back")
        }
    }

    @Test("seeking ahead is the same as rendering and discarding")
    func seekAhead() {
        let (played, jumped) = (EngineUnderTest(format: DRONE_S16), EngineUnderTest(format: DRONE_S16))
        for event in randomEvents(9, frames: 30_000, count: 100) {
            played.push(event)
            jumped.push(event)
        }
        _ = played.render16(12_345)
        jumped.take()
        #expect(drone_seek(jumped.handle, 12_345) == DRONE_OK)
        #expect(played.render16(17_000) == jumped.render16(17_000))
    }

    @Test("a seek back beyond the rewind depth is refused, and changes nothing")
    func tooDeep() {
        let engine = EngineUnderTest(format: DRONE_S16, rewind: 4800)
        engine.push(tone(0))
        _ = engine.render16(48_000)
        #expect(Int(drone_seek(engine.handle, 48_000 - 4800)) == DRONE_OK)
        #expect(Int(drone_seek(engine.handle, 0)) == DRONE_ERR_DEPTH)
        #expect(drone_read_counters(engine.handle).frame == 48_000 - 4800)
    }

    @Test("no seek goes back beyond a skip, whose fade would be missing")
    func fadeAfterSkip() {
        // A skip ahead, and one to an earlier frame, as after an underrun of a card that had been filled further.
        for target: Int64 in [20_000, 9000] {
            let engine = EngineUnderTest(format: DRONE_F32, rewind: 9600)
            engine.push(tone(0, level: 0.5, ramp: 0))
            engine.push(tone(2000, level: 0.25, ramp: 100))
            _ = engine.renderFloats(10_000)
            if target < 10_000 { #expect(drone_seek(engine.handle, target) == DRONE_OK) }
            drone_skip(engine.handle, target, 4800)
            let faded = engine.renderFloats(2400)
            #expect(faded[..<240].allSatisfy { abs($0) < 0.01 })
            #expect(drone_seek(engine.handle, target + 1000) == DRONE_OK)
            #expect(engine.renderFloats(1400) == Array(faded[1000...]))
            #expect(Int(drone_seek(engine.handle, target - 1)) == DRONE_ERR_DEPTH)
        }
    }

    @Test("if more clicks begin than can sound at once, the oldest end, and those that hardly began are counted")
    func dropped() {
        let engine = EngineUnderTest()
        for i in 0..<200 { engine.push(click(10, Double(i) / 200, level: 0.001)) }
        _ = engine.renderFloats(100)
        #expect(engine.counters.clicks == 200)
        #expect(engine.counters.dropped == 72)
        // Clicks a millisecond apart are all heard, although none rings to its end.
        let dense = EngineUnderTest()
        for i in 0..<400 { dense.push(click(10 + Int64(i) * 48, level: 0.001)) }
        _ = dense.renderFloats(30_000)
        #expect(dense.counters.clicks == 400)
        #expect(dense.counters.dropped == 0)
    }

    @Test(
        "a skip to the next frame, or to an earlier one, leaves nothing out, and sounds continue",
        arguments: [100, 40])
    func skipNowhere(frame: Int64) {
        let (engine, plain) = (EngineUnderTest(), EngineUnderTest())
        for engine in [engine, plain] {
            engine.push(click(0, 0.3))
            engine.push(click(90, 0.3, DRONE_SOUND_LINE))
            _ = engine.renderFloats(100)
        }
        drone_skip(engine.handle, frame, 480)
        #expect(engine.renderFloats(3000) == plain.renderFloats(3000))
        #expect(engine.counters.skipped == 0)
    }

    @Test("a skip leaves out clicks before its frame, and none on it")
    func skipOnto() {
        let (engine, plain) = (EngineUnderTest(), EngineUnderTest())
        for frame: Int64 in [3000, 4999, 5000] { engine.push(click(frame)) }
        engine.take()
        drone_skip(engine.handle, 5000, 480)
        plain.push(click(5000))
        _ = plain.renderFloats(5000)
        #expect(engine.renderFloats(5000) == plain.renderFloats(5000))
        #expect(engine.counters.skipped == 2 && engine.counters.clicks == 1)
    }
}
