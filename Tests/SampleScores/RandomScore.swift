package import Scores
package import Shared

extension Seeded {
    mutating func pick<Value>(_ values: [Value]) -> Value { values[int(0...values.count - 1)] }

    /// A text with words that YAML could read as something else.
    mutating func text() -> String {
        let words = [
            "A", "on", "off", "null", "~", "1:30", "- x", "a: b", "#c", "\"q\" 'r'", "back\\slash", "日本 ♭", "{x}", "[y",
            " blank ", "&a", "*a", "!t", "é", "𝄞", "true", "start", "end", "%", "@", "|", "1/4", "3 x 4", "\u{FEFF}z",
        ]
        return pick(words) + (chance(3) ? " " + pick(words) : "")
    }

    mutating func number() -> Fraction {
        chance(3) ? Fraction(Int64(int(1...999)), pick([2, 5, 10, 100, 1000])) : Fraction(Int64(int(1...16)))
    }

    mutating func note() -> Fraction { Fraction(Int64(int(1...7)), pick([1, 2, 3, 4, 6, 8, 12, 16, 56])) }

    mutating func meter() -> Meter {
        Meter(
            (0..<(chance(4) ? int(2...3) : 1)).map { _ in
                Meter.Term(
                    (0..<(chance(3) ? int(2...4) : 1)).map { _ in
                        chance(6) ? Fraction(Int64(int(1...20)), pick([2, 3, 4])) : Fraction(Int64(int(1...9)))
                    }, over: chance(5) ? Fraction(Int64(int(30...170)), 10) : Fraction(pick([2, 4, 6, 8, 16, 56])))
            })
    }

    mutating func tempo() -> Tempo {
        Tempo(
            pick([Fraction(1, 4), Fraction(3, 8), Fraction(1, 8), Fraction(1, 6)]), Fraction(Int64(int(300...2400)), 10)
        )
    }

    mutating func mark() -> TempoMark? {
        guard chance(3) else { return nil }
        return chance(3) ? .modulation(old: Fraction(1, 4), new: Fraction(Int64(int(5...7)), 24)) : .tempo(tempo())
    }

    mutating func seconds(_ range: ClosedRange<Int> = 100...20_000) -> Duration {
        .milliseconds(int(range)) + (chance(4) ? Duration(attoseconds: Int128(int(0...999_999))) : .zero)
    }

    mutating func hold(in bar: Score.Bar) -> Hold {
        var hold = Hold(seconds())
        if chance(3) { hold = Hold(chance(2) ? .zero : seconds(), waits: true) }
        var beats = bar.details.beats.flatMap { $0.isEmpty ? nil : $0.count } ?? bar.meter?.beats.count ?? 0
        if bar.meter == nil, case .parts(let count) = bar.details.grid { beats = count }
        if chance(2) {
            hold.place = chance(2) && bar.meter == nil ? .offset(bar.duration / int(1...4)) : .end
            if hold.place == .end, beats > 0 { hold.place = .beat(int(1...beats)) }
        }
        return hold
    }

    mutating func notes() -> [Score.Drone.Note] {
        (0..<(chance(2) ? 1 : int(2...Score.Drone.noteLimit))).map { _ in
            var pitch = Pitch.note(int(40...80), cents: chance(2) ? Double(int(-99...99)) : 0)
            if chance(4) { pitch = .ratio(int(2...4), int(1...2), of: int(40...60), cents: 0) }
            return Score.Drone.Note(
                pitch, level: Level(decibels: chance(3) ? -Double(int(1...24)) / 4 : 0),
                pan: chance(3) ? Double(int(-100...100)) / 100 : 0)
        }
    }

    mutating func drone() -> Score.Drone {
        var drone = Score.Drone(notes: notes(), waveform: pick(Score.Waveform.allCases))
        if chance(2) { drone.notes = [Score.Drone.Note(.frequency(300.25))] }
        if chance(2) { drone.level = Level(decibels: -Double(int(0...400)) / 4) }
        if chance(3) { drone.brightness = Double(int(-100...100)) / 100 }
        if chance(3) { drone.variation = Double(int(0...96)) / 4 }
        if chance(3) { drone.beating = Double(int(0...40)) / 2 }
        if chance(3) { drone.seed = UInt32(int(0...1_000_000)) }
        if chance(2) { drone.fade = .milliseconds(int(10...60_000)) }
        return drone
    }

    mutating func tuning() -> Tuning {
        Tuning(
            .temperament(pick(Temperament.allCases)), tonic: int(0...11), instrument: pick(Instrument.allCases),
            temperature: chance(2) ? Double(int(-80...200)) / 4 : Tuning.standardTemperature)
    }

