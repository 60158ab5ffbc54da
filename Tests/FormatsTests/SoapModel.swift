import Foundation

/// What a SO(a)P score means, beat by beat, as its documentation tells it: the times of its bars and clicks.
///
/// Shares nothing with the reader. It goes through the score one beat after the other and adds up seconds in `Double`,
/// which is exact to a picosecond for the short scores of the tests. It understands valid scores only.
struct SoapModel {
    struct Click: Equatable {
        var time: Double
        /// "first", "beat" or "before" (the two beats before the music goes on).
        var kind: String
    }

    /// The time when each bar begins, and the end of the last one.
    private(set) var boundaries: [Double] = []
    private(set) var clicks: [[Click]] = []
    /// The times in each bar at which the music waits for the player.
    private(set) var waits: [[Double]] = []
    private(set) var numbers: [Int] = []
    private(set) var labels: [Int: [String]] = [:]

    /// A command at a bar and a beat, such as TEMPO with its words.
    private struct Command {
        var bar: Int
        var beat: Double
        var words: [String]
    }

    private var commands: [Command] = []
    private var first = Int.max, last = 0

    private var units: [Double] = []
    private var lower = 4.0
    private var seconds: Double?
    private var basis = 0.25
    private var bpm = 60.0
    /// A curve: start and end in bpm, exponent, length and position in notes of the basis, counted with the phantom beat.
    private var curve: (start: Double, end: Double, exponent: Double, length: Double, position: Double)?

    init(_ text: String) {
        parse(text)
        play()
    }

    // MARK: - Text

    private mutating func parse(_ text: String) {
        var (bar, beat) = (0, 1.0)
        for line in text.components(separatedBy: "\n") {
            var words: [String] = []
            for (index, part) in line.components(separatedBy: "\"").enumerated() {
                if index % 2 == 1 {
                    words.append("\"" + part)
                } else if let comment = part.range(of: "//") {
                    words += part[..<comment.lowerBound].split(separator: " ").map(String.init)
                    break
                } else {
                    words += part.split(separator: " ").map(String.init)
                }
            }
            var next = 0
            while next < words.count {
                let word = words[next]
                next += 1
                switch word {
                case "BAR":
                    bar = Int(words[next]) ?? 0
                    (beat, first, last) = (1, min(first, bar), max(last, bar))
                    next += 1
                case "LABEL": break
                case "END": break
                case "TEMPO", "FERMATA":
                    var parts = [word, words[next]]
                    next += 1
                    if next < words.count, words[next] == "curve" {
                        next += 1
                        let exponent = next < words.count ? Double(words[next]) : nil
                        if exponent != nil { next += 1 }
                        parts.append("\(exponent ?? 1)")
                    }
                    commands.append(Command(bar: bar, beat: beat, words: parts))
                case _ where word.hasPrefix("|"): beat = word == "|" ? 1 : number(word.dropFirst())
                case _ where word.hasPrefix("\""): labels[bar, default: []].append(String(word.dropFirst()))
                default: commands.append(Command(bar: bar, beat: beat, words: [word]))
                }
            }
        }
    }

    /// A number; NaN, which fails every comparison, for anything else.
    private func number(_ text: some StringProtocol) -> Double { Double(String(text)) ?? .nan }

    private func numbers(in text: String) -> [Double] {
        text.split { !"0123456789.".contains($0) }.map(number)
    }

    private func time(_ text: String) -> Double {
        var (sum, number, unit) = (0.0, "", "")
        let factors = ["h": 3600.0, "m": 60, "s": 1, "ms": 0.001]
        for character in text + "0" {
            if "0123456789.".contains(character) {
                if !unit.isEmpty {
                    sum += self.number(number) * (factors[unit] ?? .nan)
                    (number, unit) = ("", "")
                }
                number.append(character)
            } else {
                unit.append(character)
            }
        }
        return sum
    }

    // MARK: - Time

