import Running
import Scores
import Testing

/// The law of the lock: the typed total is as typed, the locked one follows, the third stays.
struct PlanEditorLockTests {
    private func type(_ text: String, on editor: inout PlanEditor) {
        for key in text { _ = editor.press(key == "\n" ? .enter : .character(key)) }
    }

    private func editor(_ plan: Plan, result: Run.Quantity) -> PlanEditor {
        var editor = PlanEditor(plan)
        while editor.result != result { type("l", on: &editor) }
        return editor
    }

    private static let pattern = "run: 9:00/mi\nwalk: 16:00/mi\n24x(4x(run 0:30, walk 0:30), walk 1:00)"

    @Test(
        "whichever total is locked, a typed total is as typed, and the third stays as it was",
        arguments: [
            (Run.Quantity.pace, "2:16:50", "", 9.8333333, 8210.0),
            (.pace, "10mi", "", 10, 7200), (.time, "11:00/mi", "", 9.8333333, 6490), (.time, "10mi", "", 10, 7322.0339),
            (.distance, "11:00/mi", "", 10.9090909, 7200), (.distance, "11:00/mi", "for 10mi", nil, nil),
            (.distance, "2:16:50", "", 11.2127315, 8210), (.pace, "2:16:50", "for 10mi", 10, 8210),
            (.time, "11:00/mi", "for 10mi", 10, 6600),
        ] as [(Run.Quantity, String, String, Double?, Double?)])
    func locks(result: Run.Quantity, typed: String, length: String, miles: Double?, seconds: Double?) throws {
        var editor = editor(try plan(Self.pattern + "\n" + length), result: result)
        let before = try #require(editor.total.time)
        type("t\(typed)\n", on: &editor)
        let (way, time) = (try #require(editor.total.distance), try #require(editor.total.time))
        #expect(editor.entry == nil, "\(editor.message)")
        #expect(agree(way.count(in: .miles), miles ?? before.inSeconds / 660, within: 1e-7))
        #expect(agree(time.inSeconds, seconds ?? before.inSeconds, within: 1e-7))
        // The lock and the walking pace stay.
        #expect(editor.result == result)
        #expect(editor.plan.paces[.walk] == Pace(.seconds(960), per: .miles))
    }

    @Test("in random plans, only the locked total follows; a plan that cannot follow stays as it was")
    func law() throws {
        var numbers = Seeded(state: 17)
        var (followed, refused) = (0, 0)
        for _ in 0..<600 {
            var plan = randomPlan(&numbers)
            guard let table = try? PlanTable(plan), let all = table.total.time, let way = table.total.distance else {
                continue
            }
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: plan.length = .time(.seconds(Int(all.inSeconds * Double.random(in: 0.8...3, using: &numbers)) + 1))
            case 1:
                plan.length = .distance(
                    Distance(meters: (way.meters * Double.random(in: 0.8...3, using: &numbers)).rounded() + 1))
            default: break
            }
            guard (try? PlanTable(plan)) != nil else { continue }
            let result = Run.Quantity.allCases.randomElement(using: &numbers) ?? .time
            var editor = editor(plan, result: result)
            let before = editor.total
            guard let time = before.time, let distance = before.distance, let pace = before.pace else { continue }
            let factor = Double.random(in: 0.7...1.6, using: &numbers)
            let typed = Run.Quantity.allCases.filter { $0 != result }.randomElement(using: &numbers) ?? .time
            let (newTime, newWay, newPace) = (
                Duration.milliseconds(Int(time.inSeconds * factor * 1000) + 1),
                Distance(meters: (distance.meters * factor).rounded() + 1),
                Pace(.seconds(Int(pace.time(per: .kilometers).inSeconds * factor) + 1), per: .kilometers)
            )
            let text =
                switch typed {
                case .time: newTime.runText(decimals: 3)
                case .distance: newWay.exactText
                case .pace: newPace.exactText
                }
            type("t\(text)\n", on: &editor)
            guard editor.entry == nil else {
                refused += 1
                #expect(editor.plan == plan && !editor.message.isEmpty && editor.result == result)
                continue
            }
            followed += 1
            let after = editor.total
            let comment = Comment(rawValue: "\(plan.text)\n\(result) is the result, typed \(text)")
            func isSame(_ quantity: Run.Quantity, _ time: Duration?, _ distance: Distance?, _ pace: Pace?) -> Bool {
                switch quantity {
                case .time: ((after.time ?? .zero) - (time ?? .zero)).inSeconds.magnitude <= 0.001
                case .distance: agree(after.distance?.meters ?? 0, distance?.meters ?? 0, within: 2e-8)
                case .pace: agree(after.pace?.metersPerSecond ?? 0, pace?.metersPerSecond ?? 0, within: 1e-6)
                }
            }
            #expect(isSame(typed, newTime, newWay, newPace), comment)
            let third = Run.Quantity.allCases.first { $0 != typed && $0 != result } ?? .time
            #expect(isSame(third, before.time, before.distance, before.pace), comment)
            // What the editor holds can be saved, and is the same when it is read again.
            let read = try #require(Plan.read(Array(editor.plan.text.utf8)).plan, comment)
            let total = try PlanTable(read).total
            #expect(agree(total.time?.inSeconds ?? 0, after.time?.inSeconds ?? 0, within: 1e-9), comment)
            #expect(agree(total.distance?.meters ?? 0, after.distance?.meters ?? 0, within: 1e-9), comment)
        }
        #expect(followed > 300 && refused > 0, "\(followed) followed, \(refused) refused")
    }

