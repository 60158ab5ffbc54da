internal import Glibc
package import Playback
internal import Scores
internal import Shared
package import SimulatedCardSupport
internal import Timing

/// Plays random commands on a card and a machine, and checks the sound and the log against the oracle.
package struct OraclePlay: Sendable {
    /// A card with its settings and tolerances.
    package struct Card: Sendable {
        package var name: String
        package var settings: [String: SimulatedCard.Value]
        package var policy: Playback.Card.Policy
        /// How far from its time a click may be heard, in s, because of pointer steps that the clock model cannot
        /// resolve.
        package var tolerance = 0.5e-3
        package var machine = SimulatedMachine.idle
        /// Whether it has faults that lose clicks.
        package var isFaulty = false
        /// Whether its rate is known from before, up to `skew_ppm`.
        package var isKnown = false
        /// How many voices click at each boundary; more than one makes short bars, so that the queue of events is full.
        package var voices = 1
        /// Whether there is no card: nobody hears anything, but there are a log and screens.
        package var isSilent = false

        package init(
            _ name: String, _ settings: [String: SimulatedCard.Value], _ policy: Playback.Card.Policy,
            tolerance: Double = 0.5e-3, machine: SimulatedMachine = .idle, isFaulty: Bool = false,
            isKnown: Bool = false, voices: Int = 1
        ) {
            (self.name, self.settings, self.policy) = (name, settings, policy)
            (self.tolerance, self.machine, self.isFaulty) = (tolerance, machine, isFaulty)
            (self.isKnown, self.voices) = (isKnown, voices)
        }

        /// The rate from before.
        var known: CardMemory.Entry? {
            guard isKnown, case .integer(let ppm)? = settings["skew_ppm"] else { return nil }
            return CardMemory.Entry(ppm: Double(ppm), uncertaintyPPM: 0.5)
        }

        /// How much louder than a click of one voice all voices are together.
        var loudness: Double { 1 + Double(voices - 1) * OraclePlay.companions.amplitude }
    }

    package let seed: UInt64
    package let card: Card
    package private(set) var commands: [(Double, Command)] = []
    let score: Score
    private let piece: [OracleBar]
    let waits: Bool
    let seconds: Double
    /// The time of day at which it begins; nil if it begins soon.
    let start: OracleStart?
    /// The level of each voice but the first.
    static let companions = Level(decibels: -18)

    /// Creates a play with `count` random commands from a seed. A leader's have the same meaning for who follows it. With
    /// `isTimed`, it begins at a time of day.
    package init(seed: UInt64, on card: Card, commands count: Int, isLeader: Bool = false, isTimed: Bool = false) {
        self.seed = seed
        self.card = card
        var random = Seeded(state: seed)
        // Nobody waits at the holds of one voice while others go on.
        waits = random.chance(2) && card.voices == 1
        (score, piece) = OraclePlay.piece(&random, waits: waits, voices: card.voices)
        var time = Double.random(in: 0.05...1.5, using: &random)
        for _ in 0..<count {
            let command = OraclePlay.command(&random, bars: piece.count)
            if !isLeader || !command.isOwn { commands.append((time, command)) }
            // Commands come in bursts or after a while.
            time += random.chance(4) ? .random(in: 0...0.03, using: &random) : .random(in: 0.03...1.8, using: &random)
        }
        start = isTimed ? OracleStart(seed: seed, until: time) : nil
        seconds = time + .random(in: 1...4, using: &random) + (isTimed ? 4 : 0)
    }

    private static func piece(_ random: inout Seeded, waits: Bool, voices: Int) -> (Score, [OracleBar]) {
        var lines: [Score.Line] = []
        var piece: [OracleBar] = []
        for _ in 0..<random.int(2...4) {
            let count = random.int(1...5)
            var bars: [Score.Bar] = []
            for number in 1...count {
                let length = voices > 1 ? random.int(30...60) : random.int(8...90) * 11
                var bar = Score.Bar(.milliseconds(length))
                // Each bar has a note of its own.
                let note = StageMessage.midi(channel: 1, .noteOn(OracleTold.firstNote + piece.count, velocity: 64))
                if voices == 1 { bar.details.sends = [note] }
                var own = OracleBar(length: Double(length) / 1000, number: number, barsInLine: count)
                if waits, random.chance(5) {
                    let place = random.chance(2) ? length : length / 2
                    bar.details.holds = [
                        Hold(.zero, at: place == length ? .end : .offset(.milliseconds(place)), waits: true)
                    ]
                    own.waitsAt = Double(place) / 1000
                }
                bars.append(bar)
                piece.append(own)
            }
            lines.append(Score.Line(bars: bars))
        }
        var score = Score(countIn: .milliseconds([0, 500, 1000, 2000][random.int(0...3)]), lines: lines)
        if voices > 1 {
            // The count-in has one voice only, and would be taken for something else.
            score.countIn = .off
            score.voice = Score.VoiceMark("1")
            score.companions = (2...voices).map { number in
                Score.Companion(
                    Score.VoiceMark("\(number)", click: BarClick(decibels: companions.decibels)), Score(lines: lines))
            }
        }
        return (score, piece)
    }

    private static func command(_ random: inout Seeded, bars: Int) -> Command {
        switch random.int(0...27) {
        case 0...4: return .togglePause
        case 5: return .pause
        case 6: return .resume
        case 7: return .continue
        case 8, 9: return .jump(.nextBar)
        case 10, 11: return .jump(.previousBar)
        case 12: return .jump(.nextLine)
        case 13: return .jump(.previousLine)
        case 14: return .jump(.thisBar)
        case 15: return .jump(.firstBar)
        case 16: return .jump(.bar(random.int(-1...bars)))
        case 17: return .jump(.time(.milliseconds(random.int(0...6000))))
        case 18: return .practice(nil, passes: nil)
        case 19, 20:
            let stretches = (0..<random.int(1...2)).map { _ in
                let first = random.int(0...bars - 1)
                return Passage.Stretch(first..<random.int(first + 1...bars))
            }
            return .practice(stretches, passes: random.chance(3) ? random.int(1...3) : nil)
        case 21: return .speed(change: random.int(-25...25))
        case 22: return .speedTo(Speed(millionths: Int64(random.int(50...200)) * 10_000) ?? .asWritten)
        case 23: return .nudge(.milliseconds(random.int(-25...25)))
        case 24: return random.chance(2) ? .silence(nil) : .silence(Performance.Silence(bars: 1, of: random.int(2...4)))
        case 25: return [.toggleClicks, .toggleCountIn, .revert][random.int(0...2)]
        default:
            return [.toggleDrone, .dronePitch(semitones: 1), .a4(hertz: 0.1), .droneLevel(decibels: 1)][
                random.int(0...3)]
        }
    }

    /// Plays; returns a description of each difference, empty if there is none.
    package func run() throws -> [String] { judge(try play()) }

    /// Plays; returns a full account: the bars, the commands, their effects, the clicks heard, the log, the events of
    /// the card and the differences.
    package func account() throws -> [String] {
        let play = try play()
        var lines = piece.enumerated().map { "bar \($0): \($1)" }
        lines += commands.map { "at \($0.0 + Simulation.beginning - play.origin) s: \($0.1)" }
        lines += play.effects.map { "\($0)" }
        lines += play.heard.map { "heard at \($0.time - play.origin) s: \($0.sound.map { "\($0)" } ?? "?")" }
        lines += play.rows.map(\.csv)
        lines += play.happenings.map {
            "card at \(Double($0.nanoseconds) * 1e-9 - play.origin) s: \($0.name) \($0.values)"
        }
        lines += card.machine.stalls.filter { $0.begin < seconds }.map { stall in
            "\(stall.thread.map { "\($0)" } ?? "all") stands still at "
                + "\(Simulation.beginning + stall.begin - play.origin) s for \(stall.length) s"
        }
        lines += OracleTold(play, card, score, seconds: seconds, seed: seed).account
        return lines + judge(play).map { "WRONG: \($0)" }
    }

    func play() throws -> SimulatedPlay {
        var performance = Performance(of: score, passage: Passage(Timeline(score), passes: nil))
        performance.waits = waits
        var options = Conductor.Options()
        options.card = card.known
        start?.set(&options)
        if card.isSilent {
            return try SimulatedPlay.runSilently(
                performance, machine: card.machine, for: seconds, options: options, commands: commands)
        }
        return try SimulatedPlay.run(
            performance, on: card.settings, policy: card.policy, machine: card.machine, for: seconds, options: options,
            commands: commands, loudness: card.loudness, keepsStatuses: true)
    }

    // MARK: - The judgement

    private func judge(_ play: SimulatedPlay) -> [String] {
        let bars = 0..<piece.count
        var music: OracleMusic?
        // The music after so many commands, and since when.
        var models: [(since: Double, music: OracleMusic)] = []
        var wrong: [String] = []
        var rest = commands.map(\.1)[...]
        // The time of a frame is refined, so it may differ between two commands at the same frame; nothing sounds
        // between them.
        var (last, lastTime) = (Int64.min, 0.0)
        for effect in play.effects {
            switch effect {
            case .began(let frame, let time, let isPaused):
                let countIn = Performance(of: score, passage: Passage(Timeline(score))).countInLength
                music = OracleMusic(
                    piece: piece, home: OraclePassage(stretches: [bars], passes: nil), countIn: countIn.seconds,
                    speed: 1, waits: waits, isTimed: start != nil, beginning: time.seconds,
                    nearness: max(30e-6, card.tolerance / 10),
                    stops: card.machine.stalls.filter { $0.length > 1 }.map {
                        Simulation.beginning + $0.begin + $0.length - play.origin
                    })
                // The pause that came before is carried out once more, which means nothing then.
                if isPaused { _ = music?.perform(.pause, at: time.seconds, isSameFrame: true) }
                (last, lastTime) = (frame, time.seconds)
                if let music { models = [(time.seconds, music)] }
            case .placed(let frame, let time):
                let old = lastTime + (Double(frame) - Double(last)) / 48_000
                music?.place(at: time.seconds, old: old, isSameFrame: frame == last)
                (last, lastTime) = (frame, time.seconds)
            case .command(let command, let frame, let time):
                if card.isFaulty, command == .pause, rest.first != .pause { break }
                if rest.popFirst() != command { wrong.append("\(command) out of its turn") }
                // The card has begun anew, which the program did not know yet: nobody can tell what was due before the command.
                let passed = (Double(frame) - Double(last)) / 48_000
                if card.isFaulty, abs(time.seconds - lastTime - passed) > OracleMusic.lateness { return [] }
                let means = music?.perform(command, at: time.seconds, isSameFrame: frame == last)
                if means == false { wrong.append("\(command) meant something") }
                // Where a nudge sets the music back, it stands until it is there again.
                let nudge = if case .nudge(let by) = command { max(by.seconds, 0) } else { 0.0 }
                if let music { models.append((time.seconds + nudge, music)) }
                (last, lastTime) = (frame, time.seconds)
            case .ignored(let command):
                if rest.popFirst() != command { wrong.append("\(command) out of its turn") }
            }
        }
        // On a slow machine, the commands that have waited take some time each.
        func isLate(_ stall: SimulatedMachine.Stall) -> Bool {
            stall.length > 1 && stall.begin < seconds && stall.begin + stall.length > seconds - 8
        }
        // A thread that has stood still in the last seconds has decided nothing since then.
        var stopped: Double?
        for stall in card.machine.stalls.filter({ $0.length > 1 && $0.begin < seconds }).sorted(by: {
            $0.begin > $1.begin
        })
        where stall.begin + stall.length > (stopped ?? seconds) - 4 { stopped = stall.begin }
        guard var music else { return stopped.map { $0 < 2 } ?? false ? [] : ["it never began"] }
        if music.isTie { return [] }
        // The card has never played: nothing was heard, and the log says so.
        if play.origin == 0, card.isFaulty {
            let isSo = play.heard.isEmpty && play.told.isEmpty
            return isSo ? [] : ["something was heard from a card that has never played"]
        }
        wrong += judgeShown(play, models)
        if let start { wrong += start.judge(play, stands: card.machine.stalls.contains { $0.length > 1 }) }
        // Up to `surely`, the card has played everything. The log has the rows of all boundaries two seconds before that.
        let end = Simulation.beginning + seconds - play.origin
        var surely = end - 2.5
        // A card that has hung in the last seconds has decided nothing since then.
        let hangs = play.happenings.filter { $0.name.hasPrefix("hang") }.map {
            Double($0.nanoseconds) * 1e-9 - play.origin
        }
        let stops = stopped.map { Simulation.beginning + $0 - 1.5 - play.origin }
        let hung = (hangs.filter { $0 > end - OraclePlay.Card.longestHang - 1 } + [stops].compactMap(\.self)).min()
        if let hung { surely = min(surely, hung - 1) }
        music.play(until: end + 5)
        if play.isOver {
            if !music.isFinished { wrong.append("it came to an end before the music") }
        } else if rest.count > 1, hung == nil, !card.machine.stalls.contains(where: { isLate($0) }) {
            wrong.append("\(rest.count) commands were not carried out")
        }
        wrong += OraclePlay.compare(music.clicks, play.rows, upTo: surely - 2, card, isTimed: start != nil)
        wrong += OracleTold(play, card, score, seconds: seconds, seed: seed).judge(upTo: surely - 2)
        guard !card.isSilent else { return wrong }
        wrong += OraclePlay.compare(
            music.clicks, play.heard.map { ($0.time - play.origin, $0.sound) }, upTo: surely, card, play.rows)
        // Each click that the log calls heard was heard. The flag `slip` says that its time is not known.
        for row in play.rows where row.flags.isDisjoint(with: [.lost, .muted, .slip]) {
            guard let heard = row.heard?.seconds, heard < surely - 1 else { continue }
            // A slow machine is preempted for some milliseconds at each twelfth look at its clock: what it believes can be wrong.
            let preempted = card.machine.isSlow ? Double(card.machine.preemptedFor) * 1e-9 : 0
            let unsure = card.tolerance + 1e-3 + preempted + 4e-6 * row.uncertaintyMicroseconds
            let isSo = play.heard.contains { abs($0.time - play.origin - heard) < unsure }
            if !isSo { wrong.append("\(row.csv) tells of a click that nobody heard") }
        }
        return wrong
    }

    /// Compares the clicks that must sound with those that were heard.
    private static func compare(
        _ clicks: [OracleClick], _ heard: [(time: Double, sound: ClickSound?)], upTo end: Double, _ card: Card,
        _ rows: [TimingRow]
    ) -> [String] {
        var wrong: [String] = []
        var rest = heard[...]
        let audible = clicks.filter { $0.isAudible && !$0.isLost && $0.time < end }.sorted { $0.time < $1.time }
        for (n, click) in audible.enumerated() {
            // Clicks less than a millisecond apart are heard as one.
            if n > 0, click.time - audible[n - 1].time < 1e-3 { continue }
            var last = n
            while last + 1 < audible.count, audible[last + 1].time - audible[last].time < 1e-3 { last += 1 }
            while let next = rest.first, next.time < click.earliest - card.tolerance {
                rest.removeFirst()
                if !card.isFaulty { wrong.append("heard \(next) s where nothing must sound") }
            }
            if let next = rest.first, next.time < click.time + card.tolerance {
                rest.removeFirst()
                let end = next.time + audible[last].time - click.time + 0.5e-3
                if last > n { while rest.first.map({ $0.time < end }) ?? false { rest.removeFirst() } }
                if last == n, next.sound != click.sound, !card.isFaulty { wrong.append("\(next) is no \(click.sound)") }
            } else if !card.isFaulty || !OraclePlay.isExcused(click, rows) {
                wrong.append("\(click.sound) of bar \(click.bar.map { "\($0)" } ?? "-") at \(click.time) s not heard")
            }
        }
        if !card.isFaulty, let next = rest.first, next.time < end - card.tolerance {
            wrong.append("heard \(next) s after all that must sound")
        }
        return wrong
    }

    /// Whether the log says that a fault of the card affected this boundary. Clicks of a count-in have no row and are
    /// excused.
    private static func isExcused(_ click: OracleClick, _ rows: [TimingRow]) -> Bool {
        guard let bar = click.bar else { return true }
        return rows.contains { row in
            row.index == bar + 1 && abs(row.nominal.seconds - click.due) < 1e-6
                && !row.flags.isDisjoint(with: [.xrun, .away, .slip, .lost, .late])
        }
    }

    /// Compares the rows that the log must have with those that it has.
    private static func compare(
        _ clicks: [OracleClick], _ rows: [TimingRow], upTo end: Double, _ card: Card, isTimed: Bool
    ) -> [String] {
        var wrong: [String] = []
        let boundaries = clicks.filter { $0.bar != nil && $0.time < end }
        for (click, row) in zip(boundaries, rows) {
            let name = "row of bar \(row.index) at \(row.nominal.seconds) s (\(row.flags.text))"
            guard row.index == (click.bar ?? 0) + 1 else {
                return wrong + ["\(name), where bar \((click.bar ?? 0) + 1) at \(click.time) s must be"]
            }
            if abs(row.nominal.seconds - click.due) > 1e-6 { wrong.append("\(name) is of \(click.due) s") }
            if row.flags.contains(.muted) == click.isAudible { wrong.append("\(name) is wrong about being muted") }
            guard !card.isFaulty else { continue }
            // Without a card, only a start that was moved to the past loses bars.
            let mustBeLost = card.isSilent ? isTimed && row.flags.contains(.lost) : click.isLost && click.isAudible
            if row.flags.contains(.lost) != mustBeLost { wrong.append("\(name) is lost, or should be") }
            if !row.flags.isDisjoint(with: [.xrun, .away, .slip]) { wrong.append("\(name) tells of a fault") }
            if let heard = row.heard, !click.isLost, abs(heard.seconds - click.time) > card.tolerance {
                wrong.append("\(name) says it was heard at \(heard.seconds) s")
            }
        }
        if rows.count < boundaries.count { wrong.append("the log has \(rows.count) rows of \(boundaries.count)") }
        return wrong
    }
}

extension Command {
    /// Whether it changes the clicks of the machine that carries it out, and not those of its followers.
    fileprivate var isOwn: Bool {
        switch self {
        case .silence, .toggleClicks: true
        default: false
        }
    }
}
