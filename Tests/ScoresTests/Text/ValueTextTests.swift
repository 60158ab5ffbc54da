import Scores
import Shared
import Testing

struct LevelTextTests {
    @Test(
        "a level is in dB or percent, or off",
        arguments: [
            ("-12 dB", -12.0), ("-12dB", -12), ("-0.5 db", -0.5), ("0 dB", 0), ("-0 dB", 0), ("100%", 0),
            ("-120 dB", -120),
        ])
    func parses(text: String, decibels: Double) throws {
        #expect(try Level(scoreText: text).decibels == decibels)
    }

    @Test("percentages are relative to full amplitude, and 0 % is off")
    func percent() throws {
        #expect(abs(try Level(scoreText: "25 %").amplitude - 0.25) < 1e-12)
        #expect(try Level(scoreText: "0%") == .off)
        #expect(try Level(scoreText: "OFF") == .off)
    }

    @Test(
        "a text that is not a level is refused with a reason",
        arguments: [
            ("", "a level is missing, for example -12 dB, 25 % or off"),
            ("-12", "a level needs its unit, dB or %, for example -12 dB, 25 % or off"),
            ("12 dB", "a level cannot be above 0 dB; did you mean -12 dB?"),
            ("900 dB", "a level cannot be above 0 dB"),
            ("-121 dB", "a level cannot be below -120 dB; write off for silence"),
            ("101 %", "a level cannot be above 100 %"),
            ("-1%", "a level cannot be below 0 %; write off for silence"),
            ("0.00001%", "a level cannot be below -120 dB; write off for silence"),
            ("nan dB", "'nan dB' is not a level, for example -12 dB, 25 % or off"),
            ("-12 dBx", "'-12 dBx' is not a level, for example -12 dB, 25 % or off"),
            ("loud", "'loud' is not a level, for example -12 dB, 25 % or off"),
        ])
    func refuses(text: String, expected: String) {
        #expect(message { try Level(scoreText: text) } == expected)
    }

    @Test("a printed level reads back as itself")
    func roundTrip() throws {
        var random = Seeded(state: 2)
        #expect(try Level(scoreText: Level.off.description) == .off)
        for _ in 0..<2_000 {
            let level = Level(
                decibels: -Double.random(in: 0...1, using: &random) * [120, 1, 1e-5].randomElement(using: &random)!)
            #expect(try Level(scoreText: level.description) == level)
        }
    }
}

struct SpeedTextTests {
    @Test(
        "a speed is in percent, with or without the sign",
        arguments: [
            ("80%", 800_000), ("80", 800_000), ("72.5 %", 725_000), ("72.5125%", 725_125), ("5", 50_000),
            ("1000 %", 10_000_000), ("100.00000", 1_000_000),
        ])
    func parses(text: String, millionths: Int64) throws {
        #expect(try Speed(scoreText: text).millionths == millionths)
    }

    @Test(
        "a text that is not a speed is refused with a reason",
        arguments: [
            ("", "the speed is missing, for example 80%"),
            ("0", "the speed cannot be 0 %, for example 80%"),
            ("-5%", "the speed cannot be negative, for example 80%"),
            ("4.9%", "the speed must be 5 % to 1000 %"),
            ("1001", "the speed must be 5 % to 1000 %"),
            ("99999999999999999999", "the speed must be 5 % to 1000 %"),
            ("10000000000000", "the speed must be 5 % to 1000 %"),
            ("999999999999999", "the speed must be 5 % to 1000 %"),
            ("72.51251", "the speed has at most 4 decimals, as in 72.5125 %"),
            ("0.8", "the speed must be 5 % to 1000 %; for 0.8 times the speed write 80%"),
            ("0.1", "the speed must be 5 % to 1000 %; for 0.1 times the speed write 10%"),
            ("0.75", "the speed must be 5 % to 1000 %; for 0.75 times the speed write 75%"),
            ("1.5", "the speed must be 5 % to 1000 %; for 1.5 times the speed write 150%"),
            ("fast", "'fast' is not a speed, for example 80%"),
            ("80 %%", "'80 %%' is not a speed, for example 80%"),
        ])
    func refuses(text: String, expected: String) {
        #expect(message { try Speed(scoreText: text) } == expected)
    }

    @Test("a printed speed reads back as itself")
    func roundTrip() throws {
        var random = Seeded(state: 3)
        for _ in 0..<2_000 {
            let speed = try #require(Speed(millionths: .random(in: Speed.range, using: &random)))
            #expect(try Speed(scoreText: speed.description) == speed)
        }
    }
}

