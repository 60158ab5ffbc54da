import Formats
import Foundation
import Running
import Scores
import Shared
import Testing

struct ActivityTests {
    /// 400 m at 4 m/s, a pause of a minute, and 100 m at 2 m/s, as fit-tool writes them.
    private static let script = """
        import base64
        from fit_tool.fit_file_builder import FitFileBuilder
        from fit_tool.profile.messages.file_id_message import FileIdMessage
        from fit_tool.profile.messages.lap_message import LapMessage
        from fit_tool.profile.messages.record_message import RecordMessage
        from fit_tool.profile.messages.event_message import EventMessage
        from fit_tool.profile.profile_type import FileType, Manufacturer, Event, EventType, LapTrigger
        builder = FitFileBuilder(auto_define=True)
        def add(message, **fields):
            for name, value in fields.items(): setattr(message, name, value)
            builder.add(message)
        t = 1700000000000
        add(FileIdMessage(), type=FileType.ACTIVITY, manufacturer=Manufacturer.DEVELOPMENT.value, product=0,
            serial_number=1, time_created=t)
        add(EventMessage(), event=Event.TIMER, event_type=EventType.START, timestamp=t)
        for s in range(101): add(RecordMessage(), timestamp=t + s * 1000, distance=s * 4.0)
        add(EventMessage(), event=Event.TIMER, event_type=EventType.STOP_ALL, timestamp=t + 100000)
        add(EventMessage(), event=Event.TIMER, event_type=EventType.START, timestamp=t + 160000)
        for s in range(51): add(RecordMessage(), timestamp=t + 160000 + s * 1000, distance=400 + s * 2.0)
        for start, time, way, trigger in ((0, 100, 400.0, LapTrigger.DISTANCE), (100, 50, 100.0, LapTrigger.SESSION_END)):
            add(LapMessage(), timestamp=t + (start + time) * 1000, start_time=t + start * 1000,
                total_timer_time=float(time), total_elapsed_time=float(time) + 5, total_distance=way, lap_trigger=trigger)
        print(base64.b64encode(builder.build().to_bytes()).decode())
        """

    private func expectRun(_ activity: Activity, within tolerance: Double) {
        #expect(abs(activity.seconds - 150) <= tolerance, "\(activity.seconds)")
        #expect(abs((activity.meters ?? 0) - 500) <= tolerance, "\(activity.meters ?? 0)")
        let middle = activity.track.first { $0.seconds >= 50 }
        #expect(abs((middle?.meters ?? 0) - 200) <= tolerance, "\(middle?.meters ?? 0)")
    }

    @Test("an activity that fit-tool wrote has its laps and its track, without the pause")
    func fit() throws {
        let bytes = Array(try #require(Data(base64Encoded: try Python.run(Self.script).joined())))
        let activity = try ActivityFormat.fit.read(bytes)
        expectRun(activity, within: 0.001)
        #expect(
            activity.laps == [
                Activity.Lap(seconds: 100, meters: 400, isAutomatic: true), Activity.Lap(seconds: 50, meters: 100),
            ])
        #expect(throws: TextError.self) { try ActivityFormat.fit.read(Array(bytes.dropLast(60))) }
    }

    /// A FIT file of this test's own: definitions and data as the protocol has them, byte by byte.
    private struct OwnFIT {
        var isBigEndian = false
        private var data: [UInt8] = []

        init(isBigEndian: Bool = false) { self.isBigEndian = isBigEndian }

        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            return isBigEndian ? little.reversed() : little
        }

        /// Defines the fields of a message, each with its number and size; `extra` are bytes of a developer's field.
        mutating func define(_ local: UInt8, _ message: Int, _ fields: [(UInt8, UInt8)], extra: UInt8 = 0) {
            data += [(extra > 0 ? 0x60 : 0x40) | local, 0, isBigEndian ? 1 : 0] + bytes(message, 2)
            data += [UInt8(fields.count)]
            for (number, size) in fields { data += [number, size, size == 1 ? 0x02 : size == 2 ? 0x84 : 0x86] }
            if extra > 0 { data += [1, 0, extra, 0] }
        }

        /// Adds a message; a time makes its header a compressed one.
        mutating func add(_ local: UInt8, _ values: [(Int, Int)], compressed time: Int? = nil, extra: UInt8 = 0) {
            data.append(time.map { 0x80 | local << 5 | UInt8($0 & 0x1F) } ?? local)
            for (value, size) in values { data += bytes(value, size) }
            data += Array(repeating: 0xAA, count: Int(extra))
        }

