internal import Glibc
internal import Playback
internal import Scores
internal import Timing

/// A bar of the oracle's piece: its length and its place in its line.
struct OracleBar: Sendable {
    /// The written length in seconds.
    var length: Double
    /// Its number in its line, from 1, and the number of bars in the line.
    var number: Int
    var barsInLine: Int
    /// Where in the bar live music waits for the player, in seconds; nil if it does not. The wait takes no time of the
    /// score.
    var waitsAt: Double?
}

/// The order in which bars are played: stretches of the piece, `passes` times; forever if that is nil.
struct OraclePassage: Sendable, Equatable {
    var stretches: [Range<Int>]
    var passes: Int?

    /// The bars of one pass.
    var bars: [Int] { stretches.flatMap { Array($0) } }
    var count: Int? { passes.map { $0 * bars.count } }
    func has(_ n: Int) -> Bool { n >= 0 && count.map { n < $0 } ?? true }
    func bar(_ n: Int) -> Int { bars[n % bars.count] }

    /// The boundaries of the stretch that contains boundary n.
    func stretch(of n: Int) -> Range<Int> {
        var first = n / bars.count * bars.count
        for stretch in stretches {
            if n < first + stretch.count { return first..<first + stretch.count }
            first += stretch.count
        }
        return first..<first
    }

    /// The boundary nearest to n, in the same pass, at which this bar of the piece begins.
    func boundary(of bar: Int, near n: Int) -> Int? {
        let first = n / bars.count * bars.count
        let found = bars.indices.filter { bars[$0] == bar }.map { first + $0 }
        return found.min { abs($0 - n) < abs($1 - n) }
    }
}

/// A click that must sound, or a boundary that must be silent.
struct OracleClick: Sendable {
    /// When it was due and when it sounds, in seconds after time zero.
    var due: Double
    var time: Double
    var sound: ClickSound
    /// The index of the bar that it begins; nil in a count-in.
    var bar: Int?
    /// Whether it sounds.
    var isAudible: Bool
    /// Whether it sounds later than it was due, because a command made it due at a time before the command could take
    /// effect; and whether it is so late that it is lost.
    var isLate = false
    var isLost = false
    /// The earliest time at which it may sound, in seconds after time zero. After a new placement, it may already have
    /// sounded at its due time.
    var earliest: Double
}

/// Computes what must sound if commands take effect at given times, from the score alone and with arithmetic that
/// shares nothing with the scheduler. Times are seconds after time zero.
struct OracleMusic {
    private enum Next: Equatable {
        /// This many clicks of the count-in are left.
        case count(Int)
        case boundary(Int)
        /// The wait inside the bar of boundary n.
        case wait(Int)
        case standing(Int)
    }

    let piece: [OracleBar]
    let home: OraclePassage
    let countIn: Double
    let startSpeed: Double
    let waits: Bool
    /// Whether it begins at a time of day.
    let isTimed: Bool

    private(set) var clicks: [OracleClick] = []
    private var passage: OraclePassage
    private var leftHome: Int?
    /// The music is at `position` (seconds of the passage) at `time`, and goes on at `speed`.
    private var time = 0.0
    private var position = 0.0
    private var speed: Double
    /// The length of the count-in before `time`, and the boundary to which it leads.
    private var counted: Double
    private var target = 0
    private var next: Next
    private var stopped: Double?
    private var hasBegun = false
    private(set) var hasEnded = false
    /// Whether something was due so close to a command that their order is undefined; and the limit for that in
    /// seconds.
    private(set) var isTie = false
    let nearness: Double
    /// When threads go on that stood still for seconds. What is due just before that can sound a little later, unless the next
    /// command changes it.
    let stops: [Double]
    /// Whether something was due just before the latest placement, so that it may or may not have sounded.
    private var isUnsure = false
    /// Whether `floor` comes from a placement: clicks due before it may have sounded at their due times.
    private var isPlacedAnew = false
    /// How late a click may be heard, in s; a later one is lost.
    static let lateness = 0.030
    /// Nothing sounds before this time.
    private var floor: Double
    private var isMuted = false
    private var silence: Performance.Silence?
    private var countsJumps = false

