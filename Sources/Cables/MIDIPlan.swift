package import Playback
internal import Scores
internal import Timing

/// What is told of a performance by MIDI, and when. A value that follows the statuses: it has no clock and no cable.
///
/// It plans a little more than a second ahead, for a queue that sends each event at its moment, however busy the machine is.
/// After a command, events that no longer fit are taken back from the queue, and planned anew.
package struct MIDIPlan {
    /// What it tells besides the messages of the score.
    package struct Options: Sendable, Equatable {
        /// The timecode of the film, where the performance has one.
        package var timecode: Bool
        /// The clock, in bars with a meter.
        package var clock: Bool

        package init(timecode: Bool = false, clock: Bool = false) { (self.timecode, self.clock) = (timecode, clock) }
    }

    /// What is to be done.
    package struct Step: Sendable, Equatable {
        /// Everything in the queue that is due after this moment is to be taken back, before the events are added; nil to
        /// leave the queue as it is.
        package var takesBack: Int64?
        /// New events in the order of their times.
        package var events: [MIDIEvent] = []
        /// When to look again.
        package var next: Int64
    }

    private let options: Options
    private var beginnings = Beginnings()
    private var clock: MIDITrack<MIDIClock>?
    private var timecode: MIDITrack<MIDITimecode>?
    private var settings: LinearTimecode?
    private var sounding = Foreseen<Set<Note>>([])
    /// The notes that end with the music, which stops or jumps at this moment; nil once that is over.
    private var ending: (notes: Set<Note>, moment: Int64, isSent: Bool)?
    private var chase: MIDIChase?
    private var told = Foreseen(Told())
    /// The status by which the queue was filled, up to `planned`.
    private var status: Status?
    private var planned = Int64.min
    private var isMoved = false
    /// When it planned last.
    private var looked = Int64.max

    /// A note that has begun.
    fileprivate struct Note: Hashable {
        var channel: Int
        var note: Int
    }

    /// What machines have been told of programs and controllers, and the bar that began last.
    private struct Told {
        /// nil if nobody knows, as at the beginning and after a jump.
        var state: MIDIState?
        var bar = 0
    }

    /// How far ahead it plans, and how long it rests, in ns.
    private static let horizon: Int64 = 1_000_000_000
    private static let nap: Int64 = 250_000_000
    /// What is due so soon can no longer be taken back, in ns.
    private static let soon: Int64 = 3_000_000
    /// A greater difference between two estimates of one moment is corrected in the queue, in ns.
    private static let exact: Int64 = 50_000
    /// A greater change of the place of the music is a jump.
    private static let jump = Duration.milliseconds(60)
    /// The most events that are planned at once: a queue holds twice as many.
    private static let most = 900

    package init(_ options: Options) { self.options = options }

    /// Plans anew what the queue holds: the moments of its clock have moved.
    package mutating func replan() { isMoved = true }

    /// Plans everything anew, as if the machines knew nothing: a cable has been plugged in.
    package mutating func restart() { self = MIDIPlan(options) }

    /// Takes up a status as soon as it comes: what is heard before the next one is told, however late `step` is called.
    package mutating func take(_ status: Status, at now: Int64) { beginnings.take(status, at: now) }

    /// What is to be done at `now` (CLOCK_MONOTONIC, ns).
    package mutating func step(_ status: Status, at now: Int64) -> Step {
        var events: [MIDIEvent] = []
        if now > looked, now - looked > Beginnings.latest {
            // Messages of so long ago are not sent any more: notes that sound end now, and the clock stops, to begin anew.
            events = end(at: now).map { MIDIEvent(time: now, message: $0) }
        }
        looked = now
        beginnings.take(status, at: now)
        let isNew = isMoved || self.status.map { !$0.sends(as: status, within: MIDIPlan.exact) } ?? true
        // If the queue's clock has moved, nothing in it stays as it is.
        if isMoved { planned = .min }
        isMoved = false
        if isNew {
            begin(status)
            planned = max(now + MIDIPlan.soon, min(planned, firstChange(by: status)))
            takeBack(after: planned, status, at: now)
            self.status = status
        }
        let from = max(planned, now), to = max(now + MIDIPlan.horizon, from)
        settle(before: now)
        for heard in beginnings.courses.heard(from: from, to: to) {
            // The command of a later one is heard only here.
            let isNew = isNew || heard.from > from
            events += clock?.step(heard.status, from: heard.from, to: heard.to, since: from, isNew: isNew) ?? []
            events += timecode?.step(heard.status, from: heard.from, to: heard.to, since: from, isNew: isNew) ?? []
        }
        events += messages(status, at: now, from: from, to: to)
        // In the order of their times; those of one moment stay in the order of this list.
        events = events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
        planned = to
        if events.count > MIDIPlan.most {
            planned = max(events[MIDIPlan.most].time - 1, events[0].time)
            takeBackTracks(after: planned)
            events.removeAll { $0.time > planned }
        }
        return Step(
            takesBack: isNew ? from : nil, events: events, next: planned < to ? planned : now + MIDIPlan.nap)
    }

    /// The moment up to which the queue stays as it was filled, if a status brings only commands that are heard later. What is due
    /// before is not taken back: if the thread is late, it has been sent already, and would be sent twice.
    private func firstChange(by status: Status) -> Int64 {
        guard let before = self.status, abs(status.zeroHeard - before.zeroHeard) <= MIDIPlan.exact,
            let course = beginnings.courses.all.first(where: { $0.status.commandCount > before.commandCount })
        else { return .min }
        // Machines that go on elsewhere are stopped a little before.
        let goesOn = if case .going = course.status.stage { course.status.pause == nil } else { false }
        return course.from - (goesOn ? MIDITrack<MIDIClock>.lead : 1)
    }

    /// What is sent at once when the performance is over, at `now`, after everything has been taken back from the queue.
    package mutating func end(at now: Int64) -> [MIDIMessage] {
        settle(before: now)
        var messages = sounding.all.reduce(into: Set<Note>()) { $0.formUnion($1) }.sorted
        if clock?.isFollowed ?? false { messages.append(.stop) }
        restart()
        return messages
    }

    /// Takes up a performance.
    private mutating func begin(_ status: Status) {
        let performance = status.performance
        if chase == nil { chase = MIDIChase(performance.passage.timeline) }
        if options.clock, clock == nil { clock = MIDITrack(MIDIClock(performance)) }
        guard options.timecode, performance.linearTimecode != settings || timecode == nil else { return }
        settings = performance.linearTimecode
        timecode = settings.flatMap { MIDITimecode($0) }.map { MIDITrack($0) }
    }

    private mutating func settle(before now: Int64) {
        clock?.settle(before: now)
        timecode?.settle(before: now)
        sounding.settle(before: now)
        told.settle(before: now)
    }

    private mutating func takeBackTracks(after moment: Int64) {
        clock?.takeBack(after: moment)
        timecode?.takeBack(after: moment)
        sounding.takeBack(after: moment)
        told.takeBack(after: moment)
        beginnings.takeBack(after: moment)
        if let end = ending?.moment, end > moment { ending?.isSent = false }
    }

    /// Takes back what is due after a moment. If the music does not simply go on, ends the notes that sound, and tells all
    /// programs and controllers again.
    private mutating func takeBack(after moment: Int64, _ status: Status, at now: Int64) {
        // Also those that the queue may have begun meanwhile.
        let notes = sounding.all.reduce(into: Set<Note>()) { $0.formUnion($1) }
        takeBackTracks(after: moment)
        if let last = ending, last.moment <= moment { ending = nil }
        // Until then, the music is heard as before.
        let end = max(beginnings.courses.newestFrom, moment)
        guard let before = self.status, !before.goesOn(in: status, at: end, within: MIDIPlan.jump) else { return }
        told.change(to: Told(), at: moment)
        ending = (notes.union(ending?.notes ?? []), end, false)
    }

    /// The messages of the score.
    private mutating func messages(_ status: Status, at now: Int64, from: Int64, to: Int64) -> [MIDIEvent] {
        let begun = beginnings.step(status, at: now, ahead: to - now).begun
        let effect = beginnings.courses.newestFrom
        var events = messages(begun.filter { $0.moment < effect }, from: from)
        // After a jump, machines are told of its target when it is heard.
        if told.last.state == nil, effect <= to { events += chased(status, at: max(effect, from)) }
        events += messages(begun.filter { $0.moment >= effect }, from: from)
        events.sort { $0.time < $1.time }
        var ends: [MIDIEvent] = []
        for event in events {
            ends += endNotes(by: event.time)
            guard case .channel(let channel, let message) = event.message else { continue }
            var notes = sounding.last
            switch message {
            case .noteOn(let note, _): notes.insert(Note(channel: channel, note: note))
            case .noteOff(let note): notes.remove(Note(channel: channel, note: note))
            case .program, .control: continue
            }
            sounding.change(to: notes, at: event.time)
        }
        return ends + endNotes(by: to) + events
    }

    /// What bars that begin send, and what machines must know if the music has gone back by itself.
    private mutating func messages(_ begun: [Beginnings.Beginning], from: Int64) -> [MIDIEvent] {
        var events: [MIDIEvent] = []
        for beginning in begun {
            let time = max(beginning.moment, from)
            var here = told.last
            var messages: [MIDIMessage] = []
            if beginning.voice == 0 {
                // In a loop, the music goes back by itself.
                if ![here.bar, here.bar + 1].contains(beginning.bar.index), let known = here.state {
                    here.state = chase?.state(before: beginning.bar.start)
                    messages += here.state?.messages(after: known) ?? []
                }
                here.bar = beginning.bar.index
            }
            if !beginning.bar.written.isPlain {
                for case .midi(let channel, let message) in beginning.bar.written.details.sends {
                    here.state?.take(channel, message)
                    messages.append(.channel(channel, message))
                }
            }
            told.change(to: here, at: time)
            events += messages.map { MIDIEvent(time: time, message: $0) }
        }
        return events
    }

    /// Ends the notes of music that stops or jumps by a moment, if that has not been done.
    private mutating func endNotes(by moment: Int64) -> [MIDIEvent] {
        guard let end = ending, !end.isSent, end.moment <= moment else { return [] }
        ending?.isSent = true
        let notes = end.notes.union(sounding.last)
        if !notes.isEmpty { sounding.change(to: [], at: end.moment) }
        return notes.sorted.map { MIDIEvent(time: end.moment, message: $0) }
    }

    /// The programs and controllers at the place where the music begins, as the bars before it have left them.
    private mutating func chased(_ status: Status, at moment: Int64) -> [MIDIEvent] {
        guard case .going = status.stage, status.pause == nil else { return [] }
        let passage = status.performance.passage
        let place = status.position(at: .nanoseconds(moment - status.zeroHeard))
        let n = passage.boundary(at: place)
        let (bar, after) = (passage.bar(of: n), place - passage.position(of: n))
        let time = bar.start + passage.stretch(of: n).speed.scoreDuration(of: after)
        guard let state = chase?.state(before: time) else { return [] }
        told.change(to: Told(state: state, bar: after > .zero ? bar.index : bar.index - 1), at: moment)
        return state.messages(after: MIDIState()).map { MIDIEvent(time: moment, message: $0) }
    }
}

extension Set<MIDIPlan.Note> {
    /// The messages that end these notes.
    fileprivate var sorted: [MIDIMessage] {
        sorted { ($0.channel, $0.note) < ($1.channel, $1.note) }.map { .channel($0.channel, .noteOff($0.note)) }
    }
}
