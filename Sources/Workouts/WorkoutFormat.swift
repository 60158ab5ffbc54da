internal import Formats
internal import Languages
package import Running
package import Scores

/// The formats of workouts. This is the only list of them.
package enum WorkoutFormat: String, CaseIterable, Sendable {
    /// Barline's own text.
    case plan
    /// A Zwift workout.
    case zwift
    /// A Garmin workout.
    case fit
    /// The workout text of intervals.icu.
    case intervals
    /// A table with one row per interval.
    case csv

    /// The implementation of a format.
    struct Definition {
        /// The name of such a file in a sentence, such as "a Zwift workout".
        var name: String
        /// The extensions of file names, in lower case.
        var extensions: [String]
        /// How well the beginning of a file fits this format, 0...1.
        var fit: ([UInt8]) -> Double
        /// Reads a plan.
        var read: ([UInt8], String) -> WorkoutReading
        /// The features that its writer carries, or reports itself.
        var carries: Set<WorkoutFeature> = [.title, .threshold, .cadence, .groups, .nestedGroups]
        /// Writes a plan that has an end. The Int is the current time, in seconds since 1970.
        var write: (Plan, Int, WorkoutOptions, inout Losses) throws(WorkoutError) -> [UInt8]
    }

    var definition: Definition {
        switch self {
        case .plan:
            Definition(
                name: localized("a plan of intervals"), extensions: ["plan"],
                fit: { TrainingPlan.isLikely($0) ? 1 : Plan.fit($0) }, read: { readPlan($0, $1) },
                write: { plan, _, _, _ in Array(plan.text.utf8) })
        case .zwift:
            Definition(
                name: localized("a Zwift workout"), extensions: ["zwo"], fit: { ZwiftReader.recognizes($0) ? 1 : 0 },
                read: ZwiftReader.read,
                write: { plan, _, options, losses throws(WorkoutError) in
                    try ZwiftWriter.write(plan, options, &losses)
                })
        case .fit:
            Definition(
                name: localized("a Garmin workout"), extensions: ["fit"], fit: { FITBytes.recognizes($0) ? 1 : 0 },
                read: FITReader.read, carries: [.title, .threshold, .groups], write: FITWriter.write)
        case .intervals:
            Definition(
                name: localized("a workout of intervals.icu"), extensions: ["txt"], fit: IntervalsText.fit,
                read: IntervalsText.read, carries: [.groups],
                write: { plan, _, _, losses throws(WorkoutError) in try IntervalsText.write(plan, &losses) })
        case .csv:
            Definition(
                name: localized("a table of intervals"), extensions: ["csv"],
                fit: { WorkoutTable.recognizes($0) ? 1 : 0 }, read: WorkoutTable.read, carries: [],
                write: { plan, _, _, _ throws(WorkoutError) in try WorkoutTable.write(plan) })
        }
    }

    /// The extensions of file names for this format, in lower case, the usual one first.
    package var extensions: [String] { definition.extensions }

    /// The format for the extension of a file name; nil if there is none.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: ".") else { return nil }
        let ending = fileName[fileName.index(after: dot)...].lowercased()
        guard let format = Self.allCases.first(where: { $0.extensions.contains(ending) }) else { return nil }
        self = format
    }

    /// The format that bytes look like; nil if they look like no format other than a plan.
    package init?(content bytes: [UInt8]) {
        let fits = Self.fits(bytes, Self.allCases.filter { $0 != .plan })
        guard let best = fits.max(by: { $0.fit < $1.fit }), best.fit > 0 else { return nil }
        self = best.format
    }

    /// The name of a file of this format in a sentence, such as "a Zwift workout".
    package var name: String { definition.name }

    /// The formats that the extension of a file name can mean, for reading; empty if there are none.
    package static func candidates(fileName: String) -> [WorkoutFormat] {
        guard let format = WorkoutFormat(fileName: fileName) else { return [] }
        // Many keep their plans in text files, and a text without a step of intervals.icu is one of these.
        return format == .intervals ? [.plan, .intervals] : [format]
    }

    /// How well the beginning of a file fits each of these formats.
    package static func fits(
        _ bytes: [UInt8], _ formats: [WorkoutFormat]
    ) -> [(format: WorkoutFormat, fit: Double)] {
        let sample = Array(bytes.prefix(64 << 10))
        return formats.map { ($0, $0.definition.fit(sample)) }
    }

    /// Reads a workout; `file` is its name in messages. Never traps, whatever the bytes are. In a draft, Barline's own
    /// text may lack paces that are set later.
    package func read(_ bytes: [UInt8], file: String, isDraft: Bool = false) -> WorkoutReading {
        guard bytes.count <= WorkoutFormat.byteLimit else {
            return WorkoutReading(nil, [Diagnostic(.error, localized("a workout has at most 16 MiB"), file: file)])
        }
        return self == .plan && isDraft ? readPlan(bytes, file, isDraft: true) : definition.read(bytes, file)
    }

    /// Writes a plan in this format. `now` is the current time in seconds since 1970, for formats that record it.
    ///
    /// Errors: the plan cannot be laid out, has no end, or cannot be expressed in the format.
    package func write(
        _ plan: Plan, now: Int, _ options: WorkoutOptions = WorkoutOptions()
    ) throws(WorkoutError) -> WorkoutWriting {
        var losses = Losses()
        if self != .plan { losses.note(try plan.forFile(), but: definition.carries) }
        let bytes = try definition.write(plan, now, options, &losses)
        return WorkoutWriting(bytes: bytes, losses: losses.planSentences)
    }

    /// The largest size of a workout: 16 MiB.
    package static let byteLimit = 16 << 20
}

