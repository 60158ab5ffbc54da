internal import Languages
internal import Running
internal import Scores

/// A plan as CSV, one row per interval, with the columns `kind`, `label`, `time`, `distance` and `pace`, written as in a plan;
/// `effort` for shares, ranges and heart rates, with the pace of each, from which the threshold follows; and `until` with the
/// word `lap` for intervals until the lap button, whose time is then an estimate. The reader also knows the columns `time_s`,
/// `distance_m` and `pace_s_per_km`, and semicolons between fields.
enum WorkoutTable {
    static func recognizes(_ bytes: [UInt8]) -> Bool {
        // Only the header counts. Ignore later faults, such as a row that is cut where these bytes end.
        var faults: [Problem] = []
        guard let header = rows(Array(bytes.prefix(1024)).unmarked, &faults).first else { return false }
        let names = header.fields.map { $0.lowercased() }
        return names.contains("kind")
            && !Set(names).isDisjoint(with: ["time", "time_s", "distance", "distance_m"])
    }

    static func read(_ bytes: [UInt8], _ file: String) -> Document {
        let bytes = SourceText(bytes, file: file).bytes
        var plan = Plan()
        var faults: [Problem] = []
        let rows = rows(bytes, &faults)
        guard let header = rows.first, recognizes(bytes) else {
            let fault = Problem(
                0..<0, localized("the header needs a column 'kind' and a column for a time or a distance"),
                hint: localized("for example kind,time,distance,pace"))
            return Document(file, [fault.diagnostic(in: bytes, file: file)])
        }
        let names = header.fields.map { $0.lowercased() }
        var leftOut = leftOut(names)
        var shares: [Share] = []
        for row in rows.dropFirst() where faults.count < 20 {
            guard row.fields.count == names.count else {
                faults.append(
                    Problem(
                        row.range,
                        localized("this row has \(row.fields.count) fields, but the header has \(names.count)")))
                continue
            }
            do throws(TextError) {
                let row = Dictionary(zip(names, row.fields)) { first, _ in first }
                plan.parts.append(.interval(try interval(row, &shares, &leftOut)))
            } catch {
                faults.append(Problem(row.range, error))
            }
        }
        plan.threshold = threshold(shares, &leftOut)
        if faults.isEmpty {
            do throws(PlanError) { _ = try PlanTable(plan) } catch {
                let places = rows.dropFirst().map(\.range)
                faults.append(Problem(error.written.map { places[$0] } ?? 0..<0, error.textError))
            }
        }
        return Document(
            file, plan: faults.isEmpty ? plan : nil,
            faults.isEmpty
                ? leftOut.leftOut.map { [Diagnostic(.warning, $0, file: file)] } ?? []
                : faults.sorted { $0.range.lowerBound < $1.range.lowerBound }
                    .map { $0.diagnostic(in: bytes, file: file) },
            text: bytes, places: rows.dropFirst().map(\.range))
    }

    /// The columns that a plan does not have.
    private static func leftOut(_ names: [String]) -> Losses {
        let known = [
            "kind", "label", "time", "time_s", "distance", "distance_m", "pace", "pace_s_per_km", "effort", "until",
            "interval",
            "set", "total_time_s", "total_distance_m",
        ]
        var leftOut = Losses()
        for name in names where !known.contains(name) { leftOut.note(localized("the column '\(name)'")) }
        return leftOut
    }

    /// A share, zone or range with the pace beside it.
    private typealias Share = (effort: Effort, pace: Pace)

    /// The threshold of which shares have the paces beside them; nil if they are not of one. Paces that do not follow from
    /// their shares are noted.
    private static func threshold(_ shares: [Share], _ leftOut: inout Losses) -> Pace? {
        func speed(_ share: Share) -> Double? {
            // At a threshold of 1 m/s, the speed is the share.
            share.effort.pace(Pace(metersPerSecond: 1)).map { share.pace.metersPerSecond / $0.metersPerSecond }
        }
        let speeds = shares.filter(\.effort.needsThreshold).compactMap(speed)
        var found: Pace?
        if let first = speeds.first, speeds.allSatisfy({ isNear($0, first) }) {
            let pace = Pace(metersPerSecond: first)
            // Written paces are exact to some digits only.
            let rounded = [PaceUnit.perKilometer, .perMile].map { Pace((pace.value(in: $0) * 10).rounded() / 10, $0) }
            found = rounded.first { isNear($0.metersPerSecond, first, within: 1e-9) } ?? pace
        }
        for (effort, pace) in shares {
            let follows = effort.pace(found).map { isNear($0.metersPerSecond, pace.metersPerSecond) } ?? false
            if !follows { leftOut.note(localized("paces that do not follow from the shares beside them")) }
        }
        return found.flatMap { $0.isValid ? $0 : nil }
    }

