internal import Files
internal import Languages
internal import Scores

/// Where a score comes from: a file, standard input, or the program itself.
package enum ScoreSource: Sendable, Equatable {
    /// A file at a path.
    case file(path: String)
    /// A score in the user's folder.
    case user(name: String, path: String)
    /// A score that is part of the program.
    case bundled(BundledScore)
    /// Standard input.
    case standardInput

    /// Finds the source that the user means by `text`: `-` is standard input. It is a path if a file with that path
    /// exists, if it contains a `/`, or if it has the ending of a score file. Otherwise it is the name of a score,
    /// first in the user's folder, then among the bundled scores.
    ///
    /// Errors: `.notFound`, `.isDirectory`, `.unreadable` if the system does not tell what is there.
    package static func find(
        _ text: String, environment: [String: String]
    ) throws(ScoreSourceError) -> ScoreSource {
        if text == "-" { return .standardInput }
        let folder = ScoreFolder(environment: environment)
        let isPath = text.contains("/") || Format(fileName: text) != nil
        let isDirectory = FileBytes.isDirectory(text)
        if isPath, isDirectory { throw .isDirectory(path: text) }
        if !text.isEmpty, !isDirectory, FileBytes.exists(text) { return .file(path: text) }
        if !isPath {
            if let path = folder?.path(of: text) { return .user(name: text, path: path) }
            if let score = BundledScore.named(text) { return .bundled(score) }
            if isDirectory { throw .isDirectory(path: text) }
        }
        if let error = FileBytes.refusal(text) { throw .unreadable(text, reason: error.reason) }
        if !isPath, let folder, let error = folder.refusal { throw .unreadable(folder.path, reason: error.reason) }
        let names = (folder?.names ?? []) + BundledScore.all.map(\.name)
        let word = isPath ? ScoreFolder.name(ofPath: text) : text
        throw .notFound(text, isPath: isPath, nearest: Suggestion.nearest(to: word, in: names))
    }

    /// The name for messages: the path, the file's path in the user's folder, or the name.
    package var displayName: String {
        switch self {
        case .file(let path), .user(_, let path): path
        case .bundled(let score): score.name + ".yaml"
        case .standardInput: localized("standard input")
        }
    }

    /// The folder to which names of files in the score are relative; nil if the score may not name files.
    package var folder: String? {
        switch self {
        case .file(let path), .user(_, let path): FileBytes.folder(of: path)
        case .bundled: nil
        case .standardInput: "."
        }
    }

    /// The path of the file; nil if it is not a file.
    package var path: String? {
        switch self {
        case .file(let path), .user(_, let path): path
        case .bundled, .standardInput: nil
        }
    }

    /// Reads all bytes.
    ///
    /// Errors: `.isDirectory`, `.unreadable`, `.tooLarge`. Standard input can be read only once.
    package func bytes() throws(ScoreSourceError) -> [UInt8] {
        do throws(FileBytes.Fault) {
            switch self {
            case .file(let path), .user(_, let path):
                return try FileBytes.read(path, limit: SourceText.byteLimit)
            case .standardInput:
                return try FileBytes.read(descriptor: 0, limit: SourceText.byteLimit)
            case .bundled(let score):
                return score.bytes
            }
        } catch {
            switch error {
            case .isDirectory: throw .isDirectory(path: displayName)
            case .tooLarge: throw .tooLarge(displayName)
            case .system(let error): throw .unreadable(displayName, reason: error.reason)
            }
        }
    }

    /// Reads the score, in `format` if it is not nil.
    ///
    /// Errors: those of `bytes()`; errors in the file itself are in the reading.
    package func read(format: Format? = nil) throws(ScoreSourceError) -> Document {
        Score.read(try bytes(), file: displayName, format: format, folder: folder)
    }
}

/// Why there is no score to read.
public enum ScoreSourceError: Error, Equatable, CustomStringConvertible {
    /// There is no such file (`isPath`) or no score with that name; `nearest` is a similar name, if there is one.
    case notFound(String, isPath: Bool, nearest: String?)
    /// The path is a folder.
    case isDirectory(path: String)
    /// The bytes cannot be read, for the reason given by the system.
    case unreadable(String, reason: String)
    /// The score has more than 64 MiB.
    case tooLarge(String)

    /// The error as a phrase without a final period.
    public var description: String {
        switch self {
        case .notFound(let text, let isPath, let nearest):
            let quoted = TextError.quoted(text)
            return TextError.joined(
                isPath
                    ? localized("there is no file \(quoted)")
                    : localized("there is no file and no score named \(quoted)"),
                nearest.map { localized("did you mean the score '\($0)'?") })
        case .isDirectory(let path): return localized("\(TextError.quoted(path)) is a folder, not a score")
        case .unreadable(let name, let reason): return localized("\(TextError.quoted(name)) cannot be read: \(reason)")
        case .tooLarge(let name):
            return localized("\(TextError.quoted(name)) is too large: a score file has at most 64 MiB")
        }
    }
}
