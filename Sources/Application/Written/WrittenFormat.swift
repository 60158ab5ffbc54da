package import Formats
internal import Languages
internal import Scores

/// A format that `convert` writes: those of scores, and the page that plays by itself.
package enum WrittenFormat: Equatable, Sendable {
    case score(Format)
    case page

    /// All of them.
    package static let all: [WrittenFormat] = Format.allCases.filter(\.canWrite).map { .score($0) } + [.page]

    /// Those that are drawn on paper.
    package static let pictures = Format.allCases.filter(\.isPicture).map { WrittenFormat.score($0) }

    /// The values of `--to`, for help and errors.
    package static let options = all.map(\.option).joined(separator: ", ")

    /// The value of `--to`.
    package var option: String {
        switch self {
        case .score(let format): format.rawValue
        case .page: "html"
        }
    }

    /// The name of such a file in a sentence.
    package var name: String {
        switch self {
        case .score(let format): format.name
        case .page: localized("a page that plays by itself")
        }
    }

    /// The endings of file names, in lower case, the usual one first.
    package var extensions: [String] {
        switch self {
        case .score(let format): format.extensions
        case .page: ["html", "htm"]
        }
    }

    /// The formats that the ending of a file name can mean.
    package static func candidates(fileName: String) -> [WrittenFormat] {
        if let ending = FileKind.extension(of: fileName), page.extensions.contains(ending) { return [.page] }
        return Format.candidates(fileName: fileName, writing: true).map { .score($0) }
    }
}