    /// Whether two numbers are the same but for their rounding.
    private static func isNear(_ a: Double, _ b: Double, within share: Double = 0.02) -> Bool {
        (a / b - 1).magnitude <= share
    }

    private static func interval(
        _ row: [String: String], _ shares: inout [Share], _ leftOut: inout Losses
    ) throws(TextError) -> Interval {
        let named = row["kind"] ?? ""
        let meaning = WorkoutWords.meaning(named)
        guard let kind = meaning.kind else {
            throw TextError(localized("'\(named)' is not a kind of interval"), hint: Interval.Kind.hint)
        }
        let time = try value(row, "time", "s", &leftOut, \.inSeconds) { text throws(Problem) in
            try Duration(runText: text)
        }
        let distance = try value(row, "distance", "m", &leftOut, \.meters) { text throws(Problem) in
            try Distance(runText: text)
        }
        var pace = try value(row, "pace") { text throws(Problem) in try Pace(runText: text) }
        if let text = row["pace_s_per_km"], !text.isEmpty {
            guard let seconds = Double(text.replacing(",", with: ".")), seconds > 0 else {
                throw TextError(localized("'\(text)' is not a pace in seconds"))
            }
            let other = Pace(seconds, .perKilometer)
            if let pace, !isNear(pace.metersPerSecond, other.metersPerSecond) { noteOther("pace_s_per_km", &leftOut) }
            pace = pace ?? other
        }
        let label = row["label"].map(WorkoutWords.clean) ?? ""
        let demands = try value(row, "effort") { text throws(Problem) in
            guard let demands = try Demands(runText: text) else {
                throw Problem(
                    0..<0, localized("'\(text)' is not a share, a zone, a range or a heart rate"),
                    hint: localized("for example 78-82%, 5:00-5:10/km or 140-150 bpm"))
            }
            return demands
        }
        // The pace follows from the share, and the distance from both.
        let hasShare = demands?.hasPace ?? false
        if hasShare {
            if let pace, let effort = demands?.effort { shares.append((effort, pace)) }
            pace = nil
        }
        if hasShare, time != nil, distance != nil { leftOut.note(localized("distances beside a time and a share")) }
        var interval = try interval(
            kind, label, row["until"] ?? "", time, hasShare && time != nil ? nil : distance, pace, &leftOut)
        if let demands { interval.demands = demands }
        return interval
    }

    private static func interval(
        _ kind: Interval.Kind, _ label: String, _ until: String, _ time: Duration?, _ distance: Distance?,
        _ pace: Pace?, _ leftOut: inout Losses
    ) throws(TextError) -> Interval {
        if !until.isEmpty {
            guard until.lowercased() == "lap" else {
                throw TextError(localized("'\(until)' is not lap"), hint: localized("write lap or nothing"))
            }
            return Interval(kind, .open(OpenEnd(about: time, pace: pace)), label: label)
        }
        do throws(RunError) {
            switch (time, distance, pace) {
            // If all three are given, the pace is ignored: the time is what one hears.
            case (let time?, _, let pace?) where distance == nil:
                return Interval(kind, .run(try Run(time, at: pace)), label: label)
            case (let time?, let distance?, _) where distance > .zero:
                let run = try Run(distance, in: time)
                if let pace, !isNear(run.pace.metersPerSecond, pace.metersPerSecond) {
                    leftOut.note(localized("paces other than those of time and distance"))
                }
                return Interval(kind, .run(run), label: label)
            case (let time?, _, _): return Interval(kind, .time(time), label: label)
            case (nil, let distance?, let pace?): return Interval(kind, .run(try Run(distance, at: pace)), label: label)
            case (nil, let distance?, nil): return Interval(kind, .distance(distance), label: label)
            case (nil, nil, _): throw RunError.time(isResult: false)
            }
        } catch .time(isResult: false) {
            throw TextError(localized("the interval has neither a time nor a distance"))
        } catch {
            throw TextError(error.description)
        }
    }