    private func at(_ bar: Int, _ beat: Double) -> [Command] {
        commands.filter { $0.bar == bar && $0.beat == beat }
    }

    private mutating func meter(_ bar: Int) {
        for command in at(bar, 1) where command.words.count == 1 {
            let word = command.words[0]
            guard word.hasPrefix("[") else {
                seconds = time(word)
                continue
            }
            seconds = nil
            let numbers = numbers(in: word)
            lower = numbers.last ?? .nan
            let upper = Array(numbers.dropLast())
            if upper.count > 1 {
                units = upper
            } else if lower == 8 || lower == 16 {
                units = Self.grouped[Int(upper[0])] ?? []
            } else {
                units = Array(repeating: 1, count: Int(upper[0]))
            }
        }
    }

    /// How eighths and sixteenths are grouped, written out.
    static let grouped: [Int: [Double]] = [
        1: [1], 2: [2], 3: [3], 4: [2, 2], 5: [3, 2], 6: [3, 3], 7: [3, 2, 2], 8: [3, 3, 2], 9: [3, 3, 3],
        10: [3, 3, 2, 2], 11: [3, 3, 3, 2], 12: [3, 3, 3, 3], 13: [3, 3, 3, 2, 2],
    ]

    /// How many whole notes of the bar are before a beat. The beat after the last one is the barline; later ones are
    /// 0.01 beats before it.
    private func place(_ beat: Double) -> Double {
        let beats = seconds == nil ? units : [units.reduce(0, +)]
        let last = Double(beats.count + 1)
        let beat = beat > last ? last - 0.01 : beat
        let index = min(Int(beat) - 1, beats.count)
        let part = index < beats.count ? (beat - Double(index + 1)) * beats[index] : 0
        return (beats[..<index].reduce(0, +) + part) / lower
    }

    /// The tempi of a bar from a place on, up to another one, with their places.
    private func tempi(_ bar: Int, _ places: Range<Double>) -> [(place: Double, command: Command)] {
        commands.filter { $0.bar == bar && $0.words[0] == "TEMPO" }.map { (place($0.beat), $0) }
            .filter { places.contains($0.0 + 1e-12) }.sorted { $0.0 < $1.0 }
    }

    private mutating func take(_ tempi: [(place: Double, command: Command)]) {
        for (here, command) in tempi {
            let bar = command.bar
            let sides = command.words[1].components(separatedBy: "=")
            let unit = numbers(in: sides[0])
            let new = unit[0] / unit[1]
            if sides[1].hasPrefix("[") {
                let old = numbers(in: sides[1])
                // The new unit lasts as long as the old one: in a curve, too.
                if curve != nil {
                    basis *= new / (old[0] / old[1])
                } else {
                    bpm *= basis / (old[0] / old[1])
                    basis = new
                }
                continue
            }
            (basis, bpm, curve) = (new, number(sides[1]), nil)
            guard command.words.count > 2 else { continue }
            // Go on until the next tempo with a number, and count. The beat before the start is what is left of its own.
            let beats = units.indices.map { place(Double($0 + 1)) } + [units.reduce(0, +) / lower]
            let phantom = ((beats.first { $0 > here + 1e-12 } ?? .nan) - here) / basis
            var (length, end, begin) = (phantom, 0.0, here)
            var ahead = self
            var b = bar
            search: while true {
                if b > bar { ahead.meter(b) }
                let whole = ahead.units.reduce(0, +) / ahead.lower
                let from = b > bar ? 0 : here + 1e-9
                for (there, command) in ahead.tempi(b, from..<whole + 1e-9) {
                    let sides = command.words[1].components(separatedBy: "=")
                    length += (there - begin) / ahead.basis
                    begin = there
                    guard sides[1].hasPrefix("[") else {
                        end = number(sides[1])
                        break search
                    }
                    let (new, old) = (numbers(in: sides[0]), numbers(in: sides[1]))
                    ahead.basis *= (new[0] / new[1]) / (old[0] / old[1])
                }
                length += (whole - begin) / ahead.basis
                (b, begin) = (b + 1, 0)
            }
            curve = (bpm, end, number(command.words[2]), length, phantom)
        }
    }

