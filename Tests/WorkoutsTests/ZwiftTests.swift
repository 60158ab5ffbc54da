import Running
import Shared
import Testing
import Formats

struct ZwiftTests {
    private func file(_ workout: String, head: String = "<sportType>run</sportType>") -> [UInt8] {
        Array("<workout_file><name>Test</name>\(head)<workout>\(workout)</workout></workout_file>".utf8)
    }

    @Test("the elements of a workout become intervals, and IntervalsT becomes a group")
    func elements() throws {
        let plan = try workout(
            file(
                """
                <Warmup Duration="300" PowerLow="0.25" PowerHigh="0.75"/>
                <IntervalsT Repeat="4" OnDuration="30" OffDuration="60" OnPower="1.2" OffPower="0.5"/>
                <SteadyState Duration="600.0" Power="0.88" pace="1"><textevent timeoffset="0" message="Go!"/></SteadyState>
                <Ramp Duration="60" PowerLow="0.5" PowerHigh="1"/><FreeRide Duration="120" FlatRoad="1"/>
                <Cooldown Duration="300" PowerLow="0.75" PowerHigh="0.25"/>
                """), .zwift, warns: true)
        #expect(plan.title == "Test")
        #expect(try PlanTable(plan).total.time == .seconds(300 + 4 * 90 + 600 + 60 + 120 + 300))
        #expect(plan.written.map(\.kind) == [.warmUp, .run, .walk, .run, .run, .run, .coolDown])
        #expect(plan.written.allSatisfy { $0.label == "" })
    }

    @Test("with the duration type \"distance\", a duration is in meters")
    func distance() throws {
        let plan = try workout(
            file("<SteadyState Duration='1000' Power='1'/>", head: "<durationType>distance</durationType>"), .zwift,
            warns: true)
        #expect(plan.written.first?.measure == .distance(Distance(1, .kilometers)))
    }

    @Test("Windows-1252, a bare &, blanks before the declaration and capitals are accepted")
    func generous() throws {
        let text = """
            \n <?xml version="1.0" encoding="UTF-8"?>
            <WORKOUT_FILE><Name>Run & Walk &amp; R?st &#233;</Name><SPORTTYPE>run</SPORTTYPE>
            <Workout><STEADYSTATE duration="30" POWER="1"><TextEvent TimeOffset="0" Message="Fish & chips"/></STEADYSTATE>
            <TextEvent message="x"/></Workout></WORKOUT_FILE>
            """
        let bytes = Array(text.utf8).map { $0 == UInt8(ascii: "?") ? 0x92 : $0 }
        // The question marks of the declaration stay.
        var mended = bytes
        for (index, byte) in text.utf8.enumerated() where index < 45 { mended[index] = byte }
        let plan = try workout(mended, .zwift, warns: true)
        #expect(plan.title == "Run & Walk & R\u{2019}st \u{E9}")
        #expect(try PlanTable(plan).total.time == .seconds(30))
    }