    /// The value of a column, written as in a plan (`time`), or else as a number of units (`time_s`), which is noted if it
    /// is another one.
    private static func value<Value>(
        _ row: [String: String], _ name: String, _ unit: String, _ leftOut: inout Losses,
        _ size: (Value) -> Double, _ read: (String) throws(Problem) -> Value
    ) throws(TextError) -> Value? {
        let written = try value(row, name, read)
        let column = "\(name)_\(unit)"
        // A rest covers no distance.
        let isNothing = name == "distance" && row[column].flatMap { Double($0.replacing(",", with: ".")) } == 0
        let number = isNothing ? nil : try value(row, column) { text throws(Problem) in try read(text + unit) }
        if let written, let number, !isNear(size(written), size(number)) { noteOther(column, &leftOut) }
        return written ?? number
    }

    private static func value<Value>(
        _ row: [String: String], _ name: String, _ read: (String) throws(Problem) -> Value
    ) throws(TextError) -> Value? {
        guard let text = row[name], !text.isEmpty, text != "–", text != "-" else { return nil }
        do throws(Problem) { return try read(text) } catch { throw error.error }
    }

    private static func noteOther(_ column: String, _ leftOut: inout Losses) {
        leftOut.note(localized("values of '\(column)' that contradict those of another column"))
    }

    // MARK: - Rows

    /// The rows of a table with their places, up to a quote that is never closed.
    private static func rows(
        _ bytes: [UInt8], _ faults: inout [Problem]
    ) -> [(fields: [String], range: Range<Int>)] {
        var rows: [(fields: [String], range: Range<Int>)] = []
        var reader = CSVFields(separator: CSVFields.separator(bytes.span))
        while reader.skipToRow(bytes.span) {
            var row = (fields: [String](), range: reader.position..<reader.position)
            do throws(CSVFields.Fault) {
                var isLast = false
                while !isLast {
                    let field = try reader.next(bytes.span)
                    row.fields.append(field.text(in: bytes.span))
                    row.range = row.range.lowerBound..<field.whole.upperBound
                    isLast = field.endsRow
                }
                rows.append(row)
            } catch {
                faults.append(Problem(error.place, error.error))
                if case .unclosedQuote = error { break }
                reader.skipRow(bytes.span)
            }
        }
        return rows
    }

    // MARK: - Writing

    static func write(_ plan: Plan) throws(TextError) -> [UInt8] {
        let hasOpenEnds = plan.hasOpenEnds
        let hasEfforts = !plan.written.allSatisfy(\.demands.isEmpty)
        var text = "kind,label,time,distance,pace\(hasEfforts ? ",effort" : "")\(hasOpenEnds ? ",until" : "")\n"
        for row in try plan.rows() {
            let interval = row.interval
            var fields = [interval.kind.rawValue, CSVText.quoted(interval.label), "", "", ""]
            switch interval.measure {
            case .time(let time): fields[2] = time.clock
            case .distance(let distance): fields[3] = distance.exactText
            case .run(let run):
                if run.result != .time { fields[2] = run.time.clock }
                if run.result != .distance { fields[3] = run.distance.exactText }
                if run.result != .pace { fields[4] = run.pace.exactText }
            case .open(let end):
                fields[2] = end.about?.clock ?? ""
                fields[4] = end.pace?.exactText ?? ""
            }
            if fields[4].isEmpty, case .run = interval.measure {
            } else if fields[4].isEmpty, let pace = row.extent.pace {
                fields[4] = pace.exactText
            }
            if hasEfforts { fields.append(interval.demands.text) }
            if hasOpenEnds { fields.append(interval.isOpen ? "lap" : "") }
            text += fields.joined(separator: ",") + "\n"
        }
        return Array(text.utf8)
    }
}