/// The result of reading a workout.
package struct WorkoutReading: Sendable {
    /// The plan; nil if and only if there is an error among the diagnostics.
    package var plan: Plan?
    /// Errors, and warnings about parts that were left out.
    package var diagnostics: [Diagnostic]
    /// The place of each written interval, for errors that are found later; empty if unknown.
    package var places: [Range<Int>]

    /// Makes a reading.
    package init(_ plan: Plan?, _ diagnostics: [Diagnostic] = [], places: [Range<Int>] = []) {
        (self.plan, self.diagnostics, self.places) = (plan, diagnostics, places)
    }
}

/// The error for a plan that cannot be written in a format.
package struct WorkoutError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, and what would be right.
    package var error: TextError

    init(_ message: String, hint: String? = nil) { error = TextError(message, hint: hint) }
    init(_ error: PlanError, _ plan: Plan) {
        let interval = error.written.map { "'\(plan.written[$0].text)': " } ?? ""
        self.error = TextError(interval + error.textError.message, hint: error.textError.hint)
    }

    /// The error as a phrase without a full stop.
    package var description: String { error.description }
}

private func readPlan(_ bytes: [UInt8], _ file: String, isDraft: Bool = false) -> WorkoutReading {
    let reading = Plan.read(bytes, isDraft: isDraft)
    return WorkoutReading(
        reading.plan,
        reading.faults.map { $0.diagnostic(in: bytes, file: file) }
            + reading.notes.map { $0.diagnostic(in: bytes, file: file, severity: .warning) },
        places: reading.places)
}

extension Plan {
    /// The plan with its length written out. The error names the interval that it is about.
    func forFile() throws(WorkoutError) -> Plan {
        do throws(PlanError) { return try writtenOut() } catch { throw WorkoutError(error, self) }
    }

    /// All intervals in the order in which they are done, for a format that is a plain list.
    func rows() throws(WorkoutError) -> [PlanTable.Row] {
        do throws(PlanError) { return try PlanTable(self).rows } catch { throw WorkoutError(error, self) }
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

/// The names of kinds of intervals in files of other programs.
enum WorkoutWords {
    /// The kind and label for a name in a file; the kind is nil if the name does not tell it.
    static func meaning(_ name: String) -> (kind: Interval.Kind?, label: String) {
        let text = clean(name)
        if let told = told(text) { return told }
        let lower = text.lowercased()
        let kinds: [(String, Interval.Kind)] = [
            ("warm", .warmUp), ("cool", .coolDown), ("walk", .walk), ("rest", .rest), ("recover", .rest),
            ("stand", .rest), ("run", .run), ("jog", .run),
        ]
        let isPlain = ["warmup", "warm up", "cooldown", "cool down"].contains(lower)
        return (kinds.first { lower.hasPrefix($0.0) }?.1, isPlain ? "" : text)
    }

    /// The kind and label of a text that begins with the name of a kind; nil for any other. "Walk briskly" is a walk with
    /// the label "briskly".
    static func told(_ text: String) -> (kind: Interval.Kind?, label: String)? {
        let lower = text.lowercased()
        guard let kind = Interval.Kind.allCases.first(where: { "\(lower) ".hasPrefix("\($0.rawValue) ") }) else {
            return nil
        }
        return (kind, clean(String(text.dropFirst(kind.rawValue.count + 1))))
    }

    /// A title or label from a file, in the form that plans allow: one line of at most 200 characters, no quotes.
    static func clean(_ text: String) -> String {
        let line = text.split(whereSeparator: { $0.isWhitespace }).joined(separator: " ")
        let scalars = line.unicodeScalars.filter { scalar in
            let category = scalar.properties.generalCategory
            return scalar != "\"" && category != .control && category != .lineSeparator
                && category != .paragraphSeparator
        }
        return String(String.UnicodeScalarView(scalars.prefix(Score.textLimit)))
    }
}
