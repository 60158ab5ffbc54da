import Formats
import SampleScores
import Scores
import Shared
import Testing
import Timing

/// The numbers of measures. Each measure has a length of its own, so that the lengths of bars name their measures.
struct MusicXMLNumberTests {
    private static let forward = "<barline location='left'><repeat direction='forward'/></barline>"
    private static let backward = "<barline location='right'><repeat direction='backward'/></barline>"

    /// A measure: its number, its length in quarters, its other attributes and content.
    private struct Measure {
        var number: String
        var length = 4
        var attributes = ""
        var content = ""
    }

    private func file(_ measures: [Measure]) -> [UInt8] {
        var text = "<score-partwise><part-list/><part id='P1'>\n"
        for (index, measure) in measures.enumerated() {
            text += "<measure number='\(measure.number)' \(measure.attributes)>"
            if index == 0 {
                text += "<attributes><divisions>1</divisions><time><beats>4</beats><beat-type>4</beat-type></time>"
                text += "</attributes><sound tempo='60'/>"
            }
            text += "<note><duration>\(measure.length)</duration></note>\(measure.content)</measure>\n"
        }
        return Array((text + "</part></score-partwise>\n").utf8)
    }

    private func numbers(_ measures: [Measure]) throws -> [String] {
        numbers(try #require(musicXMLReading(file(measures)).score))
    }

    private func numbers(_ score: Score) -> [String] {
        let timeline = Timeline(score)
        return (0..<timeline.barCount).map { "\(timeline[$0].number)" }
    }

    @Test("every pass of a measure has the measure's own number")
    func examples() throws {
        let back = Self.backward
        let repeats = [Measure(number: "1", content: back), Measure(number: "2", content: back), Measure(number: "3")]
        #expect(try numbers(repeats) == ["1", "1", "2", "2", "3"])
        var fine = (1...5).map { Measure(number: "\($0)") }
        (fine[2].content, fine[4].content) = ("<sound fine='yes'/>", "<sound dacapo='yes'/>")
        #expect(try numbers(fine) == ["1", "2", "3", "4", "5", "1", "2", "3"])
        let pickup = [
            Measure(number: "1", length: 1, attributes: "implicit='yes'"),
            Measure(number: "2", length: 3, content: back),
            Measure(number: "X1", length: 1, attributes: "implicit='yes'", content: Self.forward), Measure(number: "3"),
            Measure(number: "4", content: back),
        ]
        #expect(try numbers(pickup) == ["1", "2", "1", "2", "X1", "3", "4", "X1", "3", "4"])
        #expect(
            try numbers(["1", "2", "41", "42", "42a", "43"].map { Measure(number: $0) })
                == ["1", "2", "41", "42", "42a", "43"])
        #expect(
            try numbers([Measure(number: "0", length: 1), Measure(number: "1"), Measure(number: "2")])
                == ["0", "1", "2"])
    }

    /// A file with repeats, endings, jumps, pickups, implicit measures and restarts at random. Measure n lasts n + 1
    /// quarters, or one if it is a pickup.
    private func random(_ random: inout Seeded) -> [Measure] {
        var measures: [Measure] = []
        var next = random.pick([0, 1, 1, 1, 17, 101])
        func add(_ content: String = "") {
            let length = measures.isEmpty && random.chance(3) ? 1 : measures.count + 2
            var measure = Measure(number: "\(next)", length: length, content: content)
            if random.chance(9) {
                measure.number = random.pick(["X\(measures.count)", "\(next)a", "\(next)-b", "1 b"])
                measure.attributes = "implicit='yes'"
            } else {
                next = random.chance(12) ? random.int(0...60) : next + 1
            }
            measures.append(measure)
        }
        for _ in 0..<random.int(1...5) {
            let kind = random.int(0...3)
            add(kind < 2 && random.chance(2) && !measures.isEmpty ? Self.forward : "")
            for _ in 0..<random.int(0...2) { add() }
            switch kind {
            case 0: add(Self.backward)
            case 1:
                let end = "<repeat direction='backward'/>"
                add(
                    "<barline location='left'><ending number='1' type='start'/></barline>"
                        + "<barline><ending number='1' type='stop'/>\(end)</barline>")
                add(
                    "<barline location='left'><ending number='2' type='start'/></barline>"
                        + "<barline><ending number='2' type='stop'/></barline>")
            default: add()
            }
            if random.chance(3) { measures[measures.count - 1].content += direction("<rehearsal>R</rehearsal>") }
        }
        if random.chance(2), measures.count > 3 {
            measures[random.int(1...measures.count - 2)].content += random.pick(["<sound fine='yes'/>", ""])
            measures[measures.count - 1].content += "<sound dacapo='yes'/>"
        }
        return measures
    }

    @Test("of 400 files with repeats, endings, jumps, pickups and restarts, every bar has its measure's number")
    func law() throws {
        var seeded = Seeded(state: 57)
        var (files, jumps) = (0, 0)
        for _ in 0..<400 {
            let measures = random(&seeded)
            let reading = musicXMLReading(file(measures))
            let score = try #require(reading.score, "\(reading.diagnostics.map { $0.rendered() })")
            let timeline = Timeline(score)
            for index in 0..<timeline.barCount {
                let bar = timeline[index]
                let measure = try #require(measures.first { .seconds($0.length) == bar.duration })
                try #require("\(bar.number)" == measure.number, "\(measures)")
            }
            (files, jumps) = (files + 1, jumps + (timeline.barCount > measures.count ? 1 : 0))
        }
        #expect(files == 400 && jumps > 200)
    }

    @Test(
        "written and read again, bars keep their numbers",
        arguments: [Format.yaml, .csv, .midi, .audacity, .reaper])
    func roundTrip(format: Format) throws {
        var seeded = Seeded(state: 58)
        for _ in 0..<100 {
            let score = try #require(musicXMLReading(file(random(&seeded))).score)
            let (read, _, losses) = try again(score, format)
            try #require(numbers(read) == numbers(score))
            #expect(!losses.contains { $0.hasPrefix("the numbers of bars") })
        }
    }

    @Test("bars of every score keep their numbers in tables and labels", arguments: [Format.csv, .audacity])
    func anyScore(format: Format) throws {
        let text = "lines: [{repeat: 2, bars: [1, 2]}, [{duration: 3, label: no. 9}, {duration: 4, number: 1 b}]]"
        let score = try score(text)
        let read = try again(score, format).score
        #expect(numbers(read) == ["1", "2", "1", "2", "3", "1 b"])
        #expect(played(read).bar(4).label == "no. 9")
    }

    @Test("a format without numbers says that it leaves them out")
    func loss() throws {
        let written = try Format.klick.write(played(try score("bars: [1, {duration: 2, number: 57a}]")))
        #expect(written.losses == ["the numbers of bars are left out (in bar 1.2)"])
    }
}

extension Seeded {
    fileprivate mutating func pick<Value>(_ values: [Value]) -> Value { values[int(0...values.count - 1)] }
}
