import Formats
import Foundation
import Languages
import SampleScores
import Scores
import Shared
import Testing
import Timing

struct PictureTextTests {
    /// A text of an SVG picture, with the room that it takes in points.
    private struct Box {
        var text: String
        var left, right, top, bottom: Double

        func overlaps(_ other: Box) -> Bool {
            left < other.right && other.left < right && top < other.bottom && other.top < bottom
        }
    }

    @Test("the head of a picture names the drone that sounds at its first bar, also in a part of a piece")
    func droneOfPart() throws {
        let text = "drone: A4\nbars: [2, {duration: 2, drone: A3}, 2, {duration: 2, drone: off}, 2]\n"
        let score = try #require(Score.read(Array(text.utf8), file: "x.yaml").score)
        for (first, name) in [(0, "drone A4"), (2, "drone A3"), (4, nil)] as [(Int, String?)] {
            let part = PlayedScore(score, passage: Passage(Timeline(score), bars: first..<5), speed: .asWritten)
            let svg = String(decoding: try Format.svg.write(part).bytes, as: UTF8.self)
            // The facts in the head have dots between them.
            let head = svg.split(whereSeparator: { $0 == "<" || $0 == ">" }).first { $0.hasPrefix("0:") }
            let drone = head?.components(separatedBy: " \u{B7} ").first { $0.hasPrefix("drone") }
            #expect(head != nil && drone == name)
        }
    }