    /// Tempi and ramps inside a bar with a number of beats.
    private mutating func changes(_ beats: Int) -> [TempoChange] {
        var changes: [TempoChange] = []
        for beat in 1...beats where changes.count < 5 && chance(3) {
            let place = chance(3) ? Fraction(Int64(7 * beat + int(1...6)), 7) : Fraction(Int64(beat))
            guard place > .one else { continue }
            if chance(3) {
                changes.append(
                    TempoChange(
                        at: place, .ramp(Ramp(to: tempo(), over: .beats(number()), curve: pick(Ramp.Curve.allCases)))))
            } else if let mark = mark() {
                changes.append(TempoChange(at: place, .tempo(mark)))
            }
        }
        return changes
    }

    private mutating func message() -> StageMessage {
        let (channel, number) = (int(1...16), int(0...127))
        let values: [StageMessage.OSCValue] = [
            .int(Int32(int(-9...9))), .float(Float(int(-99...99)) / 7), .text(text()), .text("7"), .text("\"\\ "),
        ]
        return pick([
            .midi(channel: channel, .noteOn(number, velocity: int(1...127))), .midi(channel: channel, .noteOff(number)),
            .midi(channel: channel, .program(number)), .midi(channel: channel, .control(number, value: int(0...127))),
            .osc(address: "/cue/\(number)/go", (0..<int(0...3)).map { _ in pick(values) }),
        ])
    }

    mutating func bar(labels: [String] = [], jumps: Bool = false) -> Score.Bar {
        var bar = chance(2) ? Score.Bar(meter()) : Score.Bar(seconds())
        guard chance(2) else { return bar }
        if chance(3) { bar.label = text() }
        var details = bar.details
        if chance(4) { details.cue = text() }
        if chance(6) { details.say = text() }
        if chance(8) { details.sends = (0..<int(1...3)).map { _ in message() } }
        if chance(4) { details.tempo = mark() }
        if chance(5) { details.ramp = Ramp(to: tempo(), over: .beats(number()), curve: pick(Ramp.Curve.allCases)) }
        if chance(4) {
            let count = bar.meter.map { $0.beats.count } ?? int(1...5)
            details.beats =
                chance(4) && bar.meter != nil ? [] : (0..<count).map { _ in Beat(pick(Beat.Stress.allCases)) }
        } else if chance(6), bar.meter == nil {
            details.beats = (0..<int(1...5)).map { _ in Beat(pick(Beat.Stress.allCases), note()) }
        }
        if chance(4), let meter = bar.meter { details.tempoChanges = changes(meter.beats.count) }
        if chance(6), bar.meter != nil || details.beats != nil { details.subdivision = int(1...5) }
        if chance(6), details.beats == nil, details.subdivision == nil {
            details.grid = pick([.seconds, .clock, .off, .parts(int(2...9)), .perMinute(int(30...300))])
        }
        bar.details = details
        if chance(5) { details.holds = (0..<int(1...2)).map { _ in hold(in: bar) } }
        if chance(8) { details.speed = Speed(millionths: Int64(int(50_000...3_000_000))) }
        if jumps, chance(5) {
            let target: Jump.Target = chance(3) ? .start : chance(3) || labels.isEmpty ? .end : .label(pick(labels))
            details.jump = Jump(to: target, on: Set((0..<int(1...3)).map { _ in int(1...6) }))
        }
        if chance(6) {
            details.click = BarClick(
                chance(2) ? pick(ClickSound.allCases) : nil, decibels: chance(2) ? Double(int(-120...40)) / 4 : 0)
            if chance(3) { details.click = BarClick(isSilent: true) }
        }
        if chance(6) {
            details.drone = DroneChange(
                notes: chance(2) ? notes() : nil,
                level: chance(3) ? pick([.off, Level(decibels: -Double(int(0...480)) / 4)]) : nil,
                fade: chance(3) ? .milliseconds(int(10...60_000)) : nil)
            if chance(3) { details.drone = DroneChange(isOff: true) }
        }
        if chance(8) { details.warning = lead() }
        if chance(6) { details.number = pick([.counted(int(-3...40)), .named("57a"), .named("X1"), .named("1 b")]) }
        if chance(8) { details.flash = Color(red: UInt8(int(0...255)), green: UInt8(int(0...1)), blue: 255) }
        bar.details = details
        return bar
    }

    mutating func lead() -> Score.Lead {
        pick([.off, .milliseconds(int(1...40) * 1500), .bars(int(1...16)), .beats(int(1...64))])
    }

