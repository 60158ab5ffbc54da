import Foundation
import Scores
import Testing

@Suite("Tuning")
struct TuningTests {
    private static func cents(_ tuning: Tuning, _ low: Int, _ high: Int) -> Double {
        let (a, b) = (Pitch.note(low, cents: 0), Pitch.note(high, cents: 0))
        return 1200 * log2(tuning.frequency(of: b, a4: 440) / tuning.frequency(of: a, a4: 440))
    }

    @Test("in every temperament on every tonic, A4 has its frequency and octaves are pure")
    func reference() {
        for temperament in Temperament.allCases {
            for tonic in 0..<12 {
                let tuning = Tuning(.temperament(temperament), tonic: tonic)
                #expect(abs(tuning.frequency(of: .note(69, cents: 0), a4: 442) - 442) < 1e-9)
                for note in 24..<96 { #expect(abs(Self.cents(tuning, note, note + 12) - 1200) < 1e-9) }
            }
        }
    }

    @Test("twelve fifths of a temperament add up to seven octaves, and none deviates more than it should")
    func fifths() {
        for (temperament, most) in [
            (Temperament.equal, 1.96), (.werckmeister3, 5.87), (.kirnberger3, 5.38), (.young, 3.92),
        ] {
            let tuning = Tuning(.temperament(temperament))
            let narrowing = (0..<12).map { 701.955_000_865 - Self.cents(tuning, 48 + $0, 55 + $0) }
            let comma: Double = narrowing.reduce(0, +)
            #expect(abs(comma - 23.460_010_385) < 1e-6)
            #expect(narrowing.allSatisfy { $0 < most && $0 > -1e-6 }, "\(temperament)")
        }
    }

    @Test("the characteristic intervals of the temperaments are right")
    func known() {
        let cases: [(Temperament, tonic: Int, low: Int, high: Int, Double)] = [
            (.just, 4, 64, 71, 701.955), (.just, 4, 64, 68, 386.314), (.just, 4, 64, 74, 1017.596),
            (.pythagorean, 0, 60, 64, 407.820), (.pythagorean, 0, 68, 75, 678.495),
            (.meantone, 0, 60, 64, 386.314), (.meantone, 0, 60, 67, 696.578), (.meantone, 0, 68, 75, 737.637),
            (.werckmeister3, 0, 60, 64, 390.225), (.werckmeister3, 0, 60, 62, 192.180),
            (.kirnberger3, 0, 60, 64, 386.314), (.kirnberger3, 0, 66, 73, 700.001),
            (.young, 0, 60, 64, 392.180), (.young, 0, 66, 70, 407.820),
        ]
        for (temperament, tonic, low, high, cents) in cases {
            let tuning = Tuning(.temperament(temperament), tonic: tonic)
            #expect(abs(Self.cents(tuning, low, high) - cents) < 0.001, "\(temperament) \(low)-\(high)")
        }
    }

    @Test("a ratio to a note is exact in every temperament")
    func ratio() throws {
        for temperament in Temperament.allCases {
            let tuning = Tuning(.temperament(temperament))
            let fifth = try tuning.frequency(of: Pitch(scoreText: "3/2 of E4"), a4: 415)
            #expect(abs(fifth / tuning.frequency(of: .note(64, cents: 0), a4: 415) - 1.5) < 1e-12)
        }
        #expect(try Pitch(scoreText: "3/2 of Eb4 +2c") == .ratio(3, 2, of: 63, cents: 2))
        for text in ["3/2 of E4", "7/4 of C3-3c", "B4+14c", "493.9 Hz"] {
            #expect(try "\(Pitch(scoreText: text))" == text)
        }
    }

    @Test(
        "a pitch is transposed by the instrument and raised 3 cents per degree of temperature, but a frequency is not")
    func instrumentsAndAir() {
        let cSharp5 = Pitch.note(73, cents: 0)
        #expect(abs(Tuning(instrument: .bFlat).frequency(of: cSharp5, a4: 440) - 493.883_301_256) < 1e-8)
        for (instrument, lower) in [(Instrument.concert, 0), (.bFlat, 2), (.a, 3), (.f, 7), (.eFlat, 9)] {
            #expect(instrument.semitones == -lower)
        }
        let warm = Tuning(temperature: 21).frequency(of: .note(69, cents: 0), a4: 440)
        #expect(abs(1200 * log2(warm / 440) - 2.95) < 0.01)
        #expect(Tuning(instrument: .f, temperature: 30).frequency(of: .frequency(500), a4: 415) == 500)
    }

    @Test("a Scala scale is read from its file, and repeats at its last pitch")
    func scala() throws {
        let text = """
            ! meanquar.scl
            !
            Bohlen-Pierce, a part
             4
            ! the notes
             146.304
             9/7  a comment
             7/5
             3
            """
        let scale = try ScalaScale(scalaText: text)
        #expect(scale.name == "Bohlen-Pierce, a part")
        #expect(scale.cents.count == 4)
        #expect(abs(scale.cents[1] - 435.084) < 0.001)
        let tuning = Tuning(.scala(scale, .linear))
        #expect(abs(Self.cents(tuning, 60, 64) - 1901.955) < 0.001)
        #expect(abs(Self.cents(tuning, 60, 66) - 1901.955 - 435.084) < 0.001)
        #expect(abs(tuning.frequency(of: .note(69, cents: 0), a4: 442) - 442) < 1e-9)
    }

    @Test("a keyboard map sets the degree of each key, and the frequency of one")
    func keyboardMap() throws {
        let scale = try ScalaScale(scalaText: "pentatonic\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n")
        #expect(try ScalaScale(scalaText: "\u{FEFF}! our scale\npentatonic\n5\n9/8\n5/4\n3/2\n5/3\n2/1\n") == scale)
        let map = try ScalaMap(
            scalaText: "\u{FEFF}! white\n12\n0\n127\n60\n69\n432.0\n5\n0\nx\n1\nx\n2\nx\nx\n3\nx\n4\nx\nx\n")
        let tuning = Tuning(.scala(scale, map))
        #expect(abs(tuning.frequency(of: .note(69, cents: 0), a4: 440) - 432) < 1e-9)
        #expect(abs(Self.cents(tuning, 60, 67) - 701.955) < 0.001)
        #expect(abs(Self.cents(tuning, 60, 76) - 1586.314) < 0.001)
        // F has no degree: it sounds like E.
        #expect(abs(Self.cents(tuning, 64, 65)) < 1e-9)
    }

    @Test(
        "the error about a Scala file names the faulty line",
        arguments: [
            ("", 1), ("x\n", 1), ("x\nmany\n", 2), ("x\n0\n", 2), ("x\n2\n3/2\n", 3), ("x\n1\n-3/2\n", 3),
            ("x\n1\n3/0\n", 3), ("x\n1\nabc\n", 3), ("x\n1\n1/1\n", 3), ("x\n1\n9e9.0\n", 3),
        ])
    func faults(text: String, line: Int) {
        do {
            _ = try ScalaScale(scalaText: text)
            Issue.record("'\(text)' is read")
        } catch {
            #expect(error.message.hasPrefix("line \(line): ") || text.isEmpty, "\(error)")
        }
    }

    @Test("the error about a line of another kind of file shows its beginning")
    func otherFile() {
        let line = String(repeating: "x", count: 1000)
        let error = #expect(throws: TextError.self) { try ScalaScale(scalaText: "x\n1\n\u{1B}\(line)\n") }
        #expect(error?.message.utf8.count ?? 1000 < 120 && error?.message.contains("\u{1B}") == false)
    }
}
