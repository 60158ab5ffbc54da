import Screens
import Testing

@Suite("Gauge")
struct GaugeTests {
    @Test("a gauge has a constant width, and only grows", arguments: [1, 2, 3, 10, 59, 61, 62, 200])
    func gauge(width: Int) {
        // How many eighths each character shows.
        let blocks = Dictionary(uniqueKeysWithValues: "·▏▎▍▌▋▊▉█".enumerated().map { ($1, $0) })
        var last = 0
        for step in 0...width * 16 {
            let gauge = Gauge.text(Double(step) / Double(width * 16), width)
            #expect(gauge.count == width)
            let filled = gauge.reduce(0) { $0 + (blocks[$1] ?? -1000) }
            #expect(filled == step / 2 || abs(filled - step / 2) == 1 && step % 2 == 0)
            #expect(filled >= last)
            last = filled
        }
        #expect(Gauge.text(0, width) == String(repeating: "·", count: width))
        #expect(Gauge.text(1, width) == String(repeating: "█", count: width))
        #expect(Gauge.text(-3, width) == Gauge.text(0, width))
        #expect(Gauge.text(1.5, width) == Gauge.text(1, width))
    }
}
