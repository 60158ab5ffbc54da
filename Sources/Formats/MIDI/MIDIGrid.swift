internal import Scores

/// The bar lines of a piece on ticks, with the tempo events and time signatures that place them.
///
/// A tempo event is a whole number of microseconds per quarter: 92 quarters per minute are written as 652 174, and every
/// quarter is 0.087 µs too long. A steady tempo nevertheless has one event, so its bar lines move away from their times:
/// by 209 µs in 600 bars of 4/4. `MIDIWriter` therefore writes what is heard or read at the tick nearest to its time,
/// not at its bar line. If a bar line is more than 2 ms away, an event that is 1 µs shorter or longer leads back.
///
/// Bars without a steady tempo keep the distance that they find, to 20 µs. `MIDIScore` adds up the same distance, as the
/// exact tempo is in the file too: to it, all these bars begin at their times.
struct MIDIGrid {
    /// What happens at a tick of the grid.
    enum Change {
        /// The exact tempo in quarters per minute, for Barline's own reader; nil if the tempo events are exact.
        case exactTempo(Fraction?)
        case meter(MIDIMeter)
        /// Microseconds per quarter.
        case tempo(Int64)
    }

    /// In ascending order of ticks.
    private(set) var changes: [(tick: Int64, change: Change)] = []
    /// The end of the last bar in ticks, and the time of this tick in the unit of `units`.
    private var tick: Int64 = 0
    private var time: Int128 = 0
    /// How much later than `MIDIScore` reads it the end of the last bar is, in the same unit.
    private var lead: Int128 = 0
    private var tempo: Int64 = 0
    private var meter: MIDIMeter?
    /// The steady tempo at the end of the last bar in quarters per minute; nil if it had none.
    private var steadyTempo: Fraction?
    /// The exact tempo that was written last; the outer nil before the first.
    private var writtenTempo: Fraction??

    /// Ticks per quarter: the header has 15 bits for it, and 128th notes, triplets, quintuplets and septuplets have a
    /// whole number of ticks.
    var division: Int64 = 30_240
    /// The longest quarter that a MIDI file can express.
    static let longestQuarter = Duration.microseconds(0xFFFFFF)
    /// How far a bar line at a steady tempo may be from its time before the tempo event changes.
    private var drift: Int128 { units(.milliseconds(2)) }

    /// A time in parts of a microsecond, of which it has as many as a quarter has ticks.
    func units(_ time: Duration) -> Int128 { time.attoseconds * Int128(division) / 1_000_000_000_000 }

    /// Adds the next bar, and notes what MIDI cannot express of it.
    mutating func add(_ bar: PlayedBar, _ losses: inout Losses) {
        let layout = MIDIBar(bar, after: steadyTempo, quarter: division)
        if let loss = layout.loss { losses.note(loss, at: bar.place) }
        var meters = layout.meters[...]
        let begin = changes.count
        for part in layout.parts {
            let quarter = part.tempo.map { Fraction(60_000_000) / $0 }
            let exact = quarter?.denominator == 1 ? nil : part.tempo
            if writtenTempo != .some(exact) {
                changes.append((tick, .exactTempo(exact)))
                writtenTempo = .some(exact)
            }
            // Only a bar of a single part has several meters.
            for part in meters where part.meter != meter {
                changes.append((tick + part.tick, .meter(part.meter)))
                meter = part.meter
            }
            meters = []
            if let quarter, let first = part.anchors.first, let last = part.anchors.last {
                add(
                    last.tick - first.tick, quarter, isContinued: part.tempo == steadyTempo,
                    from: bar.start + first.offset, to: bar.start + last.offset)
            } else {
                for (from, to) in zip(part.anchors, part.anchors.dropFirst()) {
                    go(ticks: to.tick - from.tick, in: to.offset - from.offset, until: bar.start + to.offset)
                }
            }
            steadyTempo = part.tempo
        }
        guard layout.meters.count > 1 else { return }
        // The further meters of a bar of hours come after its tempo.
        let sorted = changes[begin...].enumerated()
            .sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
        changes.replaceSubrange(begin..., with: sorted)
    }

