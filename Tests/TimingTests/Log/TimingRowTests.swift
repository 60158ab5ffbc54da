import Scores
import Testing
import Timing

@Suite("The timing log")
struct TimingRowTests {
    /// A log of rows as they are written today, or as they were before they told lines.
    static func log(_ rows: [String], isOld: Bool = false) -> String {
        let old = "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags"
        return ([isOld ? old : TimingRow.header] + rows).map { $0 + "\n" }.joined()
    }

    static func read(_ text: String) -> (rows: [TimingRow], diagnostics: [Diagnostic]) {
        TimingLog.read(Array(text.utf8), file: "x.csv")
    }

    /// The first line of every diagnostic.
    static func messages(_ text: String) -> [String] {
        read(text).diagnostics.map { $0.rendered().firstLine }
    }

    /// A row at `nominal` ms that was heard `error` µs late; nil if it was lost.
    static func row(_ nominal: Int, error: Int?, flags: TimingRow.Flags = []) -> TimingRow {
        let time = Duration.milliseconds(nominal)
        return TimingRow(
            index: 1, nominal: time, heard: error.map { time + .microseconds($0) }, position: FramePosition(frame: 0),
            flags: flags)
    }

    @Test("a row is written with every column in its format")
    func csv() {
        let row = TimingRow(
            index: 7, label: "A, \"dolce\"", nominal: .milliseconds(2700), heard: .nanoseconds(2_699_987_655),
            position: FramePosition(frame: 129_600, fraction: 0.25), ratePPM: -118.2504, uncertaintyMicroseconds: 3.5,
            flags: [.xrun, .late])
        #expect(
            row.csv
                == "7,\"A, \"\"dolce\"\"\",2.700000000,2.699987655,-12.345,129600.250000,-118.250,3.500,late xrun,,")
        let lost = TimingRow(
            index: 1, nominal: .zero, heard: nil, position: FramePosition(frame: -1, fraction: 0.75))
        #expect(lost.csv == "1,,0.000000000,,,-0.250000,0.000,0.000,lost,,")
        #expect(row.errorMicroseconds == -12.345)
        #expect(lost.errorMicroseconds == nil)
    }

    @Test("a row read back equals the row written, whatever is in it", arguments: 0..<8)
    func roundTrip(seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let rows = (0..<2_000).map { _ in Self.random(&random) }
        let text = Self.log(rows.map(\.csv))
        #expect(Self.messages(text) == [])
        #expect(Self.read(text).rows == rows)
        #expect(Self.read(text.replacing("\n", with: "\r\n").replacing("\r\r\n", with: "\r\n")).diagnostics == [])
    }

    @Test("NaN counts as 0, and a fraction of a frame is clamped to that frame and the next")
    func noNumber() {
        for (fraction, frame, held) in [(Double.nan, 5, 0.0), (-0.5, 5, 0), (1.5, 6, 0), (0.25, 5, 0.25)]
            as [(_, Int64, _)]
        {
            let row = TimingRow(
                index: 1, nominal: .zero, heard: .zero, position: FramePosition(frame: 5, fraction: fraction),
                ratePPM: .nan, uncertaintyMicroseconds: .nan)
            #expect(row.position == FramePosition(frame: frame, fraction: held))
            #expect(row.ratePPM == 0 && row.uncertaintyMicroseconds == 0)
        }
        let most = TimingRow(
            index: 1, nominal: .zero, heard: .zero, position: FramePosition(frame: 0), ratePPM: -.infinity,
            uncertaintyMicroseconds: .infinity)
        #expect(most.ratePPM == -1e9 && most.uncertaintyMicroseconds == 1e9)
    }

    @Test("NaN and extreme values are clamped to the ranges of a log")
    func extremes() {
        for value in [Double.nan, .infinity, -.infinity, 1e300, -1e300] {
            for frame in [Int64.min, -1, 0, .max] {
                let row = TimingRow(
                    index: .min, nominal: .seconds(Int64.max), heard: .seconds(Int64.min),
                    position: FramePosition(frame: frame, fraction: value), ratePPM: value,
                    uncertaintyMicroseconds: value, flags: TimingRow.Flags(rawValue: 255))
                #expect(Self.read(Self.log([row.csv])).rows == [row])
                #expect(row.index == 1 && row.uncertaintyMicroseconds >= 0)
                #expect(row.nominal == .seconds(4_000_000_000) && row.heard == .seconds(-4_000_000_000))
            }
        }
    }

    @Test(
        "an error in a row is reported with its place",
        arguments: [
            ("0,,1,1,0,0,0,0,", "2:1: error: index must be a whole number from 1 to 1000000000000000"),
            ("x,,1,1,0,0,0,0,", "2:1: error: index must be a whole number from 1"),
            ("1,日本,1 s,1,0,0,0,0,", "2:6: error: nominal_s must be a decimal number from -4000000000 to 4000000000"),
            ("1,,1,1e3,0,0,0,0,", "2:6: error: heard_s must be a decimal number from"),
            ("1,,4000000001,1,0,0,0,0,", "2:4: error: nominal_s must be a decimal number from"),
            ("1,,1,1,0,0,0,-1,", "2:14: error: uncertainty_us must be a decimal number from 0 to 1000000000"),
            ("1,,1,,,0,0,0,", "2:14: error: a boundary must have the flag lost if heard_s is empty, and only then"),
            (
                "1,,1,1,0,0,0,0,lost",
                "2:16: error: a boundary must have the flag lost if heard_s is empty, and only then"
            ),
            ("1,,1,1,0,0,0", "2:1: error: this row has 7 fields, but the header has 9"),
            ("1,a\"b,1,1,0,0,0,0,", "2:4: error: there is a quote inside a field without quotes"),
            ("1,\"a\"b,1,1,0,0,0,0,", "2:6: error: expected a comma or the end of the row after a closing quote"),
            ("1,\"a,1,1,0,0,0,0,\n", "2:3: error: the quote that opens here is never closed"),
            ("1,,1,1,0,0,0,0,late lots", "2:16: error: there is no flag 'lots'; flags are late, lost, jump,"),
        ])
    func faults(row: String, expected: String) throws {
        #expect(try #require(Self.messages(Self.log([row], isOld: true)).first).hasPrefix("x.csv:" + expected))
        #expect(Self.messages(Self.log([row], isOld: true)).count == 1)
    }

    @Test(
        "numbers are accepted up to the limits of their ranges",
        arguments: [
            ("1,,4000000000,4000000000,0,0,0,0,", true), ("1,,0,4000000000.000000001,0,0,0,0,", false),
            ("1,,-4000000000,,,0,0,0,lost", true), ("1,,-4000000000.000000001,,,0,0,0,lost", false),
            ("1000000000000000,,1,1,0,0,0,0,", true), ("1000000000000001,,1,1,0,0,0,0,", false),
            ("1,,1,1,0,-1000000000000000,0,0,", true), ("1,,1,1,0,-1000000000000000.000001,0,0,", false),
            ("1,,1,1,0,0,1000000000,1000000000,", true), ("1,,1,1,0,0,1000000000.001,0,", false),
            ("1,,1,1,0,0,0,1000000000.001,", false), ("1,,1,1,0,0,0,0,", true),
        ])
    func ranges(row: String, isTaken: Bool) {
        #expect(Self.messages(Self.log([row], isOld: true)).isEmpty == isTaken)
    }

    @Test("the error of a row is computed from its times, whatever its column says")
    func error() {
        #expect(Self.read(Self.log(["1,,1,1.5,9,0,0,0,late"], isOld: true)).rows.map(\.errorMicroseconds) == [500_000])
    }

    @Test("a mutated log is read or refused, and never causes a crash", arguments: 0..<4)
    func mutants(seed: Int) {
        var random = Seeded(state: UInt64(seed) + 100)
        let spice = Array("\",\n\r#-.0123456789e xlost\u{FEFF}é".utf8) + [0, 0xFF, 0xC0]
        for _ in 0..<500 {
            var bytes = Array(Self.log((0..<4).map { _ in Self.random(&random).csv }).utf8)
            for _ in 0..<random.int(1...5) {
                let place = random.int(0...bytes.count - 1)
                switch random.int(0...2) {
                case 0: bytes[place] = spice[random.int(0...spice.count - 1)]
                case 1: bytes.insert(spice[random.int(0...spice.count - 1)], at: place)
                default: bytes.removeSubrange(place..<min(place + random.int(1...40), bytes.count - 1))
                }
            }
            let (rows, diagnostics) = TimingLog.read(bytes, file: "x.csv")
            for diagnostic in diagnostics { #expect(!diagnostic.rendered(color: true).isEmpty) }
            let summary = TimingSummary(rows)
            #expect(summary.bars == rows.count && !summary.text.isEmpty && !summary.json.contains("nan"))
            #expect(Self.read(Self.log(rows.map(\.csv))).rows == rows)
        }
    }

    /// A random row.
    static func random(_ random: inout Seeded) -> TimingRow {
        let scale = Double(10).power(random.int(0...9))
        func number() -> Double { Double.random(in: -scale...scale, using: &random) }
        let nominal = Duration.seconds(number())
        let letters: [Character] = ["a", ",", "\"", " ", "日", "\n", "\r", "é", "#", "-"]
        let hasPlace = random.chance(2)
        return TimingRow(
            index: random.int(1...1_000_000),
            label: String((0..<random.int(0...5)).map { _ in letters[random.int(0...9)] }),
            nominal: nominal, heard: random.chance(5) ? nil : nominal + .microseconds(number()),
            position: FramePosition(frame: Int64(number()), fraction: Double.random(in: 0..<1, using: &random)),
            ratePPM: number(), uncertaintyMicroseconds: number(),
            flags: TimingRow.Flags(rawValue: UInt16(random.int(0...63))),
            line: hasPlace ? random.int(1...99) : nil, bar: hasPlace ? random.int(1...99) : nil)
    }
}

extension Double {
    fileprivate func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1) { power, _ in power * self } }
}
