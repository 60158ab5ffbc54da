internal import Formats
internal import Languages
internal import Scores
internal import Screens
internal import Serving
internal import Timing
internal import UserSettings

/// A format that `convert` writes: those of scores, and the page that plays by itself.
enum WrittenFormat: Equatable, Sendable {
    case score(ScoreFormat)
    case page

    /// All of them.
    static let all: [WrittenFormat] = ScoreFormat.allCases.filter(\.canWrite).map { .score($0) } + [.page]

    /// The values of `--to`, for help and errors.
    static let options = all.map(\.option).joined(separator: ", ")

    /// The value of `--to`.
    var option: String {
        switch self {
        case .score(let format): format.rawValue
        case .page: "html"
        }
    }

    /// The name of such a file in a sentence.
    var name: String {
        switch self {
        case .score(let format): format.name
        case .page: localized("a page that plays by itself")
        }
    }

    /// The endings of file names, in lower case, the usual one first.
    var extensions: [String] {
        switch self {
        case .score(let format): format.extensions
        case .page: ["html", "htm"]
        }
    }

    /// The formats that the ending of a file name can mean.
    static func candidates(fileName: String) -> [WrittenFormat] {
        if let ending = FileKind.extension(of: fileName), page.extensions.contains(ending) { return [.page] }
        return ScoreFormat.candidates(fileName: fileName, writing: true).map { .score($0) }
    }
}

/// A page that plays a performance by itself.
enum WrittenPage {
    /// The file, and what it does not carry.
    ///
    /// Errors: the music has no end, or too many bars.
    static func write(
        _ performance: Performance, _ run: ShownRun?, _ choices: StandChoices
    ) throws(TextError) -> Writing {
        let look = PageLook(how: choices.flash.rawValue, barColor: choices.barColor, lineColor: choices.lineColor)
        let bytes = try SentPage.bytes(performance, run, look: look)
        var losses: [String] = []
        if performance.cues.speech != nil { losses.append(localized("the page does not speak; it has the signals")) }
        if performance.drone?.variation ?? 0 != 0 {
            losses.append(localized("the drone of the page does not wander in level"))
        }
        return Writing(bytes: bytes, losses: losses)
    }
}