    @Test("two totals in one line give the third, which becomes the result; the rest of the plan stays")
    func goal() throws {
        var editor = PlanEditor(Plan())
        type("arun 10:00, walk 2:00\np", on: &editor)
        type("walk 16:00/mi\nt5mi in 50:00\n", on: &editor)
        #expect(editor.entry == nil && editor.result == .pace)
        #expect(editor.message == "the pace is the result now; run at 9:20 /mi")
        let table = try PlanTable(editor.plan)
        #expect(table.rows.count == 9 && table.rows.last?.extent.time == .seconds(120))
        #expect(
            agree(try #require(table.total.time).inSeconds, 3000) && table.total.distance?.text(in: .miles) == "5 mi")
        #expect(editor.distanceUnit == .miles && editor.paceUnit == .perMile)
    }

    @Test("a time for runs over distances changes their pace, also if no distance of the walks is known")
    func timeWithoutDistance() throws {
        var editor = editor(try plan("6x(run 400m @ 5:00/km, walk 1:30)"), result: .pace)
        type("t25:00\n", on: &editor)
        #expect(editor.entry == nil && editor.plan.length == .once)
        #expect(agree(try #require(editor.total.time).inSeconds, 1500))
    }

    @Test(
        "a plan that cannot have a total says why, and stays",
        arguments: [
            (
                "run: 5:00/km\nwalk: 10:00/km\nrun 10:00, walk 10:00", "lt0.9k\n",
                "everything else alone goes 1.001 km in 20:00, which is not less than 0.9 km"
            ),
            (
                "run 10:00", "t5mi\n",
                "the total pace is unknown; press Esc, and p to set the pace of a kind, as in run: 9:00/mi"
            ),
            ("run: 5:00/km\nrun 10:00", "t20:00\n", "the time is the result; press Esc and l to lock another one"),
            ("run: 5:00/km\nrun 10:00", "t5k 10k\n", "this is a second distance"),
            ("run: 5:00/km\nrun 10:00", "t5k in 25:00 5:00/km\n", "give only two of distance, time and pace"),
            ("walk: 10:00/km\nrun 10:00, walk 10:00", "t100k in 20:00\n", "100 km in 20:00 is faster than any pace"),
            ("run: 5:00/km\nrun 10:00", "t9000k in 0:10\n", "the resulting speed is not 0.001 to 100 m/s"),
            (
                "walk: 10:00/km\nrest 5:00, walk 5:00, run 5:00", "t1k in 9:00\n",
                "the plan does not come to its first run"
            ),
            (
                "warm-up 10:00, run 10:00, cool-down 10:00\nwarm-up: 6:00/km\ncool-down: 6:00/km", "t5k in 20:00\n",
                "warm-up and cool-down alone fill"
            ),
            ("walk: 10:00/km\nrun 1s, walk 1s", "t1000k in 300:00:00\n", "a plan has at most 100 000 intervals"),
            ("rest 5:00", "t1k in 9:00\n", "the plan has no run or walk whose pace could change"),
            (
                "run 5:00 @ 5:00/km, rest until lap, run 1km @ 4:00/km", "t10km\n",
                "'rest until lap' ends with the lap button; give it a time"
            ),
        ])
    func impossible(text: String, keys: String, message: String) throws {
        let plan = try plan(text)
        var editor = PlanEditor(plan)
        type(keys, on: &editor)
        #expect(editor.message.hasPrefix(message))
        #expect(editor.plan == plan && editor.entry != nil)
    }

    @Test(
        "a length and a pace can be typed in short, and the first unit that is typed is the unit of the screen",
        arguments: [
            ("f5mi\n", Plan.Length.distance(Distance(5, .miles)), DistanceUnit.miles),
            ("f2:00:00\n", .time(.seconds(7200)), .kilometers),
            ("ffor 10 km\n", .distance(Distance(10, .kilometers)), .kilometers),
            ("fforever\n", .forever, .kilometers), ("f5mi\nfonce\n", .once, .miles), ("f5mi\nf\n", .once, .miles),
            ("u\u{75}f5mi\n", .distance(Distance(5, .miles)), .kilometers),
        ])
    func lengths(keys: String, length: Plan.Length, unit: DistanceUnit) throws {
        var editor = PlanEditor(try plan("run 1:00 @ 5:00/km"))
        type(keys, on: &editor)
        #expect(editor.message == "" && editor.plan.length == length && editor.distanceUnit == unit)
    }

    @Test(
        "a pace without a kind is that of running, and one without a unit is for the unit of the screen",
        arguments: [
            ("9:00/mi", Interval.Kind.run, 540, DistanceUnit.miles), ("run: 9:00/mi", .run, 540, .miles),
            ("walk 16:00/mi", .walk, 960, .miles), ("walk: 10:00", .walk, 600, .kilometers),
            ("5:30", .run, 330, .kilometers), ("12 km/h", .run, 300, .kilometers),
        ])
    func paces(text: String, kind: Interval.Kind, seconds: Int, unit: DistanceUnit) throws {
        var editor = PlanEditor(try plan("run 1:00"))
        type("p\(text)\n", on: &editor)
        #expect(editor.message == "" && editor.entry == nil)
        let pace = try #require(editor.plan.paces[kind])
        #expect(agree(pace.metersPerSecond, Pace(.seconds(seconds), per: unit).metersPerSecond))
    }

    @Test(
        "a text that is neither a pace nor a length is refused",
        arguments: [
            ("p5mi", "'run:' sets a pace, but this is a distance"), ("pwalk", "expected a distance, time or pace"),
            ("p9:00/mi, run 1:00", "expected a pace, or a kind and its pace"),
            ("prun: 5:00/km, for 10km", "expected a pace, or a kind and its pace"),
            ("prun: 5:00/km, cadence: 170, threshold: 4:00/km", "expected a pace, or a kind and its pace"),
            ("f10km, run: 4:00/km, cadence: 180", "expected the length of the plan"),
            ("f9:00/mi", "the length of a plan must be a time or a distance"),
            ("f5mi, run 1:00", "expected the length of the plan"),
            ("fonce more", "expected a distance, time or pace, not 'once'"),
        ])
    func refused(keys: String, message: String) throws {
        let plan = try plan("run 1:00 @ 5:00/km")
        var editor = PlanEditor(plan)
        type(keys + "\n", on: &editor)
        #expect(editor.message.hasPrefix(message) && editor.plan == plan)
    }
}
