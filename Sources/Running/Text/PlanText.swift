internal import Languages
public import Scores

/// The result of reading the text of a plan or of a plan of weeks.
public struct PlanReading: Sendable {
    /// The plan; nil if there are faults, and for a plan of weeks.
    public var plan: Plan?
    /// The plan of weeks; nil if there are faults, and for a single plan.
    package var weeks: TrainingPlan?
    /// The faults, in order of place, at most 20.
    public var faults: [Problem] = []
    /// How parts were understood that may not mean what their author wanted; at most 20.
    public var notes: [Problem] = []
    /// The places of all written intervals, and then of all texts to speak, for errors that are found later.
    public var places: [Range<Int>] = []
    /// The same of each workout of a plan of weeks.
    package var placesOfDays: [TrainingPlan.Slot: [Range<Int>]] = [:]

    /// Makes a reading for a plan that has no text.
    public init(_ plan: Plan? = nil, faults: [Problem] = [], places: [Range<Int>] = []) {
        (self.plan, self.faults, self.places) = (plan, faults, places)
    }
}

extension Plan {
    /// Reads a plan: intervals, groups and settings, with commas or line ends between them.
    ///
    /// For example `10x(run 0:30, walk 0:30), walk 1:00`; the page on running has the whole grammar. Never traps,
    /// whatever the bytes are.
    ///
    /// A draft may leave out paces that are to be found or set later: an unknown time or distance is no fault in it.
    public static func read(_ bytes: [UInt8], isDraft: Bool = false) -> PlanReading {
        read(bytes, isDraft: isDraft, settings: Plan())
    }

    /// Reads a plan that begins with the settings of another one, and can change them.
    static func read(_ bytes: [UInt8], isDraft: Bool, settings: Plan) -> PlanReading {
        var reader = PlanReader(bytes, settings: settings)
        return reader.read(isDraft: isDraft)
    }

    /// Whether a word is the name of a setting, which stands before a colon.
    static func isSetting(_ word: String) -> Bool {
        let name = word.lowercased()
        return PlanWords.settings.contains(name) || Interval.Kind.typed[name] != nil
    }

    /// How well the beginning of a text fits a plan: the share of its intervals and settings that are valid, 0...1.
    package static func fit(_ bytes: [UInt8]) -> Double {
        var reader = PlanReader(bytes)
        return reader.fit()
    }

    /// Reads a plan; throws the first fault.
    public init(runText text: String) throws(Problem) {
        let reading = Plan.read(Array(text.utf8))
        if let fault = reading.faults.first { throw fault }
        self = reading.plan ?? Plan()
    }
}

/// The words of plans.
enum PlanWords {
    /// The settings, beside the paces of kinds.
    static let settings = ["title", "threshold", "count-in", "cadence"]

    /// The largest number of Unicode scalars of a title or label.
    static let nameLimit = Score.textLimit

    /// Checks a title or label: not empty, one line of at most 200 characters.
    static func name(_ text: String, _ range: Range<Int>, _ what: String) throws(Problem) -> String {
        let scalars = text.unicodeScalars
        let trimmed = text.trimmingBlanks
        guard !trimmed.isEmpty else {
            throw Problem(range, localized("\(what) cannot be empty"), hint: localized("leave it out"))
        }
        guard scalars.count <= Score.textLimit else {
            throw Problem(range, localized("\(what) has at most 200 characters"))
        }
        let isClean = scalars.allSatisfy { scalar in
            let category = scalar.properties.generalCategory
            return category != .control && category != .lineSeparator && category != .paragraphSeparator
        }
        guard isClean else {
            throw Problem(range, localized("\(what) must be one line without control characters"))
        }
        return trimmed
    }
}