    /// The texts of each sheet. Fonts that a viewer takes instead of Helvetica are up to a quarter wider.
    private func sheets(_ score: Score) throws -> [[Box]] {
        let svg = String(decoding: try Format.svg.write(played(score)).bytes, as: UTF8.self)
        return svg.components(separatedBy: "<g transform=").dropFirst().map { (sheet: String) -> [Box] in
            sheet.components(separatedBy: "<g font-size=\"").dropFirst().flatMap { (group: String) -> [Box] in
                let size = Double(group.prefix { $0 != "\"" }) ?? 0
                let head = group.prefix { $0 != ">" }
                return group.components(separatedBy: "<text x=\"").dropFirst().map { (part: String) -> Box in
                    let x = Double(part.prefix { $0 != "\"" }) ?? 0
                    let y = Double(part.components(separatedBy: " y=\"")[1].prefix { $0 != "\"" }) ?? 0
                    let text = String(part.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" })
                        .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
                    let width = Helvetica.width(text, size: size, isBold: head.contains("\"bold\"")) * 1.25
                    let left = head.contains("middle") ? x - width / 2 : head.contains("\"end\"") ? x - width : x
                    return Box(
                        text: text, left: left, right: left + width, top: y - size * 0.72, bottom: y + size * 0.2)
                }
            }
        }
    }

    private func check(_ score: Score) throws {
        for boxes in try sheets(score) {
            for (index, box) in boxes.enumerated() {
                #expect(box.left >= 0 && box.right <= 595.28 && box.top >= 0 && box.bottom <= 841.89, "\(box)")
                for other in boxes[..<index] { try #require(!box.overlaps(other), "\(box) \(other)") }
            }
        }
    }

    /// All texts in one, without blanks, to find those that have several lines.
    private func words(_ score: Score) throws -> [String] { try sheets(score).joined().map(\.text) }

    @Test("in a picture of a random score, no text overlaps another, and every bar has its meter")
    func random() throws {
        var random = Seeded(state: 31)
        for number in 0..<150 {
            let plain = try random.score()
            var lines = plain.lines
            for line in lines.indices {
                for bar in lines[line].bars.indices where Int.random(in: 0...9, using: &random) == 0 {
                    let isLong = Bool.random(using: &random)
                    lines[line].bars[bar].label =
                        isLong ? String(repeating: "longlabel", count: 20) : "a label of several words"
                    lines[line].bars[bar].cue =
                        "a cue that is longer than its bar, and needs more than one line, it seems"
                }
            }
            let titles = ["Study", "A title of many words that is much too long for one line of a sheet of paper"]
            var score = Score(
                title: titles[number % 2], composer: number % 3 == 0 ? "A. Composer" : nil, lines: lines)
            score.beats = plain.beats
            score.grid = plain.grid
            try check(score)
            let shown = try words(score)
            let joined = score.lines.reduce(0) { $0 + $1.passes } > 15
            for meter in Set(score.lines.flatMap(\.bars).compactMap { $0.meter?.text }) {
                let count = score.lines.reduce(0) { sum, line in
                    sum + line.bars.count { $0.meter?.text == meter } * (joined ? 1 : line.passes)
                }
                #expect(shown.count { $0 == meter } >= count, "\(meter)")
            }
        }
    }

    @Test("meters of short bars are above their bars, in several levels")
    func short() throws {
        let bars = (0..<60).map { ["3+2+2/8", "3+2/16", "1/64", "5/16", "2/4 + 3/8"][$0 % 5] }
        let score = try score("tempo: 1/8 = 600\nlines: [[\(bars.joined(separator: ", "))], [60, 1/64 x 50, 30]]")
        try check(score)
        let shown = try words(score)
        #expect(shown.count { $0 == "3+2+2/8" } == 12)
        #expect(shown.count { $0 == "1/64" } == 62)
    }

    @Test("labels, cues, titles and sections of any length are shown whole, in several lines")
    func long() throws {
        let text = (0..<28).map { "word\($0)" }.joined(separator: " ")
        let score = try score(
            """
            title: \(text)
            composer: \(text)
            sections:
              - label: \(text)
                lines: [[{meter: 4/4, label: \(text), cue: \(text)}, 3/4, {meter: 3/4, label: \(text), cue: \(text)}], [3/4]]
            """)
        try check(score)
        let shown = try words(score).flatMap { $0.split(separator: " ") }
        for number in 0..<28 { #expect(shown.count { $0 == "word\(number)" } >= 7) }
    }

    @Test("a bracket's label and cue of any length are shown whole")
    func brackets() throws {
        let text = (0..<28).map { "word\($0)" }.joined(separator: " ")
        let score = try score(
            """
            title: Two
            brackets:
              - {start: 0:00 - 0:45, end: 0:30 - 1:15}
              - {label: \(text), start: 1:15, end: 2:00, cue: \(text)}
            """)
        try check(score)
        let shown = try words(score).flatMap { $0.split(separator: " ") }
        for number in 0..<28 { #expect(shown.count { $0 == "word\(number)" } == 2) }
    }

    @Test("bar numbers run on through all lines, as in printed music")
    func numbers() throws {
        let shown = try words(try score("first-bar: 10\npickup: 1\nlines: [[3, 4], [5, 6], [7, 8]]"))
        for number in 9...14 { #expect(shown.contains("\(number)")) }
        // A repeat has the same numbers again.
        let again = try words(try score("lines: [{repeat: 3, bars: [3.5, 4.5]}]"))
        #expect(again.count { $0 == "2" } >= 3)
    }

    @Test("a bar with a hold shows its own length, and the length of the hold at the fermata")
    func hold() throws {
        let shown = try words(try score("bars: [2.7, {duration: 1.3, hold: 7}]"))
        #expect(shown.contains("1.3") && shown.contains("7") && !shown.contains("8.3"))
    }

    @Test("a picture has no English word in another language")
    func translated() async {
        await #expect(processExitsWith: .success) {
            for language in Language.allCases where language != .en {
                speak(language)
                let score = try score(
                    """
                    tuning: meantone
                    tonic: D
                    instrument: Bb
                    drone: B4
                    count-in: 2 beats
                    timecode: 01:00:10:00 @ 25
                    bars:
                      - {meter: 4/4, tempo: 1/4 = 60, ramp: {to: 1/4 = 90, over: 8 beats}, drone: off}
                      - {meter: 4/4, hit: 0:04.4 at beat 2}
                      - {duration: 2, hold: until cue}
                      - {duration: 20, hold: {until: cue, length: 12}, drone: {level: -20 dB}}
                    """)
                let shown = try PictureTextTests().words(score)
                let words = Set(shown.joined(separator: " ").split { $0 == " " || $0 == "," })
                let english = [
                    "drone", "count-in", "beats", "from", "cue", "hit", "beat", "written", "to", "on", "off", "at",
                ]
                #expect(words.isDisjoint(with: english.map { $0[...] }), "\(language): \(shown)")
                #expect(words.contains("Bb") && words.contains("1/4"), "\(shown)")
                try PictureTextTests().check(score)
            }
        }
    }

    @Test("tempi are shown where they change, and modulations with their tuplet and the tempo that results")
    func modulations() throws {
        let shown = try words(
            try score(
                """
                tempo: 1/4 = 92
                lines:
                  - [4/4, {meter: 4/4, tempo: 1/4 = 1/4 3:2}, 4/4]
                  - [{meter: 4/4, tempo: 1/8 5:4 = 1/8}, 4/4]
                  - [{meter: 4/4, tempo: 1/4 = 1/4.}, {meter: 6/8, tempo: 1/8 3:2 = 90}]
                  - {tempo: 1/2 = 50, bars: [4/4, 3/4]}
                """))
        for text in [
            "1/4 = 92", "1/4 = 1/4 3:2 (1/4 = 61.33)", "1/8 5:4 = 1/8 (1/8 = 153.33)", "1/4 = 1/4. (1/4. = 76.67)",
            "1/8 3:2 = 90", "1/2 = 50",
        ] {
            #expect(shown.contains(text), "\(text)")
        }
        #expect(shown.count { $0 == "1/4 = 92" } == 1)
    }
}
