import Scores
import Testing
import Timing

@Suite("Anchor")
struct AnchorTests {
    @Test("at 100 %, time equals position")
    func identity() {
        let anchor = Anchor(speed: .asWritten)
        var random = Seeded(state: 6)
        for _ in 0..<1000 {
            let position = Duration(attoseconds: Int128(random.int(-1_000_000_000...1_000_000_000)) * 7_777_777_777_777)
            #expect(anchor.time(of: position) == position)
            #expect(anchor.position(at: position) == position)
        }
    }

    @Test("50 % doubles and 200 % halves the time from the anchor")
    func factors() throws {
        let half = Anchor(time: .seconds(10), position: .seconds(3), speed: try speed(500_000))
        #expect(half.time(of: .seconds(3)) == .seconds(10))
        #expect(half.time(of: .milliseconds(5700)) == .milliseconds(15_400))
        #expect(half.position(at: .milliseconds(15_400)) == .milliseconds(5700))
        #expect(half.time(of: .seconds(1)) == .seconds(6))
        let double = Anchor(time: .seconds(10), position: .seconds(3), speed: try speed(2_000_000))
        #expect(double.time(of: .milliseconds(5700)) == .milliseconds(11_350))
        #expect(double.position(at: .seconds(12)) == .seconds(7))
    }

    @Test("a position survives conversion to a time and back, within the rounding to attoseconds")
    func inverse() throws {
        var random = Seeded(state: 7)
        for _ in 0..<5000 {
            let millionths = Int64(random.int(50_000...10_000_000))
            let anchor = Anchor(
                time: .milliseconds(random.int(-10_000...1_000_000)),
                position: Duration(attoseconds: Int128(random.int(0...Int.max))), speed: try speed(millionths))
            let position = Duration(
                secondsComponent: Int64(random.int(0...100_000_000)),
                attosecondsComponent: Int64(random.int(0...999_999_999_999_999_999)))
            let error = (anchor.position(at: anchor.time(of: position)) - position).attoseconds.magnitude
            // A time is exact to half an attosecond, in which `millionths / 2_000_000` attoseconds of the score pass.
            #expect(error <= UInt128(1 + millionths / 2_000_000))
            let back = (anchor.time(of: anchor.position(at: position)) - position).attoseconds.magnitude
            #expect(back <= UInt128(1 + 500_000 / millionths))
        }
    }

    @Test("time never runs backwards")
    func monotonic() throws {
        var random = Seeded(state: 8)
        for _ in 0..<200 {
            let anchor = Anchor(speed: try random.speed())
            let positions = (0..<50).map { _ in Duration(attoseconds: Int128(random.int(0...200))) }.sorted()
            let times = positions.map(anchor.time(of:))
            #expect(times == times.sorted())
        }
    }
}
