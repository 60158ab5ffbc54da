internal import Playback
internal import Timing

/// What a track counts: ticks of the clock, or quarter frames of a film.
protocol MIDICount {
    /// Only at a multiple of this number can machines begin to follow.
    var group: Int { get }
    /// When the count begins, by the anchor: ns of CLOCK_MONOTONIC.
    func begin(_ status: Status) -> Int64
    /// The numbers that fall into the bar of boundary `n`; nil if there are none.
    mutating func numbers(ofBoundary n: Int, _ status: Status) -> Range<Int>?
    /// When a number of this bar is due, ns of CLOCK_MONOTONIC.
    func moment(of number: Int, inBarOf n: Int, _ status: Status) -> Int64
    /// What is sent at a number; before a number at which machines begin to follow; where they no longer follow.
    func messages(at number: Int) -> [MIDIMessage]
    func messages(before number: Int) -> [MIDIMessage]
    var ending: [MIDIMessage] { get }
    /// What tells machines where the music stands, at a position in the bar of boundary `n`.
    func standing(at position: Duration, inBarOf n: Int, _ status: Status) -> [MIDIMessage]
}

/// Sends what is counted while the music goes on. Each number is sent once and in order; after a jump the machines are told
/// where it goes on.
struct MIDITrack<Count: MIDICount> {
    private var count: Count
    /// The last number that was sent; nil while the machines do not follow.
    private var sent = Foreseen<Int?>(nil)
    /// The bar and the number that come next; nil if that has to be found anew.
    private var next: (boundary: Int, number: Int)?
    private var events: [MIDIEvent] = []

    /// How far a change may move what is counted without being a jump, in ns; and how late it may be.
    private static var slack: Int64 { 35_000_000 }
    private static var latest: Int64 { 200_000_000 }
    /// How long before a number machines are told to begin with it, in ns; less if the number before is nearer.
    static var lead: Int64 { 5_000_000 }

    init(_ count: Count) { self.count = count }

    /// Takes back what is due after a moment.
    mutating func takeBack(after moment: Int64) {
        sent.takeBack(after: moment)
        next = nil
    }

    /// What is due from `from` to `to`, while the music is heard as a status tells it. `isNew` if something has changed.
    /// What machines need before it may be sent from `since` on.
    mutating func step(_ status: Status, from: Int64, to: Int64, since: Int64, isNew: Bool) -> [MIDIEvent] {
        defer { events = [] }
        if isNew { next = nil }
        let passage = status.performance.passage
        guard case .going = status.stage, status.pausedPosition == nil else {
            end(at: from)
            if isNew, case .going = status.stage, let place = status.pausedPosition { stand(place, status, at: from) }
            return events
        }
        if next == nil { find(status, from: from, since: since) }
        if isNew, sent.last == nil, status.heard(at: status.anchor.position) > from {
            stand(status.anchor.position, status, at: from)
        }
        let begin = count.begin(status)
        while let (n, first) = next, passage.has(boundary: n) {
            let held = status.held.flatMap { $0.boundary <= n ? $0 : nil }
            guard let numbers = count.numbers(ofBoundary: n, status) else {
                let moment = status.heard(boundary: n)
                guard moment <= to, held.map({ $0.boundary == n }) ?? true else {
                    return hold(held, status, from, to)
                }
                end(at: max(moment, from))
                guard held == nil else { return events }
                next = (n + 1, .min)
                continue
            }
            var number = max(first, numbers.lowerBound)
            while number < numbers.upperBound {
                let moment = count.moment(of: number, inBarOf: n, status)
                if let held, moment > status.heard(at: held.position) || held.boundary < n {
                    return hold(held, status, from, to)
                }
                next = (n, number)
                guard moment <= to else { return events }
                if moment >= begin { take(number, at: moment, from: from, since: since) }
                number += 1
            }
            if let held { return hold(held, status, from, to) }
            next = (n + 1, .min)
        }
        if let total = passage.total, status.heard(at: total) <= to { end(at: max(status.heard(at: total), from)) }
        return events
    }

    /// Sends a number that is due, if machines follow or can begin to.
    private mutating func take(_ number: Int, at moment: Int64, from: Int64, since: Int64) {
        if sent.last == number - 1, moment >= from - Self.latest {
            return send(number, at: max(moment, from))
        }
        guard moment >= from else { return end(at: from) }
        let before = max(sent.time, since)
        let early = moment - min(Self.lead, (moment - before) / 2)
        end(at: early)
        guard number.isMultiple(of: count.group) else { return }
        events += count.messages(before: number).map { MIDIEvent(time: early, message: $0) }
        send(number, at: moment)
    }

    private mutating func send(_ number: Int, at moment: Int64) {
        sent.change(to: number, at: moment)
        events += count.messages(at: number).map { MIDIEvent(time: moment, message: $0) }
    }

    /// The machines no longer follow.
    private mutating func end(at moment: Int64) {
        guard sent.last != nil else { return }
        sent.change(to: nil, at: moment)
        events += count.ending.map { MIDIEvent(time: moment, message: $0) }
    }

    private mutating func stand(_ place: Duration, _ status: Status, at moment: Int64) {
        let n = status.performance.passage.boundary(at: max(place, .zero))
        events += count.standing(at: place, inBarOf: n, status).map { MIDIEvent(time: moment, message: $0) }
    }

    /// The music stands at a hold, if it has come there by `to`.
    private mutating func hold(_ held: HeldMusic?, _ status: Status, _ from: Int64, _ to: Int64) -> [MIDIEvent] {
        guard let held, sent.last != nil else { return events }
        let moment = max(status.heard(at: held.position), from)
        guard moment <= to else { return events }
        end(at: moment)
        events += count.standing(at: held.position, inBarOf: held.boundary, status).map {
            MIDIEvent(time: moment, message: $0)
        }
        return events
    }

    /// Finds what comes next: the number after the last one, if the music is still there, otherwise what is due.
    private mutating func find(_ status: Status, from: Int64, since: Int64) {
        let passage = status.performance.passage
        let time = Duration.nanoseconds(from - Self.slack - status.zeroHeard)
        let here = passage.boundary(at: max(status.anchor.position(at: time), status.anchor.position, .zero))
        if let last = sent.last {
            for n in max(here - 1, 0)...here + 1 where passage.has(boundary: n) {
                guard let numbers = count.numbers(ofBoundary: n, status), numbers.contains(last) else { continue }
                let after =
                    last + 1 < numbers.upperBound
                    ? count.moment(of: last + 1, inBarOf: n, status) : status.heard(boundary: n + 1)
                guard count.moment(of: last, inBarOf: n, status) <= from + Self.slack, after >= from - Self.slack else {
                    continue
                }
                next = (n, last + 1)
                return
            }
            // Machines that are to go on elsewhere need time for that.
            end(at: max(from - Self.lead, since, sent.time))
        }
        var low = Int.min
        if let numbers = count.numbers(ofBoundary: here, status) {
            // The first number that is due from now on.
            var high = numbers.upperBound
            low = numbers.lowerBound
            while low < high {
                let middle = low + (high - low) / 2
                if count.moment(of: middle, inBarOf: here, status) < from { low = middle + 1 } else { high = middle }
            }
        }
        next = (here, low)
    }

    mutating func settle(before now: Int64) { sent.settle(before: now) }

    /// Whether machines followed at the moment that was settled last.
    var isFollowed: Bool { sent.first != nil }
}
