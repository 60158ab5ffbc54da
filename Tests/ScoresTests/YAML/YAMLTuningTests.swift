import Formats
import SampleScores
import Scores
import Shared
import Testing

@Suite("Tunings and drones in scores")
struct YAMLTuningTests {
    @Test("a score has keys for the tuning, as options have")
    func keys() throws {
        let score = try score("tuning: Just\ntonic: Eb\ninstrument: bb\ntemperature: 26.5 C\nbars: [1]")
        #expect(
            score.tuning == Tuning(.temperament(.just), tonic: 3, instrument: .bFlat, temperature: 26.5))
        #expect(try self.score("bars: [1]").tuning == Tuning())
        let yaml = score.yaml
        #expect(yaml.hasPrefix("tuning: just\ntonic: Eb\ninstrument: Bb\ntemperature: 26.5 C\n"))
        #expect(try self.score(yaml) == score)
    }

    private func score(_ text: String) throws -> Score { try SampleScores.score(text) }

    @Test("Scala files are found relative to the score's folder, and keep their names when the score is written")
    func files() throws {
        let folder = TemporaryFolder()
        let scale = "pentatonic\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n"
        let map = "12\n0\n127\n60\n69\n432.0\n5\n0\nx\n1\nx\n2\nx\nx\n3\nx\n4\nx\nx\n"
        try folder.write("scales/five.scl", scale)
        try folder.write("white.kbm", map)
        try folder.write("piece.yaml", "tuning: scales/five.scl\nkeyboard-map: white.kbm\nbars: [1]\n")
        let reading = try ScoreSource.file(path: folder.path + "/piece.yaml").read()
        let score = try #require(reading.score)
        guard case .scala(let read, let keys) = score.tuning.scale else {
            Issue.record("it is \(score.tuning.scale)")
            return
        }
        var (wantedScale, wantedMap) = (try ScalaScale(scalaText: scale), try ScalaMap(scalaText: map))
        (wantedScale.file, wantedMap.file) = ("scales/five.scl", "white.kbm")
        #expect(read == wantedScale && keys == wantedMap)
        #expect(abs(score.tuning.frequency(of: .note(69, cents: 0), a4: 440) - 432) < 1e-9)
        #expect(Score.read(Array(score.yaml.utf8), file: "x.yaml", folder: folder.path).score == score)
        try folder.write("elsewhere/piece.yaml", "tuning: \(folder.path)/scales/five.scl\nbars: [1]\n")
        #expect(try ScoreSource.file(path: folder.path + "/elsewhere/piece.yaml").read().score != nil)
    }

    @Test(
        "an error in a tuning is reported at its place",
        arguments: [
            (
                "tuning: equall",
                "1:9: error: 'equall' is not a temperament; write equal, just, pythagorean, "
                    + "meantone, werckmeister3, kirnberger3 or young, did you mean 'equal'?"
            ),
            ("tonic: H", "1:8: error: 'H' is not a tonic, for example D or Eb"),
            ("keyboard-map: x.kbm", "1:15: error: 'keyboard-map' needs a 'tuning' with a .scl file"),
            ("tuning: x.scl\ntonic: D", "1:9: error: 'x.scl' cannot be read: No such file or directory"),
            ("tuning: bad.scl", "1:9: error: 'bad.scl' line 2: the number of notes must be 1 to 1024"),
            (
                "instrument: B",
                "1:13: error: 'B' is not the key of an instrument; write C, Bb, A, F or Eb, did you mean 'Bb'?"
            ),
            ("temperature: hot", "1:14: error: 'hot' is not a temperature, for example 24 C"),
            ("drone: {notes: \"A3, E4\", pitch: A3}", "1:33: error: a drone has a 'pitch' or 'notes', not both"),
            ("drone: {pitch: A3, fade: 5 ms}", "1:26: error: a fade lasts at least 10 ms"),
            ("drone: {pitch: A3, fade: 2 min}", "1:26: error: a fade lasts at most 60 s"),
        ])
    func errors(text: String, expected: String) throws {
        let folder = TemporaryFolder()
        try folder.write("bad.scl", "bad\nmany\n")
        let reading = Score.read(Array((text + "\nbars: [1]\n").utf8), file: "x.yaml", folder: folder.path)
        let first = reading.diagnostics.first?.rendered().firstLine
        #expect(first == "x.yaml:" + expected)
        #expect(reading.score == nil)
    }

    @Test("a score that is not a file cannot name Scala files")
    func noFile() {
        #expect(
            rendered("tuning: x.scl\nbars: [1]").firstLine
                == "x.yaml:1:9: error: only a score in a file can refer to another file")
    }

    @Test("a bar can change the drone's chord, level and fade; the others stay")
    func changes() throws {
        let text = """
            drone: {notes: "E3, B3 -6dB L50", fade: 2}
            bars:
              - {duration: 1, drone: "A3, E4 R30"}
              - {duration: 1, drone: [D3, {pitch: A3, level: -3 dB, pan: C}]}
              - {duration: 1, drone: {level: -30 dB}}
              - {duration: 1, drone: {notes: G3, fade: 500 ms}}
              - {duration: 1, drone: off}
            """
        let score = try score(text)
        #expect(score.drone?.fade == .seconds(2))
        let changes = score.lines[0].bars.map(\.details.drone)
        let note = { (number: Int, decibels: Double, pan: Double) in
            Score.Drone.Note(.note(number, cents: 0), level: Level(decibels: decibels), pan: pan)
        }
        #expect(changes[0] == DroneChange(notes: [note(57, 0, 0), note(64, 0, 0.3)]))
        #expect(changes[1] == DroneChange(notes: [note(50, 0, 0), note(57, -3, 0)]))
        #expect(changes[2] == DroneChange(level: Level(decibels: -30)))
        #expect(changes[3] == DroneChange(notes: [note(55, 0, 0)], fade: .milliseconds(500)))
        let all = changes.compactMap(\.self).reduce(DroneChange()) { $0.then($1) }
        #expect(
            all
                == DroneChange(
                    notes: [note(55, 0, 0)], level: Level(decibels: -30), fade: .milliseconds(500), isOff: true))
        #expect(try self.score(score.yaml) == score)
    }
}