    init(
        piece: [OracleBar], home: OraclePassage, countIn: Double, speed: Double, waits: Bool, isTimed: Bool,
        beginning floor: Double, nearness: Double, stops: [Double]
    ) {
        (self.nearness, self.stops, self.isTimed) = (nearness, stops, isTimed)
        (self.piece, self.home, self.countIn, self.waits, self.floor) = (piece, home, countIn, waits, floor)
        (passage, self.speed, startSpeed, counted) = (home, speed, speed, countIn)
        next = countIn > 0 ? .count(max(Int(countIn), 1)) : .boundary(0)
    }

    // MARK: - Places

    /// The position of boundary n of the passage, in seconds of the score.
    private func place(_ n: Int) -> Double {
        let bars = passage.bars
        let pass = bars.reduce(0) { $0 + piece[$1].length }
        return Double(n / bars.count) * pass + bars.prefix(n % bars.count).reduce(0) { $0 + piece[$1].length }
    }

    private func bar(_ n: Int) -> OracleBar { piece[passage.bar(n)] }

    private func moment(_ place: Double) -> Double { time + (place - position) / speed }

    private var nextTime: Double? {
        switch next {
        case .count(let left): return time - min(Double(left), counted)
        case .boundary(let n): return passage.has(n) ? moment(place(n)) : nil
        case .wait(let n): return bar(n).waitsAt.map { moment(place(n) + $0) }
        case .standing: return nil
        }
    }

    /// The position of the music at a time.
    private func here(_ now: Double) -> Double {
        if case .standing(let n) = next { return place(n) + (bar(n).waitsAt ?? 0) }
        return max(position + ((stopped ?? now) - time) * speed, position)
    }

    /// When the music came to the wait at which it stands; nil if it stands at none. The time goes on through changes of speed.
    private func arrival(_ now: Double) -> Double? { isStanding ? moment(here(now)) : nil }

    /// The boundary of the bar that sounds.
    private func boundary(_ now: Double) -> Int {
        // Music that waits at the very end of a bar has not left that bar.
        if case .standing(let n) = next { return n }
        let here = here(now) + 1e-9
        var n = 0
        while passage.has(n + 1), place(n + 1) <= here { n += 1 }
        return n
    }

    /// What is heard now: everything before has been played.
    func shownNow(_ now: Double) -> OracleShown {
        // In a pause, a start keeps its time of day.
        let begin = time - counted
        let standing = stopped.map { hasBegun || !isTimed ? $0 : min(now, begin) } ?? now
        if let count = passage.count, position >= place(count) { return .end }
        if standing < begin { return .before(begin: begin - standing, music: time - standing) }
        if standing < time, counted > 0 { return .countIn(left: time - standing) }
        let n = boundary(standing)
        let here = here(standing)
        if let count = passage.count, here >= place(count), !isStanding { return .end }
        return .bar(n, at: here, isPaused: stopped != nil, isWaiting: isStanding)
    }

    /// Whether nothing is left to sound.
    var isFinished: Bool { if case .boundary(let n) = next { !passage.has(n) } else { false } }

    // MARK: - Playing

    /// Plays everything that is due before a time.
    mutating func play(until end: Double) {
        guard stopped == nil, !hasEnded else { return }
        if end > time - counted + 1e-9 { hasBegun = true }
        while let due = nextTime, due < end - 1e-9 {
            switch next {
            case .count(let left):
                sound(.countIn, due, bar: nil, boundary: nil)
                next = left > 1 ? .count(left - 1) : .boundary(target)
            case .boundary(let n):
                sound(bar(n).number == 1 ? .line : .bar, due, bar: passage.bar(n), boundary: n)
                next = waits && bar(n).waitsAt != nil ? .wait(n) : .boundary(n + 1)
            case .wait(let n): next = .standing(n)
            case .standing: return
            }
        }
    }

