internal import Languages
internal import Running
internal import Scores

extension Format {
    /// The largest size of a workout: 16 MiB.
    package static let planByteLimit = 16 << 20

    /// Reads a plan; `file` is its name in messages. Never traps, whatever the bytes are. In a draft, Barline's own text
    /// may lack paces that are set later.
    package func plan(_ bytes: [UInt8], file: String, isDraft: Bool = false) -> Document {
        func problem(_ message: String) -> Document { Document(file, [Diagnostic(.error, message, file: file)]) }
        guard let format = definition.plan else { return problem(localized("\(name) is not a plan")) }
        guard bytes.count <= Self.planByteLimit else { return problem(localized("a workout has at most 16 MiB")) }
        return format.read(bytes, file, isDraft)
    }
}

/// Barline's own text of plans.
enum PlanText {
    /// Reads a plan or, if the text has a week, a plan of weeks.
    static func read(_ bytes: [UInt8], _ file: String, isDraft: Bool) -> Document {
        let reading =
            TrainingPlan.isLikely(bytes)
            ? TrainingPlan.read(bytes, isDraft: isDraft) : Plan.read(bytes, isDraft: isDraft)
        var document = Document(
            file, plan: reading.plan,
            reading.faults.map { $0.diagnostic(in: bytes, file: file) }
                + reading.notes.map { $0.diagnostic(in: bytes, file: file, severity: .warning) },
            text: bytes, places: reading.places)
        (document.weeks, document.placesOfDays) = (reading.weeks, reading.placesOfDays)
        return document
    }
}

extension TextError {
    /// The error of a plan, which names the interval that it is about.
    init(_ error: PlanError, _ plan: Plan) {
        let interval = error.written.map { "'\(plan.written[$0].text)': " } ?? ""
        self.init(interval + error.textError.message, hint: error.textError.hint)
    }
}

extension Plan {
    /// The plan with its length written out. The error names the interval that it is about.
    func forFile() throws(TextError) -> Plan {
        do throws(PlanError) { return try writtenOut() } catch { throw TextError(error, self) }
    }

    /// All intervals in the order in which they are done, for a format that is a plain list.
    func rows() throws(TextError) -> [PlanTable.Row] {
        do throws(PlanError) { return try PlanTable(self).rows } catch { throw TextError(error, self) }
    }
}

extension [Plan.Part] {
    /// The intervals in the order in which they are done, with repeats written out.
    var unfolded: [Interval] {
        flatMap { part in
            switch part {
            case .interval(let interval): [interval]
            case .group(let count, let parts): (0..<count).flatMap { _ in parts.unfolded }
            }
        }
    }
}
