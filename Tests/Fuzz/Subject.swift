import Formats
import Scores

/// A format and a source of mutated texts in it.
struct Subject {
    /// nil to detect the format from the content.
    var format: Format?
    var mutation: Mutation

    /// All formats that can be read, with mutations of the samples of the tests. Every second subject is a score in
    /// YAML.
    static func all(seed: UInt64) -> [Subject] {
        let words = Mutation.otherWords
        let others: [(Format?, [String])] = [
            (.klick, ["tempo-map.klick"]), (.clickTracker, ["etude-utf8.txt", "etude-latin1.txt", "etude-utf16.txt"]),
            (.soap, ["study.soap"]), (.midi, ["tempo-map.mid", "format-0.mid", "smpte.mid"]),
            (.audacity, ["points.txt", "regions.txt"]),
            (.reaper, ["regions.csv"]), (.csv, ["timeline.csv"]), (.musicxml, ["study.musicxml"]),
            (.musicxml, ["study.musicxml", "musicxml/meters.musicxml", "musicxml/dal-segno-al-coda.mxl"]),
            (
                nil,
                [
                    "tempo-map.klick", "etude-utf8.txt", "points.txt", "regions.csv", "timeline.csv", "tempo-map.mid",
                    "study.soap",
                ]
            ),
        ]
        return others.enumerated().flatMap { index, other in
            let mutation = Mutation(seed: seed &+ UInt64(index), other.1.map(sample), words)
            return [
                Subject(format: other.0, mutation: mutation),
                Subject(format: .yaml, mutation: Mutation(seed: seed &+ UInt64(index))),
            ]
        }
    }

    private static func sample(_ name: String) -> [UInt8] {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        let bytes = try? ScoreSource.file(path: "/\(folder)/FormatsTests/Samples/\(name)").bytes()
        guard let bytes else { fatalError("there is no sample \(name)") }
        return bytes
    }
}

extension Mutation {
    /// Words in the formats of other programs.
    static let otherWords =
        [
            "4/4", "3+2/8", "2/4 + 3/8", " x 4", " x 999999", "120-60", "60,61,62,63", "Xx..", "a: ", "t 60 8\n",
            "tc 120 8\n", "tc 9 0.25 0.5\n", "rep 4 3\n", "rep 1 1000000\n", "cue A\n", "1 b\n", "0.5 s\n", "1:3 f\n",
            "first 9\n", "pickup 2\n", "subdiv 0\n", "\t", "\r", "\n", "\"", "M1,", "R2,x,", "0:01.5", "1.1.00",
            "99999999999", "0.000001", "1e9", "-1", "#", "\\", "start", "duration\n", "5.7 x",
            "BAR 9 ", "BAR 999999 END\n", "[7/16] ", "[2+3/8] ", "TEMPO [1/4]=90 ", "TEMPO [3/8]=[1/4] ", "curve 2 ",
            "|2.5 ",
            "|3 ", "FERMATA [1/4]=9s ", "FERMATA [3/8]=2* ", "FERMATA [1/4]=? ", "1m2.5s ",
            "<note><duration>7</duration></note>", "<sound tempo='90'/>", "<sound dacapo='yes'/>",
            "<sound fine='yes'/>",
            "<barline location='left'><repeat direction='forward'/></barline>", "</measure><measure>",
            "<barline><repeat direction='backward'/></barline>", "<divisions>7</divisions>",
            "<barline><ending number='2' type='start'/></barline>", "<sound tempo='77.7'><offset>5</offset></sound>",
            "<barline><fermata/></barline>", "<beats>5</beats><beat-type>8</beat-type>",
        ].map { Array($0.utf8) } + [
            [0xFF, 0x51, 3, 7, 0xA1, 0x20], [0, 0xFF, 0x58, 4, 3, 3, 24, 8], [0, 0xFF, 0x58, 4, 255, 10, 24, 8],
            [0xFF, 0xFF, 0xFF, 0x7F], [0, 0xFF, 0x2F, 0], [0, 0xFF, 6, 1, 65], Array("MTrk".utf8), [0, 0, 0, 4],
            [0xF0, 2, 0, 0xF7],
            [0xFF, 0xFE], [0, 0], [0xE9],
        ]
}