    private mutating func sound(_ sound: ClickSound, _ due: Double, bar: Int?, boundary: Int?) {
        let isSilent = boundary.map { silence?.isSilent($0) ?? false } ?? false
        var click = OracleClick(
            due: due, time: max(due, floor), sound: sound, bar: bar, isAudible: !isMuted && !isSilent,
            earliest: isPlacedAnew ? due : max(due, floor))
        click.isLate = floor - due > 1e-6
        click.isLost = floor - due > OracleMusic.lateness
        clicks.append(click)
    }

    // MARK: - Commands

    /// Carries out a command at a time. With `isSameFrame`, it takes effect at the same frame as the effect before it,
    /// and nothing has sounded in between. Returns false if the command has no effect.
    mutating func perform(_ command: Command, at now: Double, isSameFrame: Bool) -> Bool {
        guard !hasEnded else { return false }
        // The click due just before the placement may have sounded, or is rewound by this command.
        if isSameFrame, isUnsure { isTie = true }
        // Whether music whose start had passed when it could begin has begun at that frame, nobody can hear.
        if isSameFrame, !hasBegun, stopped == nil, time - counted < floor { isTie = true }
        isUnsure = false
        if !isSameFrame {
            play(until: now)
            let near = [nextTime, clicks.last?.time].compactMap(\.self)
            let nearness = stops.contains { (now - 1...now).contains($0) } ? OracleMusic.lateness : nearness
            if stopped == nil, near.contains(where: { $0 > floor + 1e-9 && abs($0 - now) < nearness }) { isTie = true }
        }
        guard carryOut(command, now) else { return false }
        floor = now
        isPlacedAnew = false
        playLost()
        return true
    }

    /// Reschedules everything that has not sounded from a time on, because the relation of frames to times has changed.
    /// Clicks that were due before that time sound late or are lost. Until now the same frame had the time `old`: what was due
    /// before that has sounded, also where it lies after `now`.
    mutating func place(at now: Double, old: Double, isSameFrame: Bool) {
        // Music that has not begun moves with its start: what is due before is lost.
        if !hasBegun { play(until: old) }
        let isBefore = !hasBegun && stopped == nil
        // Whether it has begun at this very moment, rounding decides.
        if isBefore, abs(time - counted - now) < nearness { isTie = true }
        if isBefore, time - counted < now { hasBegun = true }
        if !isSameFrame, !isBefore { play(until: old > now + OracleMusic.lateness ? old : now - OracleMusic.lateness) }
        // Whether it waits at a hold that it will come to once more, nobody can hear.
        if old > now + OracleMusic.lateness, isStanding { isTie = true }
        floor = now
        isPlacedAnew = true
        playLost()
        isUnsure = !isFinished && stopped == nil && !hasEnded && nextTime.map { $0 < now + nearness } ?? false
    }

    /// Plays the clicks that are too late already: they are lost whatever follows.
    private mutating func playLost() {
        let last = floor - OracleMusic.lateness
        // Whether one that is as late as may be is lost, rounding decides.
        if stopped == nil, let next = nextTime, abs(next - last) < nearness { isTie = true }
        play(until: last)
    }

    private var isStanding: Bool { if case .standing = next { true } else { false } }

