import CDrone
import Testing

/// Positions at other times.
@Suite("Places")
struct PlaceTests {
    private func place(_ frame: Int64, at time: Int64, passes: Bool = true) -> drone_place {
        drone_place(time_ns: time, frame: frame, passes: passes)
    }

    @Test("frames pass at the rate, before and after the observation, unless the device stands still")
    func passes() {
        #expect(drone_frame_at(place(1000, at: 5), 48_000, 5 + 1_000_000_000) == 49_000)
        #expect(drone_frame_at(place(1000, at: 2_000_000_000), 48_000, 1_000_000_000) == -47_000)
        #expect(drone_frame_at(place(-3360, at: 7, passes: false), 48_000, 1_000_000_000) == -3360)
    }

    @Test("years of standstill overflow nothing", arguments: [Int64.max / 2, Int64.max - 1_000_000_000])
    func years(time: Int64) {
        let here = place(4_000_000_000_000, at: 0)
        #expect(drone_frame_at(here, 384_000, time) > here.frame)
    }
}
