internal import Formats
internal import Languages
internal import Scores
internal import Workouts

/// A format in which a command takes a score: those of scores, and those of plans of intervals.
enum InputFormat: Hashable, Sendable {
    case score(ScoreFormat)
    case plan(WorkoutFormat)

    /// All of them. A table is known by its header, so `csv` stands for that of a score.
    static let all: [InputFormat] =
        ScoreFormat.allCases.filter(\.canRead).map { .score($0) }
        + WorkoutFormat.allCases.filter { $0 != .csv }.map { .plan($0) }

    /// The value of `--format`.
    var option: String {
        switch self {
        case .score(let format): format.rawValue
        case .plan(let format): format.rawValue
        }
    }

    /// The name in a sentence, such as "a klick tempo map".
    private var name: String {
        switch self {
        case .score(let format): format.name
        case .plan(let format): format.name
        }
    }

    /// The values of `--format`, for help and errors.
    static let options = all.map(\.option).joined(separator: ", ")

    /// The format of a file: the one that its name tells or, if that can be several, the one that its content fits best.
    ///
    /// Errors: two formats fit about equally well, or none does.
    static func find(_ bytes: [UInt8], file: String) throws(TextError) -> InputFormat {
        var (scores, plans) = (ScoreFormat.candidates(fileName: file), WorkoutFormat.candidates(fileName: file))
        let isNamed = scores.count + plans.count > 0
        if scores.count + plans.count == 1 { return scores.first.map { .score($0) } ?? .plan(plans[0]) }
        if !isNamed { (scores, plans) = (ScoreFormat.allCases, WorkoutFormat.allCases) }
        let fits =
            ScoreFormat.fits(bytes, scores).map { (format: InputFormat.score($0.format), fit: $0.fit) }
            + WorkoutFormat.fits(bytes, plans).map { (format: .plan($0.format), fit: $0.fit) }
        return try FormatFit.find(
            fits, isNamed: isNamed, table: .score(.csv), usual: .score(.yaml), name: \.name
        ) { localized("add --format \($0.option) or --format \($1.option)") }
    }
}