struct PitchTextTests {
    @Test(
        "a note is a letter, an accidental, an octave and cents",
        arguments: [
            ("B4", 71, 0.0), ("b4", 71, 0), ("Bb3", 58, 0), ("bb3", 58, 0), ("B♭3", 58, 0), ("F#5", 78, 0),
            ("F♯5", 78, 0),
            ("B#4", 72, 0), ("Cb4", 59, 0), ("A0", 21, 0), ("C0", 12, 0), ("B4+14c", 71, 14), ("A4-3.5c", 69, -3.5),
            ("B4 +14 c", 71, 14), ("B4-100c", 71, -100), ("B4+0c", 71, 0),
        ])
    func parses(text: String, number: Int, cents: Double) throws {
        #expect(try Pitch(scoreText: text) == .note(number, cents: cents))
    }

    @Test("a frequency needs its unit")
    func frequency() throws {
        #expect(try Pitch(scoreText: "493.9 Hz") == .frequency(493.9))
        #expect(try Pitch(scoreText: "493.9Hz") == .frequency(493.9))
    }

    @Test(
        "a text that is not a pitch is refused with a reason",
        arguments: [
            ("", "a pitch is missing, for example B4, Bb3, B4+14c or 493.9 Hz"),
            ("H4", "'H4' is not a pitch; the German H is B, and the German B is Bb: write B4"),
            ("B", "the octave is missing, for example B4"),
            ("B10", "an octave must be a whole number, -1 to 9"),
            ("B-2", "an octave must be a whole number, -1 to 9"),
            ("B4.5", "an octave must be a whole number, -1 to 9"),
            ("C-1", "'C-1' is 8.18 Hz, but a drone must be 16 Hz to 8000 Hz"),
            ("B9", "'B9' is 15804.27 Hz, but a drone must be 16 Hz to 8000 Hz"),
            ("9000 Hz", "'9000 Hz' is 9000 Hz, but a drone must be 16 Hz to 8000 Hz"),
            ("493.9", "a frequency needs its unit; write 493.9 Hz"),
            ("B4+14", "cents must end in 'c', for example B4+14c"),
            ("B4+101c", "cents must be -100 to 100"),
            ("B4 natural", "'B4 natural' is not a pitch, for example B4, Bb3, B4+14c or 493.9 Hz"),
        ])
    func refuses(text: String, expected: String) {
        #expect(message { try Pitch(scoreText: text) } == expected)
    }

    @Test("a printed pitch reads back as itself")
    func roundTrip() throws {
        var random = Seeded(state: 4)
        for number in 13...118 {
            let cents = Double(Int.random(in: -1000...1000, using: &random)) / 10
            for pitch in [Pitch.note(number, cents: 0), .note(number, cents: cents)] {
                #expect(try Pitch(scoreText: pitch.description) == pitch)
            }
        }
        for _ in 0..<1_000 {
            let pitch = Pitch.frequency(.random(in: Pitch.frequencyRange, using: &random))
            #expect(try Pitch(scoreText: pitch.description) == pitch)
        }
    }

    @Test("A4 is 380 to 480 Hz")
    func a4() throws {
        #expect(try Score.a4(scoreText: "442") == 442)
        #expect(try Score.a4(scoreText: "415.3 Hz") == 415.3)
        #expect(message { try Score.a4(scoreText: "500") } == "A4 must be 380 Hz to 480 Hz, for example 442")
        #expect(message { try Score.a4(scoreText: "x") } == "'x' is not a frequency of A4, for example 442")
        #expect(message { try Score.a4(scoreText: "") } == "the frequency of A4 is missing, for example 442")
    }

    @Test("a waveform is recognized by its name, and a misspelled one gets a suggestion")
    func waveform() throws {
        let names = "sine, triangle, sawtooth, square, reed-organ, oboe, strings or shruti"
        for waveform in Score.Waveform.allCases {
            #expect(try Score.Waveform(scoreText: waveform.description.uppercased()) == waveform)
        }
        #expect(
            message { try Score.Waveform(scoreText: "sin") }
                == "'sin' is not a waveform; write \(names), did you mean 'sine'?")
        #expect(
            message { try Score.Waveform(scoreText: "wobble") } == "'wobble' is not a waveform; write \(names)")
    }
}
