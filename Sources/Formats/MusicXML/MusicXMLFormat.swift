internal import Languages
internal import Scores

/// How MusicXML is recognized, and where it is in a compressed file.
///
/// Source: "MusicXML 4.0", W3C Music Notation Community Group.
enum MusicXMLFormat {
    /// Whether the beginning of a text has the element of a score, or a file is a zip archive.
    static func recognizes(_ source: SourceText) -> Bool {
        if ZipArchive.recognizes(source.bytes) { return true }
        let start = source.text(0..<min(source.bytes.count, 16_384))
        return start.utf8.first { !$0.isBlank && $0 != 0x0A && $0 != 0x0D } == UInt8(ascii: "<")
            && (start.contains("<score-partwise") || start.contains("<score-timewise"))
    }

    /// The text of a score: the file itself or, if it is a zip archive (.mxl), the file that its container names.
    static func text(in source: SourceText) throws(Problem) -> SourceText {
        guard ZipArchive.recognizes(source.bytes) else { return source }
        let archive = try ZipArchive(source.bytes)
        let container = "META-INF/container.xml"
        guard let bytes = try archive.content(of: container) else {
            throw Problem(
                0, localized("this zip file holds no MusicXML: it has no \(container)"),
                hint: localized("give a file that ends with .mxl"))
        }
        guard let path = rootFile(bytes) else {
            throw Problem(0, localized("\(container) in this zip file does not name a score"))
        }
        guard let bytes = try archive.content(of: path) else {
            throw Problem(
                0, localized("this zip file is incomplete: \(TextError.quoted(path)), its score, is missing"))
        }
        return SourceText(bytes, file: "\(source.file)/\(path)")
    }

    /// The path of the first file that is MusicXML.
    private static func rootFile(_ bytes: [UInt8]) -> String? {
        guard let root = try? XMLText.parse(bytes, kind: localized("a container")) else { return nil }
        let files = root.child("rootfiles")?.children.filter { $0.name == "rootfile" } ?? []
        let isScore = { (file: XMLElement) in
            file.attributes["media-type"].map { $0.contains("musicxml") } ?? true
        }
        return files.first(where: isScore)?.attributes["full-path"]
    }
}