    /// Adds a bar, or a part of one, with a steady tempo, in microseconds per quarter.
    private mutating func add(
        _ ticks: Int64, _ quarter: Fraction, isContinued: Bool, from start: Duration, to end: Duration
    ) {
        let error = time - lead - units(start)
        let distance = time - units(start)
        let below = quarter.floor
        let above = quarter.denominator == 1 ? below : below + 1
        var chosen = tempo
        var most = drift
        if !isContinued || tempo != below && tempo != above {
            chosen = quarter.value - Double(below) < 0.5 ? below : above
            most /= 2
        }
        if distance > most { chosen = below }
        if distance < -most { chosen = above }
        set(tempo: chosen)
        go(ticks)
        lead = time - units(end) - error
    }

    /// Advances by a number of ticks that last `length`, up to the time `end`: at the tempo nearest to that length if it
    /// comes within 20 µs of that time, otherwise at another one that does.
    private mutating func go(ticks: Int64, in length: Duration, until end: Duration) {
        let tolerance = 20 * UInt128(division)
        let (target, own) = (units(end) + lead, units(length))
        let rounding = UInt128(ticks) / 2 + 1
        // A tempo halfway between two whole numbers does not change because a length was rounded to the attosecond.
        let isSteady = tempo > 0 && (Int128(ticks) * Int128(tempo) - own).magnitude <= rounding
        let usual = isSteady ? tempo : nearest(own, ticks)
        let excess = time + Int128(ticks) * Int128(usual) - target
        guard excess.magnitude > tolerance else {
            set(tempo: usual)
            return go(ticks)
        }
        // At a steady tempo, errors come from one side: go to the other side of the tolerance.
        let room = isSteady && tolerance > rounding ? Int128(tolerance - rounding) : 0
        let length = target - time - (excess > 0 ? room : -room)
        let corrected = nearest(length, ticks)
        let (below, rest) = max(length, 0).quotientAndRemainder(dividingBy: Int128(ticks))
        if (time + Int128(ticks) * Int128(corrected) - target).magnitude > tolerance, (1..<0xFFFFFF).contains(below) {
            // Errors of half a microsecond add up over many quarters: for part of the ticks, quarters last 1 µs longer.
            set(tempo: Int64(below) + 1)
            go(Int64(rest))
            set(tempo: Int64(below))
            go(ticks - Int64(rest))
        } else {
            set(tempo: corrected)
            go(ticks)
        }
    }

    /// The tempo at which a number of ticks comes nearest to a length in the unit of `units`.
    private func nearest(_ length: Int128, _ ticks: Int64) -> Int64 {
        Int64(min(max((length + Int128(ticks) / 2) / Int128(ticks), 1), 0xFFFFFF))
    }

    private mutating func set(tempo: Int64) {
        guard tempo != self.tempo else { return }
        self.tempo = tempo
        changes.append((tick, .tempo(tempo)))
    }

    private mutating func go(_ ticks: Int64) {
        time += Int128(ticks) * Int128(tempo)
        tick += ticks
    }
}

extension MIDIGrid {
    /// Finds the ticks of times, in ascending order.
    struct Cursor {
        private var index = 0
        /// The last tempo event before the last requested time: its tick, its time and its tempo.
        private var last: (tick: Int64, time: Int128, tempo: Int128) = (0, 0, 500_000)

        /// The tick that is nearest to a time, which must not be before the last requested one.
        mutating func tick(at time: Duration, in grid: MIDIGrid) -> Int64 {
            let time = grid.units(time)
            while index < grid.changes.count {
                if case .tempo(let tempo) = grid.changes[index].change {
                    let tick = grid.changes[index].tick
                    let start = last.time + Int128(tick - last.tick) * last.tempo
                    guard start <= time else { break }
                    last = (tick, start, Int128(tempo))
                }
                index += 1
            }
            return last.tick + Int64((max(0, time - last.time) + last.tempo / 2) / last.tempo)
        }
    }
}