    mutating func bars(labels: [String] = [], jumps: Bool = false) -> [Score.Bar] {
        var bars: [Score.Bar] = []
        for _ in 0..<int(1...8) {
            let first = bar(labels: labels, jumps: jumps)
            bars.append(first)
            // Either equal bars, or bars that continue the first one as in a multiplied bar.
            let next = chance(2) ? first : first.continued
            if chance(4) { bars += Array(repeating: next, count: int(0...39)) }
        }
        return bars
    }

    mutating func part(_ names: [String], labels: [String], depth: Int = 0, jumps: Bool = true) -> Score.Part {
        if !names.isEmpty, chance(4) {
            return .use(.init(pick(names), label: chance(2) ? text() : "", passes: int(1...3)))
        }
        if depth < 3, chance(4) {
            let passes = int(1...5)
            var endings: [Score.Ending] = []
            var first = 1
            while first <= passes, chance(2) {
                let last = int(first...passes)
                endings.append(
                    .init(passes: [first...last], parts: [part(names, labels: labels, depth: depth + 1, jumps: jumps)]))
                first = last + 1
            }
            return .group(
                .init(
                    label: chance(2) ? text() : "", passes: passes,
                    parts: (0..<int(1...3)).map { _ in part(names, labels: labels, depth: depth + 1, jumps: jumps) },
                    endings: endings))
        }
        return .line(
            .init(
                label: chance(3) ? text() : "", passes: chance(3) ? int(1...4) : 1, tempo: mark(),
                bars: bars(labels: labels, jumps: jumps)))
    }
}

extension Score {
    /// A random score that may use every feature of the format.
    package static func randomPage(_ random: inout Seeded) -> Score {
        var score = Score(
            title: random.chance(2) ? random.text() : nil, composer: random.chance(2) ? random.text() : nil,
            a4: random.chance(2) ? 442.5 : standardA4,
            drone: random.chance(2) ? random.drone() : nil,
            countIn: random.chance(2) ? .milliseconds(random.int(0...3) * 1500) : random.lead(), sections: [])
        if random.chance(4) { score.warning = random.lead() }
        if random.chance(3) { score.speed = Speed(millionths: Int64(random.int(50_000...10_000_000))) ?? .asWritten }
        if random.chance(2) { score.tempo = random.tempo() }
        if random.chance(2) { score.tuning = random.tuning() }
        score.beats = random.chance(2)
        if random.chance(3) { score.subdivision = random.int(1...16) }
        score.grid = random.pick([.off, .off, .seconds, .clock, .parts(3)])
        score.firstBar = random.chance(3) ? random.int(-5...200) : 1
        if random.chance(4) {
            score.timecode = Timecode(
                hundredths: Int64(random.int(0...8_000_000)), rate: random.pick(Timecode.Rate.allCases))
        }
        score.pickup = random.chance(3) ? random.int(1...4) : 0
        if random.chance(4) {
            let tolerance = random.pick([.exact, .about, Score.Total.Tolerance.within(random.seconds())])
            score.total = Total(random.seconds(), tolerance)
        }
        if random.chance(6) {
            score.brackets = (0..<random.int(1...6)).map { _ in
                let times = (0..<4).map { _ in Duration.milliseconds(random.int(0...600) * 500) }.sorted()
                return Bracket(
                    label: random.chance(2) ? random.text() : "", start: times[0]...times[random.int(0...1)],
                    end: times[2]...(times[3] + .seconds(1)), cue: random.chance(3) ? random.text() : "",
                    player: random.chance(3) ? random.text() : "")
            }
            if score.realizationConflict == nil, random.chance(2) { score.realization = random.next() >> 1 }
            return score
        }
        let names = (0..<random.int(0...3)).map { "\(random.text()) \($0)" }
        for i in names.indices {
            let parts = (0..<random.int(1...2)).map { _ in random.part(Array(names[..<i]), labels: [], jumps: false) }
            score.fragments.append(Fragment(name: names[i], parts: parts))
        }
        let labels = (0..<random.int(1...4)).map { random.chance(5) ? "\(random.text()) \($0)" : "S\($0)" }
        score.sections = labels.map { label in
            Section(
                label: label, tempo: random.mark(),
                parts: (0..<random.int(1...3)).map { _ in random.part(names, labels: labels) })
        }
        if random.chance(3) {
            score.orders = (0..<2).map { number in
                Order(
                    name: "\(random.text()) \(number)",
                    sections: (0..<random.int(1...5)).map { _ in random.pick(labels) })
            }
            if random.chance(2) { score.order = score.orders[1].name }
        }
        return score
    }
}