    private mutating func play() {
        var now = 0.0
        /// Tempi at the barline before the next bar.
        var next: [(place: Double, command: Command)] = []
        func atBarline(_ tempi: [(place: Double, command: Command)]) -> [(place: Double, command: Command)] {
            tempi.map { (0, Command(bar: $0.command.bar + 1, beat: 1, words: $0.command.words)) }
        }
        for bar in first...last {
            meter(bar)
            take(next)
            numbers.append(bar)
            boundaries.append(now)
            clicks.append([Click(time: now, kind: "first")])
            waits.append([])
            let whole = units.reduce(0, +) / lower
            if let seconds {
                let end = max(whole, 2e-9) - 1e-9
                take(tempi(bar, 0..<end))
                // The tempo is suspended; a curve is not.
                curve?.position += whole / basis
                next = atBarline(tempi(bar, end..<whole + 1))
                now += seconds
                continue
            }
            // The place in the bar up to which a fermata has taken the notes, in whole notes.
            var (place, taken) = (0.0, 0.0)
            for (index, unit) in units.enumerated() {
                let share = unit / lower
                take(tempi(bar, place..<place + 1e-9))
                var rate = bpm
                func start(_ curve: (start: Double, end: Double, exponent: Double, length: Double, position: Double)) {
                    rate = curve.start + (curve.end - curve.start) * pow(curve.position / curve.length, curve.exponent)
                }
                if let curve { start(curve) } else { rate = bpm }
                if index > 0, taken < place + 1e-12 { clicks[clicks.count - 1].append(Click(time: now, kind: "beat")) }
                var done = max(place, taken)
                // A curve moves on from beat to beat, but counts the notes of each part.
                var passed = 0.0
                var counted = place
                func go(to end: Double) {
                    now += max(0, end - done) * 60 / rate / basis
                    done = max(done, end)
                }
                let fermatas = commands.filter {
                    $0.bar == bar && Int($0.beat) == index + 1 && $0.words[0] == "FERMATA"
                }.map { (self.place($0.beat), $0) }
                let inside = tempi(bar, place + 1e-9..<place + share - 1e-9)
                for (here, command) in (fermatas + inside.map { ($0.place, $0.command) }).sorted(by: { $0.0 < $1.0 }) {
                    go(to: here)
                    guard command.words[0] == "FERMATA" else {
                        passed += (here - counted) / basis
                        counted = here
                        let isNumber = !command.words[1].components(separatedBy: "=")[1].hasPrefix("[")
                        take([(here, command)])
                        if isNumber {
                            passed = 0
                            if let curve { start(curve) } else { rate = bpm }
                        } else if curve == nil {
                            rate = bpm
                        }
                        continue
                    }
                    let whole = 60 / rate / basis
                    let sides = command.words[1].components(separatedBy: "=")
                    let note = numbers(in: sides[0])[0] / numbers(in: sides[0])[1]
                    if sides[1] == "?" {
                        waits[waits.count - 1].append(now)
                        continue
                    }
                    let written = note * whole
                    let length = sides[1].hasSuffix("*") ? written * number(sides[1].dropLast()) : time(sides[1])
                    for before in [2.0, 1.0] where length - before * written > 1e-9 {
                        clicks[clicks.count - 1].append(Click(time: now + length - before * written, kind: "before"))
                    }
                    now += length
                    done = here + note
                    taken = done
                }
                go(to: place + share)
                place += share
                curve?.position += passed + (place - counted) / basis
            }
            next = atBarline(tempi(bar, place - 1e-9..<place + 1))
        }
        boundaries.append(now)
    }
}