        var file: [UInt8] {
            let size = (0..<4).map { UInt8(truncatingIfNeeded: data.count >> (8 * $0)) }
            let whole = [14, 0x20, 0x54, 0x08] + size + Array(".FIT".utf8) + [0, 0] + data
            // CRC-16/ARC, bit by bit.
            var crc: UInt16 = 0
            for byte in whole {
                crc ^= UInt16(byte)
                for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xA001 : crc >> 1 }
            }
            return whole + [UInt8(crc & 0xFF), UInt8(crc >> 8)]
        }
    }

    @Test(
        "records with compressed times, big-endian numbers and fields of developers are read as they are meant",
        arguments: [false, true], [0, 29])
    func compressed(isBigEndian: Bool, offset: Int) throws {
        let start = 1_000_000_000 + offset
        var fit = OwnFIT(isBigEndian: isBigEndian)
        fit.define(0, 0, [(0, 1)])
        fit.add(0, [(4, 1)])
        fit.define(1, 20, [(253, 4), (5, 4)])
        fit.define(2, 20, [(5, 4)], extra: 3)
        fit.define(3, 19, [(253, 4), (8, 4), (9, 4), (24, 1)])
        fit.define(4, 21, [(253, 4), (0, 1), (1, 1)])
        // 100 s at 4 m/s with a point every 10 s, a pause of a minute, and 50 s at 2 m/s.
        fit.add(1, [(start, 4), (0, 4)])
        for second in stride(from: 10, through: 90, by: 10) {
            fit.add(2, [(second * 400, 4)], compressed: start + second, extra: 3)
        }
        fit.add(2, [(40_000, 4)], compressed: start + 100, extra: 3)
        fit.add(3, [(start + 100, 4), (100_000, 4), (40_000, 4), (0, 1)])
        fit.add(4, [(start + 100, 4), (0, 1), (4, 1)])
        fit.add(1, [(start + 160, 4), (40_000, 4)])
        for second in stride(from: 25, through: 50, by: 25) {
            fit.add(2, [(40_000 + second * 200, 4)], compressed: start + 160 + second, extra: 3)
        }
        fit.add(3, [(start + 210, 4), (50_000, 4), (10_000, 4), (7, 1)])
        let activity = try ActivityFormat.fit.read(fit.file)
        expectRun(activity, within: 0.001)
        #expect(activity.laps == [Activity.Lap(seconds: 100, meters: 400), Activity.Lap(seconds: 50, meters: 100)])
        #expect(activity.track.prefix(3).map(\.seconds) == [0, 10, 20])
        let table = try PlanTable(Plan(runText: "run 400m @ 4:10/km, run 50s @ 8:20/km"))
        let ran = try RanPlan(table, activity)
        #expect(ran.rows.allSatisfy { $0.state == .done && $0.isSure } && ran.extras.isEmpty)
    }

    /// Times and distances of the same run, every ten seconds.
    private static let points: [(clock: Int, meters: Double)] = {
        var points: [(clock: Int, meters: Double)] = []
        for n in 0...10 { points.append((clock: n * 10, meters: Double(n * 40))) }
        for n in 1...5 { points.append((clock: 160 + n * 10, meters: Double(400 + n * 20))) }
        return points
    }()

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func time(_ clock: Int) -> String {
        "2026-11-24T07:\(twoDigits(clock / 60)):\(twoDigits(clock % 60)).000+01:00"
    }

    @Test("a TCX file has its laps, and its track without the pause between two parts of it")
    func tcx() throws {
        func track(_ points: ArraySlice<(clock: Int, meters: Double)>) -> String {
            let points = points.map {
                "<Trackpoint><Time>\(Self.time($0.clock))</Time><DistanceMeters>\($0.meters)</DistanceMeters></Trackpoint>"
            }
            return "<Track>\(points.joined())</Track>"
        }
        let lap =
            "<Lap><TotalTimeSeconds>150</TotalTimeSeconds><DistanceMeters>500</DistanceMeters>"
            + "<TriggerMethod>Manual</TriggerMethod>\(track(Self.points[...10]))\(track([(clock: 160, meters: 400)] + Self.points[11...]))</Lap>"
        let text =
            "<?xml version='1.0'?><TrainingCenterDatabase><Activities><Activity Sport='Running'>\(lap)</Activity>"
            + "</Activities></TrainingCenterDatabase>"
        let activity = try ActivityFormat.tcx.read(Array(text.utf8))
        expectRun(activity, within: 0.001)
        #expect(activity.laps == [Activity.Lap(seconds: 150, meters: 500)])
    }

    @Test("a GPX file has its track, whose distance follows from its places")
    func gpx() throws {
        // A degree of latitude is 111.195 km on the sphere.
        func segment(_ points: ArraySlice<(clock: Int, meters: Double)>) -> String {
            let points = points.map {
                "<trkpt lat='\(50 + $0.meters / 111_194.93)' lon='8.0'><time>\(Self.time($0.clock))</time></trkpt>"
            }
            return "<trkseg>\(points.joined())</trkseg>"
        }
        let text =
            "<gpx><trk>\(segment(Self.points[...10]))\(segment([(clock: 160, meters: 400)] + Self.points[11...]))</trk></gpx>"
        let activity = try ActivityFormat.gpx.read(Array(text.utf8))
        expectRun(activity, within: 0.5)
        #expect(activity.laps.isEmpty)
    }

    @Test("hostile bytes give an error or an activity, and never crash", arguments: ActivityFormat.allCases)
    func hostile(format: ActivityFormat) throws {
        let whole: [UInt8] =
            switch format {
            case .fit: Array(try #require(Data(base64Encoded: try Python.run(Self.script).joined())))
            case .tcx:
                Array(
                    "<TrainingCenterDatabase><Lap><TotalTimeSeconds>1e300</TotalTimeSeconds></Lap></TrainingCenterDatabase>"
                        .utf8)
            case .gpx:
                Array(
                    "<gpx><trkpt lat='9e99' lon='x'><time>2026-11-24T07:00:00Z</time></trkpt><trkpt lat='nan' lon='1'><time>9</time></trkpt></gpx>"
                        .utf8)
            }
        let table = try PlanTable(Plan(runText: "run 1:00, walk 1:00 @ 9:00/km, run until lap"))
        var numbers = Seeded(state: 35)
        var (read, refused) = (0, 0)
        for _ in 0..<300 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
            }
            do {
                _ = try RanPlan(table, try format.read(bytes))
                read += 1
            } catch { refused += 1 }
        }
        #expect(read + refused == 300)
        for text in ["", "<gpx/>", "<gpx>", "{}"] {
            #expect(throws: TextError.self) { try format.read(Array(text.utf8)) }
        }
    }
}
