import Score
import Synchronization
import Testing

@testable import Playback
@testable import Timing

@Suite("Boundary log")
struct BoundaryLogTests {
    /// The flags of rows for boundaries at these frames, after something has happened to the log.
    private func flags(_ frames: [Int64], _ happen: (inout BoundaryLog) -> Void) -> [TimingRow.Flags] {
        let rows = Mutex<[TimingRow]>([])
        var log = BoundaryLog { row in rows.withLock { $0.append(row) } }
        let timeline = Timeline(Score.ofMilliseconds([frames.map { _ in 1000 }]))
        let clicks = frames.enumerated().map { n, frame in
            HandedClick(click: n, bar: n, time: .seconds(n), position: FramePosition(frame: frame))
        }
        log.take(clicks, timeline)
        happen(&log)
        log.write(
            heardBefore: OutputReading(time: 0, heardFrame: .max, nextFrame: .max),
            CardClock(rate: 48_000, known: nil, noise: 10e-6))
        return rows.withLock { $0.map(\.flags) }
    }

    @Test("what nobody heard is lost")
    func silence() {
        #expect(flags([100, 200, 300]) { $0.silence(150..<250) } == [[], .lost, []])
    }

    @Test("a click that sounded when it was taken back is told by the next row")
    func stray() {
        #expect(flags([100, 200, 300]) { $0.stray(150) } == [[], .stray, []])
    }

    @Test("a click that sounded when it was handed out anew is neither lost nor a stray")
    func sameAgain() {
        #expect(
            flags([100, 200, 300]) { log in
                log.stray(200)
                log.silence(200..<201)
            } == [[], [], []])
    }
}