    @Test("an invalid duration is refused with a reason, and an unknown element is named")
    func refused() {
        #expect(
            said(file("\n<SteadyState Power='1'/>"), .zwift).hasPrefix(
                "x:2:1: error: <steadystate> needs a number as its duration"))
        #expect(
            said(file("<SteadyState Duration='-5'/>"), .zwift).contains(
                "the duration is out of range; it is in seconds"))
        #expect(said(file("<SteadyState Duration='NaN'/>"), .zwift).contains("needs a number as its duration"))
        #expect(said(file("<IntervalsT Repeat='0' OnDuration='1' OffDuration='1'/>"), .zwift).contains("Repeat"))
        #expect(
            said(file("<Swim Duration='5'/><Warmup Duration='5'/>"), .zwift).contains("warning: <swim> is left out"))
        #expect(said(file(""), .zwift).contains("the plan has no interval"))
        #expect(said(Array("<workout_file><workout>".utf8), .zwift).contains("this is not XML"))
        #expect(said(Array("<x/>".utf8), .zwift).contains("the file has no workout"))
        #expect(
            said(Array(String(repeating: "<a>", count: 100_000).utf8), .zwift)
                .contains("nested deeper than a workout needs"))
    }

    @Test("an XML bomb is refused at once")
    func bomb() {
        var text = "<!DOCTYPE b [<!ENTITY a0 \"aaaaaaaaaa\">"
        for level in 1..<12 {
            text += "<!ENTITY a\(level) \"" + String(repeating: "&a\(level - 1);", count: 10) + "\">"
        }
        text += "]><workout_file><name>&a11;</name><workout/></workout_file>"
        #expect(!said(Array(text.utf8), .zwift).isEmpty)
    }

    @Test("repeated pairs of a run and a walk or rest become an IntervalsT, and are read back as the same group")
    func repeats() throws {
        let plan = try Plan(
            runText:
                "warm-up 5:00, 10x(run 0:30, walk 0:45), 2x(3x(run 1:00, rest 0:20), walk 2:00), run 0:30, walk 0:30, "
                + "4x(run \"Hill\" 0:45, walk 1:00), 2x(run 0:30, walk 0:30.4), cool-down 5:00")
        let bytes = try Format.zwift.write(plan, now: 0).bytes
        let lines = try Python.run(
            """
            import sys, xml.etree.ElementTree as tree
            for e in tree.parse(sys.argv[1]).getroot().find('workout'):
                if e.tag == 'IntervalsT':
                    print(*(e.get(k) for k in ('Repeat', 'OnDuration', 'OffDuration', 'OnPower', 'OffPower')))
            """, file: bytes)
        #expect(lines == ["10 30 45 1 0.5", "3 60 20 1 0.3", "3 60 20 1 0.3"])
        let again = try workout(bytes, .zwift)
        #expect(try PlanTable(again).rows.map(\.interval.kind) == PlanTable(plan).rows.map(\.interval.kind))
        #expect(try PlanTable(again).rows.prefix(20).map(\.interval) == PlanTable(plan).rows.prefix(20).map(\.interval))
        let simple = try Plan(runText: "10x(run 0:30, walk 0:45), walk 5:00")
        #expect(try workout(try Format.zwift.write(simple, now: 0).bytes, .zwift).parts == simple.parts)
    }

    @Test(
        "a repeated run with a walk or rest is one element and is read back, whether both, one or none have a pace",
        arguments: [
            ("", "rest 0:30"), (" @ 5:00/km", "rest 0:30"), (" @ 5:00/km", "walk 0:30"),
            (" @ 5:00/km", "walk 0:30 @ 10:00/km"),
            ("", "walk 0:30 @ 10:00/km"), (" @ 3:00/km", "walk 0:30 @ 10:00/km"),
            (" @ 5:00/km", "rest 0:30 @ 16:40/km"),
        ])
    func repeats(pace: String, between: String) throws {
        let plan = try Plan(runText: "run 1:00 @ 5:00/km, 2x(run 1:00\(pace), \(between))")
        let writing = try Format.zwift.write(plan, now: 0)
        #expect(writing.losses.count == 1 && writing.losses[0].hasPrefix("paces are shares of a threshold pace"))
        let again = try workout(writing.bytes, .zwift)
        #expect(again.title == "" && again.parts.count == 2)
        let rows = try [plan, again].map { try PlanTable($0).rows.map { ($0.interval.kind.name, $0.extent) } }
        for (a, b) in zip(rows[0], rows[1]) {
            #expect(a.0 == b.0 && a.1.time == b.1.time)
            #expect(a.1.pace?.text(in: .perKilometer) == b.1.pace?.text(in: .perKilometer))
        }
    }

    @Test("a plan whose intervals all end after a distance is written in meters, with or without paces")
    func meters() throws {
        let paced = "3x(run 400m @ 4:00/km, walk 200m @ 10:00/km)\nrun 1k in 5:00\n"
        for (text, isDistance) in [(paced, true), (paced + "walk 1:00\n", false), ("run 400m\n", true)] {
            let plan = try Plan(runText: "run: 5:00/km\n" + text)
            let writing = try Format.zwift.write(plan, now: 0)
            let file = String(decoding: writing.bytes, as: UTF8.self)
            #expect(file.contains("<durationType>\(isDistance ? "distance" : "time")</durationType>"), "\(text)")
            #expect(writing.losses.contains { $0.contains("a distance becomes the time") } == !isDistance)
            guard isDistance else { continue }
            let read = try workout(writing.bytes, .zwift)
            #expect(try endings(read) == endings(plan))
            let (time, wanted) = (try PlanTable(read).total.time, try PlanTable(plan).total.time)
            #expect(try (#require(time) - #require(wanted)).inSeconds.magnitude < 0.1)
        }
    }

    @Test("an independent XML parser finds the workout with its length")
    func independent() throws {
        var numbers = Seeded(state: 22)
        for _ in 0..<5 {
            let plan = randomPlan(&numbers)
            let lines = try Python.run(
                """
                import sys, xml.etree.ElementTree as tree
                root = tree.parse(sys.argv[1]).getroot()
                assert root.tag == 'workout_file' and root.find('sportType').text == 'run'
                assert root.find('durationType').text in ('time', 'distance')
                print(root.find('name').text)
                def length(e):
                    if e.tag != 'IntervalsT': return int(e.get('Duration'))
                    return int(e.get('Repeat')) * (int(e.get('OnDuration')) + int(e.get('OffDuration')))
                print(root.find('durationType').text, sum(length(e) for e in root.find('workout')))
                """, file: try Format.zwift.write(plan, now: 0).bytes)
            #expect(lines.first == plan.title)
            let total = try PlanTable(plan).total
            let isTime = lines.last?.hasPrefix("time") ?? false
            let expected = isTime ? total.time?.inSeconds : total.distance?.meters
            #expect(lines.last?.split(separator: " ").last.flatMap { Double($0) } == expected?.rounded())
        }
    }

    @Test("a pace is a share of the threshold pace that the description states, and is read back")
    func paces() throws {
        let plan = try Plan(
            runText: """
                run: 5:00/km
                walk: 7:00/km
                cadence: 170
                warm-up 10:00, run "Hill" 5:00, walk "Hill" 1:00, walk "Walk it" 0:30, rest 1:00, run 400m @ 4:00/km
                4x(run 0:30, walk 0:30), 3x(run 1:00, rest 0:30), cool-down 5:00 @ 6:00/km
                """)
        let writing = try Format.zwift.write(plan, now: 0)
        #expect(
            writing.losses == [
                "paces are shares of a threshold pace of 5:00/km, which Zwift takes for your pace over 10 km; "
                    + "--threshold sets yours",
                "a distance becomes the time that it takes (in 'run 400m @ 4:00/km')",
                "a group that IntervalsT cannot hold is written out (in 8 intervals, the first is 'run 0:30')",
            ])
        let lines = try Python.run(
            """
            import sys, xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            print(root.find('description').text)
            for e in list(root.find('workout'))[:6]:
                print(e.get('Power') or e.get('PowerLow'), *(t.get('timeoffset') + t.get('message') for t in e))
            """, file: writing.bytes)
        #expect(
            lines == [
                "Power 1 is a pace of 5:00/km.", "0.5 0Warm-up 10170 steps per minute",
                "1.00000 0Hill 10170 steps per minute", "0.71429 0Walk Hill", "0.71429 0Walk Walk it", "0.3 0Rest",
                "1.25000 0Run 10170 steps per minute",
            ])
        let (a, b) = (try PlanTable(plan), try PlanTable(try workout(writing.bytes, .zwift)))
        #expect(a.rows.map(\.interval.kind) == b.rows.map(\.interval.kind))
        #expect(a.rows.map(\.interval.label) == b.rows.map(\.interval.label))
        #expect(a.rows.map(\.extent.time) == b.rows.map(\.extent.time))
        for (a, b) in zip(a.rows, b.rows) {
            let known = (a.extent.pace?.value(in: .perKilometer), b.extent.pace?.value(in: .perKilometer))
            #expect(known.0.map { ($0 * 100).rounded() } == known.1.map { ($0 * 100).rounded() })
        }
        #expect(try workout(writing.bytes, .zwift).cadence == 170)
        // A pace as threshold: the loss is not reported, because the user has stated it.
        let own = try Format.zwift.write(
            try Plan(runText: "run 10:00 @ 5:00/km"), now: 0, WorkoutOptions(threshold: try Pace(runText: "4:00/km")))
        #expect(own.losses == [])
        #expect(String(decoding: own.bytes, as: UTF8.self).contains("Power=\"0.80000\" pace=\"2\""))
        // It is still that of the plan when the file is read and written again.
        let again = try Format.zwift.write(try workout(own.bytes, .zwift), now: 0)
        #expect(again.bytes == own.bytes && again.losses == [])
    }

    @Test("labels, kinds and paces of random plans survive a round trip")
    func survive() throws {
        var numbers = Seeded(state: 23)
        let labels = ["", "Walk it", "rest", "Runner", "warm up", "Easy", "170 steps per minute", "Cool-down now"]
        for _ in 0..<200 {
            let parts = (0..<Int.random(in: 1...8, using: &numbers)).map { _ -> Plan.Part in
                let time = Duration.seconds(Int.random(in: 1...900, using: &numbers))
                let pace = Pace(.seconds(Int.random(in: 150...1200, using: &numbers)), per: .kilometers)
                let run = Bool.random(using: &numbers) ? try? Run(time, at: pace) : nil
                return .interval(
                    Interval(
                        Interval.Kind.allCases.randomElement(using: &numbers) ?? .run,
                        run.map { .run($0) } ?? .time(time),
                        label: labels.randomElement(using: &numbers) ?? ""))
            }
            let plan = Plan([.group(Int.random(in: 1...3, using: &numbers), parts)])
            let again = try workout(try Format.zwift.write(plan, now: 0).bytes, .zwift)
            let (a, b) = (try PlanTable(plan).rows, try PlanTable(again).rows)
            #expect(a.map(\.interval.kind) == b.map(\.interval.kind))
            #expect(a.map(\.interval.label) == b.map(\.interval.label))
            let seconds = [a, b].map { $0.map { ($0.extent.pace?.value(in: .perKilometer) ?? 0).rounded() } }
            #expect(seconds[0] == seconds[1])
        }
    }

    @Test("the power beside a heart rate is a pace, and one upper bound is read as a power")
    func powers() throws {
        let text = "threshold: 5:00/km\nrun 5:00 4:10/km @ 150 bpm"
        let plan = try Plan(runText: text)
        let again = try workout(try Format.zwift.write(plan, now: 0).bytes, .zwift)
        #expect(again.written.map(\.effort?.text) == ["150 bpm"])
        #expect(try PlanTable(again).total.distance.map { ($0.meters - 1200).magnitude < 0.1 } == true)
        let high = try workout(
            Array(
                "<workout_file><sportType>run</sportType><workout><SteadyState Duration='60' PowerHigh='0.8' pace='2'/></workout></workout_file>"
                    .utf8), .zwift)
        #expect(high.written.map(\.effort?.text) == ["80%"])
    }

    @Test("a pace beside a heart rate is reported as lost where there is no threshold")
    func paceBesideHeartRate() throws {
        let plan = try Plan(runText: "run 5:00 4:10/km @ 150 bpm, run 1:00 @ 80%")
        let losses = try Format.zwift.write(plan, now: 0).losses
        #expect(losses.contains { $0.hasPrefix("a pace is left out: there is no threshold") }, "\(losses)")
    }
}
