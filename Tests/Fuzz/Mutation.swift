import Formats
import Scores

/// Generates scores with random mistakes: bytes, numbers, words and lines that are changed, repeated or removed.
struct Mutation {
    private var random: SplitMix64
    private let originals: [[UInt8]]
    private let words: [[UInt8]]

    private static let words = [
        "bars:", "lines:", "- ", "  - ", "repeat: 3", "x 12", "/8", "4/4", "3+2/8", "2/4 + 3/8", "5/8.5",
        "tempo: 1/4. = 1/4", " 5:4", "times: 8", "subdivide: 3", "at beat 9", "at 5", " + 1/16", "tempo: 3:2",
        "tempo: 120 bpm", "tempo: [60, 1/8 = 90 at beat 2.5]", "ramp: {to: 60, from: beat 2, over: 2 beats}",
        "tempo: 1/8 = 0.001", "ramp: {to: 300, over: 3 bars}", "{", "}", "[", "]", "&a ", "*a", "hold: until cue",
        "hold: 5 at beat 2", "count-in: 2 bars", "count-in: 8 beats", "warning: 2 beats", "click: off", "player: x",
        "beats: Xs.", "beats: on", "grid: clock", "go-to: {to: A, times: 1-9}", "go-to: start",
        "use: f", ", send: midi ch 10 note 37 on", "send: [/cue/5/go 1, midi program 5]",
        "timecode: 00:59:59:24 @ 25", "timecode: 23:59:00;02 @ 29.97", ", hit: 0:21.5 at beat 2", "hit: 5 by ramp",
        "hit: 01:00:30:00 @ 25", "hit: {time: 9, beat: 1.5, ramp: time, label: x}",
        "endings:", "passes: 1-2", "drone: off", "99999999999999", "0.000000000000000001", "1000000", "-1", "sections:",
        "brackets:", "voices:", "channel: 3", "fragments:", "orders:", "speed: 5%", "realize: 9", "\"", "#", ": ", "\t",
        "é日", "total: 1", "total: about 5:00 ± 0:10",
    ].map { Array($0.utf8) }

    /// Mutates scores in YAML.
    init(seed: UInt64) {
        self.init(seed: seed, BundledScore.all.map(\.bytes) + Mutation.rich.map { Array($0.utf8) }, Mutation.words)
    }

    /// Mutates any texts; `words` are inserted into them.
    init(seed: UInt64, _ originals: [[UInt8]], _ words: [[UInt8]]) {
        random = SplitMix64(seed: seed)
        self.originals = originals
        self.words = words
    }

    private mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    /// The next mutated text.
    mutating func next() -> [UInt8] {
        var bytes = originals[int(0..<originals.count)]
        for _ in 0..<int(1..<7) {
            if bytes.isEmpty { bytes = [0x0A] }
            let place = int(0..<bytes.count)
            switch int(0..<7) {
            case 0: bytes[place] = UInt8(int(0..<256))
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + int(1..<10)))
            case 2:
                bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + int(1..<60))], at: int(0..<place + 1))
            case 3: replaceNumber(&bytes, from: place)
            case 4: doubleLine(&bytes, at: place)
            default: bytes.insert(contentsOf: words[int(0..<words.count)], at: place)
            }
        }
        return bytes
    }

    private mutating func replaceNumber(_ bytes: inout [UInt8], from place: Int) {
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        guard let first = bytes[place...].firstIndex(where: isDigit) else { return }
        let end = bytes[first...].firstIndex { !isDigit($0) } ?? bytes.count
        let numbers = [
            "0", "1", "2", "7", "13", "999", "1000", "100000", "1000000", "4294967296", "9223372036854775808",
        ]
        bytes.replaceSubrange(first..<end, with: Array(numbers[int(0..<numbers.count)].utf8))
    }

    /// Copies a line to another place, with the same or a deeper indentation.
    private mutating func doubleLine(_ bytes: inout [UInt8], at place: Int) {
        let start = bytes[..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let end = bytes[place...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
        let line = Array(repeating: UInt8(0x20), count: int(0..<3) * 2) + bytes[start..<end]
        let other = int(0..<bytes.count)
        bytes.insert(contentsOf: line, at: bytes[..<other].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0)
    }

    /// Scores that use every feature of the format.
    private static let rich = [
        """
        tempo: 1/4 = 72
        fragments:
          f: [4/4 x 3, 2.5]
        voices:
          flute:
            channel: 1
            bars: [3, {meter: 3/4, label: A, hold: 5 at beat 2}]
          harp:
            channel: 3
            click: {sound: accent, level: -3 dB}
            tempo: 1/8. = 90
            pickup: 1
            sections:
              - label: A
                bars: [3, {duration: 2.7, go-to: {to: A, times: 1-2}}]
          drum: {click: off, lines: [{use: f, repeat: 3}, [1:02.5]]}

        """,
        """
        title: Study
        drone: {pitch: Bb3+14c, level: -30 dB, waveform: triangle}
        tempo: 1/4 = 72
        beats: on
        pickup: 1
        total: 5:00
        fragments:
          sigh: [2.7, {duration: 1.3, cue: breathe}]
          f: {lines: [{use: sigh, repeat: 2}, [3/8]]}
        sections:
          - label: A
            lines:
              - [1/4, 4/4 x 3, 3+2/8]
              - label: ladder
                repeat: 3
                lines:
                  - [2/4 + 3/8, 4/6]
                  - use: sigh
                endings:
                  - {passes: 1-2, bars: [5/8]}
                  - {passes: 3, bars: [{meter: 5/8.5, hold: 4 at beat 3}]}
          - label: B
            tempo: 1/8. = 90
            bars:
              - {meter: 4/4, ramp: {to: 1/4 = 120, over: 8 beats, curve: time}}
              - {meter: 3/4, tempo: 1/4. = 1/4, beats: Xs.}
              - {duration: 12, hold: [until cue at 2, 5], say: listen, drone: A3, flash: orange}
              - {duration: 1:02.5, click: off, go-to: {to: A, times: 1}}
        orders: {short: [B], long: [A, B, A]}
        order: long
        """,
        """
        grid: 4 parts
        lines:
          - &l {label: x, bars: [3, {duration: 2, grid: seconds, speed: 50%}]}
          - *l
          - {repeat: 9, lines: [*l, {repeat: 2, bars: [{meter: 2/4, beats: [1/8 3:2, 1/8 3:2 s, 1/8 3:2, 1/4 X]}]}]}
          - bars: [{meter: 4/4, ramp: {to: 90, over: 3 bars, curve: exponential}}, 3/56 x 2, {duration: 1, go-to: x}]
        """,
        """
        timecode: 01:00:10:00 @ 25
        tempo: 96
        beats: on
        fragments: {f: [{meter: 2/4, speed: 50%}]}
        lines:
          - [4/4 x 3, {meter: 4/4, hold: 2 at beat 2, hit: {time: "01:00:20:12", beat: 3.5, label: a}}]
          - {repeat: 3, bars: [3/4, 2]}
          - {use: f}
          - bars: [{meter: 5/8, tempo: 1/4. = 60, hit: [0:26.5, 0:27.5 at beat 4]}, 4/4 x 4]
          - bars: [{meter: 4/4, hit: 0:38.9 by ramp}, {meter: 4/4, ramp: {to: 120, over: 2 bars}}, 4/4 x 3, {meter: 4/4, hit: 0:49}]
        """,
        """
        realize: 7
        brackets:
          - {start: 0:00 - 0:45, end: 0:30 - 1:15}
          - {label: B, start: 1:15, end: 2:00, cue: softly}
        """,
    ]
}
