/// The names of files that have one voice of a piece.
package enum VoiceFile {
    /// The name of a voice as a part of a file's name. If only a slash tells two of them apart, all have their numbers.
    package static func name(_ number: Int, of names: [String]) -> String {
        let safe = names.map { $0.replacing("/", with: "-") }
        return Set(safe).count < safe.count ? "\(safe[number])-\(number + 1)" : safe[number]
    }
}

extension FileKind {
    /// The path of a file beside another one, for a part of it: `piece-click.wav` beside `piece.wav`.
    package static func path(_ path: String, part: String) -> String {
        let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        let end = name.dropFirst().lastIndex(of: ".").map { String(name[$0...]) } ?? ""
        return "\(path.dropLast(end.count))-\(part)\(end)"
    }
}
