import Foundation
import Running
import Scores
import Shared
import Testing
import Workouts

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
