internal import Formats
internal import Playback

/// A kind of file that can be made of the music that plays.
enum MadeKind: Sendable {
    case sound(FileType)
    case score(ScoreFormat)

    /// All of them.
    private static let all: [MadeKind] =
        FileType.allCases.filter { $0 != .rf64 }.map { .sound($0) }
        + ScoreFormat.allCases.filter(\.canWrite).map { .score($0) }

    /// Their names, sound first.
    static let names = all.map(\.name)

    /// The kind of file with this name, such as `wav` or `midi`; nil if the program makes none.
    init?(_ name: String) {
        guard let kind = MadeKind.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// The name, as for `render --type` and `convert --to`.
    private var name: String {
        switch self {
        case .sound(let type): type.rawValue
        case .score(let format): format.rawValue
        }
    }

    /// The ending of file names.
    private var ending: String {
        switch self {
        case .sound(let type): type.extensions.first ?? type.rawValue
        case .score(let format): format.extensions.first ?? format.rawValue
        }
    }

    /// The media type, which makes browsers store the file and show nothing of it.
    static let mediaType = "application/octet-stream"

    /// The name of a file of a piece with this title: nothing in it means anything to a file system.
    func fileName(_ title: String) -> String {
        let safe = title.map { $0.isLetter || $0.isNumber || " -_',()&".contains($0) ? $0 : "-" }.prefix(60)
        let name = String(safe).split(separator: " ").joined(separator: " ")
        return (name.isEmpty ? "score" : name) + "." + ending
    }
}