    private mutating func carryOut(_ command: Command, _ now: Double) -> Bool {
        switch command {
        case .togglePause:
            return carryOut(stopped != nil || isStanding ? .resume : .pause, now)
        case .pause:
            guard stopped == nil, !isStanding else { return false }
            stopped = now
        case .resume:
            guard let stop = stopped else { return carryOut(.continue, now) }
            time = hasBegun ? time + now - stop : max(time, now + counted)
            stopped = nil
        case .continue:
            guard stopped == nil, case .standing(let n) = next else { return false }
            position = place(n) + (bar(n).waitsAt ?? 0)
            (time, counted, next) = (now, 0, .boundary(n + 1))
        case .jump(.nextBar):
            let n = boundary(now)
            guard passage.has(n + 1) else { return false }
            jump(n + 1, now)
        case .jump(.previousBar):
            let n = boundary(now)
            jump(isFresh(n, now) ? max(n - 1, 0) : n, now)
        case .jump(.nextLine):
            let n = boundary(now)
            let line = min(n + bar(n).barsInLine - bar(n).number + 1, passage.stretch(of: n).upperBound)
            guard passage.has(line) else { return false }
            jump(line, now)
        case .jump(.previousLine):
            let begin = lineStart(boundary(now))
            jump(begin > 0 && isFresh(begin, now) ? lineStart(begin - 1) : begin, now)
        case .jump(.thisBar):
            jump(boundary(now), now)
            if stopped != nil { return carryOut(.resume, now) }
        case .jump(.firstBar): return goTo(home.bar(0), now)
        case .jump(.bar(let bar)): return goTo(bar, now)
        case .jump(.time(let time)):
            var (bar, end) = (0, piece[0].length)
            while bar + 1 < piece.count, end <= time.seconds + 1e-9 {
                bar += 1
                end += piece[bar].length
            }
            return goTo(bar, now)
        case .practice(nil, _):
            guard leftHome != nil else { return false }
            goHome(now)
        case .practice(let stretches?, let passes):
            leftHome = leftHome ?? boundary(now)
            change(OraclePassage(stretches: stretches.map(\.bars), passes: passes), near: 0, now)
        case .speed(let change):
            setSpeed(min(max((speed * 100 + Double(change)).rounded(), 5), 1000) / 100, now)
        case .speedTo(let wanted): setSpeed(Double(wanted.millionths) / 1e6, now)
        case .nudge(let by): time += by.seconds
        case .revert:
            setSpeed(startSpeed, now)
            (isMuted, silence, countsJumps) = (false, nil, false)
        case .silence(let wanted): silence = wanted
        case .toggleClicks: isMuted.toggle()
        case .toggleCountIn: countsJumps.toggle()
        case .toggleDrone, .dronePitch, .drone, .droneWaveform, .droneLevel, .a4, .clickLevel, .say: break
        case .tell: return false
        case .stop: hasEnded = true
        }
        return true
    }

    private mutating func setSpeed(_ new: Double, _ now: Double) {
        let at = stopped ?? now
        if at > time {
            (time, position, counted) = (arrival(now) ?? at, here(now), 0)
        }
        speed = new
    }

    /// Whether a bar or line began less than half a second ago, so that going back leads to the one before it.
    private func isFresh(_ n: Int, _ now: Double) -> Bool {
        let waited = arrival(now).map { (stopped ?? now) - $0 } ?? 0
        return (here(now) - place(n)) / speed + waited < 0.5
    }

    private func lineStart(_ n: Int) -> Int { max(n - bar(n).number + 1, passage.stretch(of: n).lowerBound) }

    private mutating func jump(_ n: Int, _ now: Double) {
        if hasBegun {
            counted = countsJumps ? countIn : 0
            time = (stopped ?? now) + counted
        }
        (position, target) = (place(n), n)
        next = counted > 0 ? .count(max(Int(counted), 1)) : .boundary(n)
    }

    private mutating func goTo(_ bar: Int, _ now: Double) -> Bool {
        if let n = passage.boundary(of: bar, near: boundary(now)) {
            jump(n, now)
            return true
        }
        guard let left = leftHome, let n = home.boundary(of: bar, near: left) else { return false }
        goHome(now)
        jump(n, now)
        return true
    }

    private mutating func goHome(_ now: Double) {
        guard let left = leftHome else { return }
        leftHome = nil
        change(home, near: left, now)
    }

    /// Changes to another passage. The bar that sounds goes on if the new passage has it; otherwise the new passage
    /// starts.
    private mutating func change(_ new: OraclePassage, near: Int, _ now: Double) {
        let n = boundary(now)
        let found = new.boundary(of: passage.bar(n), near: near)
        let begin = place(n)
        passage = new
        guard let found else { return jump(0, now) }
        position += place(found) - begin
        target = found
        switch next {
        case .count: break
        case .boundary(let m): next = .boundary(found + max(m - n, 0))
        case .wait(let m): next = .wait(found + max(m - n, 0))
        case .standing(let m): next = .standing(found + max(m - n, 0))
        }
    }
}
