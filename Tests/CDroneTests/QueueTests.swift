import CDrone
import Testing

@Suite("Queue and arguments")
struct QueueTests {
    @Test("a full queue refuses events, keeps room for transactions that replace, and overwrites nothing")
    func full() {
        let engine = EngineUnderTest()
        let room = Int(drone_space(engine.handle))
        for i in 0..<room { #expect(engine.push(click(Int64(i) * 100, level: 0.01)) == DRONE_OK) }
        #expect(drone_space(engine.handle) == 0)
        #expect(engine.push(click(1_000_000)) == DRONE_ERR_FULL)
        #expect(engine.take())
        engine.cut(Int64(room) * 100)
        #expect(drone_space(engine.handle) > 200)
        #expect(engine.take())
        _ = engine.renderFloats(room * 100)
        #expect(engine.counters.clicks == UInt64(room))
        #expect(Int(drone_space(engine.handle)) == room)
    }

    @Test("of 1024 places, a transaction takes one, and 256 are reserved for transactions that replace")
    func room() {
        let engine = EngineUnderTest()
        #expect(drone_space(engine.handle) == 1024 - 256 - 1)
        engine.push(click(0))
        #expect(drone_space(engine.handle) == 1024 - 256 - 2)
        engine.cut(0)
        #expect(drone_space(engine.handle) == 1024 - 1)
        engine.push(click(0))
        #expect(drone_space(engine.handle) == 1024 - 2)
        #expect(engine.take())
        #expect(drone_space(engine.handle) == 1024 - 256 - 1)
    }

    @Test("events that wait in the log count, so that no more room is promised than exists")
    func fullLog() {
        let engine = EngineUnderTest()
        var pushed = 0
        while drone_space(engine.handle) > 0 {
            for _ in 0..<drone_space(engine.handle) {
                #expect(engine.push(click(1_000_000 + Int64(pushed), level: 0.01)) == DRONE_OK)
                pushed += 1
            }
            #expect(engine.take())
        }
        #expect(pushed > 3000)
        // A command still has room, and the places of all events that it replaces become free.
        engine.cut(1_000_000)
        for i in 0..<100 { #expect(engine.push(click(1_000_000 + Int64(i))) == DRONE_OK) }
        #expect(engine.take())
        #expect(drone_space(engine.handle) > 700)
    }

    @Test("a transaction that begins in time takes effect, however full queue and log are", arguments: 1...20)
    func neverTooFull(seed: UInt64) {
        var random = Seeded(state: seed)
        let engine = EngineUnderTest(rewind: 4800)
        for _ in 0..<200 {
            let next = engine.counters.frame
            // Up to three transactions, of which the last ones have to share what is left.
            for _ in 0..<random.int(1...3) {
                var frame = next + Int64(random.int(0...2000))
                if random.chance(3), Int(drone_begin(engine.handle, frame)) != DRONE_OK { continue }
                for _ in 0..<random.int(0...1200) {
                    frame += Int64(random.int(0...200))
                    if engine.push(click(frame, level: 0.001)) != DRONE_OK { break }
                }
                _ = drone_commit(engine.handle, .max, .max)
            }
            var first: Int64 = 0
            while drone_next_transaction(engine.handle, &first) {
                let isInTime = first >= next
                #expect(drone_decide(engine.handle) == isInTime)
            }
            if random.chance(2) { _ = engine.renderAsIs(random.int(1...3000)) }
            if random.chance(4) { drone_seek(engine.handle, max(engine.counters.frame - 1000, next)) }
        }
    }

    @Test("events of a transaction are ordered by frame and fraction, and none is before its first frame")
    func order() {
        let engine = EngineUnderTest()
        #expect(engine.push(click(100, 0.5)) == DRONE_OK)
        #expect(engine.push(click(100, 0.5)) == DRONE_OK)
        #expect(engine.push(click(100, 0.25)) == DRONE_ERR_ORDER)
        #expect(engine.push(click(99, 0.9)) == DRONE_ERR_ORDER)
        #expect(engine.push(tone(100)) == DRONE_ERR_ORDER)
        #expect(engine.push(tone(101)) == DRONE_OK)
        engine.cut(50)
        #expect(engine.push(click(49, 0.9)) == DRONE_ERR_ORDER)
        #expect(engine.push(click(50)) == DRONE_OK)
    }

    @Test(
        "arguments outside their range are refused",
        arguments: [
            click(0, 1), click(0, -0.1), click(0, .nan), click(0, 0, level: 1.1), click(0, 0, level: -0.1),
            click(0, 0, level: .nan), click(0, 0, drone_sound(rawValue: 99)), tone(0, hertz: 0), tone(0, hertz: 24_001),
            tone(0, hertz: .nan), tone(0, hertz: .infinity), tone(0, level: .nan), tone(0, level: 2),
            tone(0, drone_waveform(rawValue: 8)), tone(0, ramp: .max),
        ])
    func arguments(event: drone_event) {
        #expect(EngineUnderTest().push(event) == DRONE_ERR_ARGUMENT)
    }

    @Test("a tone's settings are accepted up to the limits of their ranges, and refused beyond them")
    func settings() {
        let settings: [(WritableKeyPath<drone_tone_event, Double>, ClosedRange<Double>)] = [
            (\.pan, -1...1), (\.brightness, -1...1), (\.shape.variation, 0...1), (\.beating, 0...20),
        ]
        for (setting, range) in settings {
            let (low, high) = (range.lowerBound, range.upperBound)
            for (value, isTaken) in [
                (low, true), (high, true), (low.nextDown, false), (high.nextUp, false), (.nan, false),
            ] {
                var event = tone(0)
                event.tone[keyPath: setting] = value
                #expect(EngineUnderTest().push(event) == (isTaken ? DRONE_OK : DRONE_ERR_ARGUMENT), "\(value)")
            }
        }
    }

    @Test("notes are numbered 0 to 7, and others are refused")
    func notes() {
        for (note, isTaken) in [(0, true), (DRONE_NOTES - 1, true), (DRONE_NOTES, false)] {
            var event = tone(0)
            event.tone.note = UInt32(note)
            #expect(EngineUnderTest().push(event) == (isTaken ? DRONE_OK : DRONE_ERR_ARGUMENT))
        }
    }

    @Test("an event of unknown kind is refused")
    func unknownKind() {
        var event = click(0)
        event.kind = drone_event_kind(rawValue: 42)
        #expect(EngineUnderTest().push(event) == DRONE_ERR_ARGUMENT)
    }

    @Test("an engine at the limits of its ranges is created")
    func widest() {
        for (rate, channels, format) in [(UInt32(8000), UInt32(1), DRONE_S16), (384_000, 32, DRONE_F32)] {
            var config = drone_config(
                rate: rate, channels: channels, format: format, first_frame: 0, rewind_frames: 10 * rate,
                click_channels: 1 << (channels - 1), drone_channels: 0)
            var error: Int32 = 1
            let engine = drone_engine_create(&config, &error)
            #expect(engine != nil && Int(error) == DRONE_OK)
            drone_engine_destroy(engine)
        }
    }

    @Test(
        "an engine outside its ranges is not created",
        arguments: [
            drone_config(
                rate: 7999, channels: 1, format: DRONE_S16, first_frame: 0, rewind_frames: 0, click_channels: 0,
                drone_channels: 0),
            drone_config(
                rate: 384_001, channels: 1, format: DRONE_S16, first_frame: 0, rewind_frames: 0, click_channels: 0,
                drone_channels: 0),
            drone_config(
                rate: 48_000, channels: 0, format: DRONE_S16, first_frame: 0, rewind_frames: 0, click_channels: 0,
                drone_channels: 0),
            drone_config(
                rate: 48_000, channels: 33, format: DRONE_S16, first_frame: 0, rewind_frames: 0, click_channels: 0,
                drone_channels: 0),
            drone_config(
                rate: 48_000, channels: 1, format: drone_format(rawValue: 9), first_frame: 0, rewind_frames: 0,
                click_channels: 0, drone_channels: 0),
            drone_config(
                rate: 48_000, channels: 1, format: DRONE_S16, first_frame: 0, rewind_frames: 480_001, click_channels: 0,
                drone_channels: 0),
            drone_config(
                rate: 48_000, channels: 2, format: DRONE_S16, first_frame: 0, rewind_frames: 0, click_channels: 4,
                drone_channels: 0),
        ])
    func config(config: drone_config) {
        var error: Int32 = 0
        let engine = withUnsafePointer(to: config) { drone_engine_create($0, &error) }
        #expect(engine == nil)
        #expect(Int(error) == DRONE_ERR_ARGUMENT)
    }
}
