internal import Playback
package import Scores
internal import Timing

/// The ticks of MIDI clock.
struct MIDIClock: MIDICount {
    private var ticks: ClockTicks
    /// The ticks of the bar that was asked for last.
    private var bar: (index: Int, first: Int, offsets: [Duration])?

    /// A song position counts sixteenths.
    let group = 6
    private static let lastSongPosition = 16_383
    /// Bars with faster ticks have no clock: a cable carries a few thousand bytes a second.
    private static let leastTick = Duration.microseconds(2500)

    init(_ performance: Performance) { ticks = ClockTicks(performance) }

    func begin(_ status: Status) -> Int64 { status.heard(at: status.anchor.position) }

    mutating func numbers(ofBoundary n: Int, _ status: Status) -> Range<Int>? {
        let passage = status.performance.passage
        let index = passage.bar(of: n).index
        if bar?.index != index { bar = ticks.ticks(inBar: index).map { (index, $0.first, $0.offsets) } }
        guard let bar else { return nil }
        let length = status.anchor.speed.realDuration(of: passage.position(of: n + 1) - passage.position(of: n))
        guard length >= MIDIClock.leastTick * bar.offsets.count else { return nil }
        return bar.first..<bar.first + bar.offsets.count
    }

    func moment(of number: Int, inBarOf n: Int, _ status: Status) -> Int64 {
        let passage = status.performance.passage
        guard let bar, bar.offsets.indices.contains(number - bar.first) else { return status.heard(boundary: n) }
        let offset = passage.stretch(of: n).speed.realDuration(of: bar.offsets[number - bar.first])
        return status.heard(at: passage.position(of: n) + offset)
    }

    func messages(at number: Int) -> [MIDIMessage] { [.clock] }

    func messages(before number: Int) -> [MIDIMessage] {
        if number == 0 { return [.start] }
        let position = number / group
        return position <= MIDIClock.lastSongPosition ? [.songPosition(position), .continue] : [.continue]
    }

    var ending: [MIDIMessage] { [.stop] }

    func standing(at position: Duration, inBarOf n: Int, _ status: Status) -> [MIDIMessage] { [] }
}

/// The quarter frames of MIDI timecode, counted from midnight without gaps.
struct MIDITimecode: MIDICount {
    private let settings: LinearTimecode
    /// Eight quarter frames tell a timecode.
    let group = 8
    /// Faster ones are left out.
    private static let leastQuarter = Duration.milliseconds(2)
    private static let second: Int128 = 1_000_000_000_000_000_000

    /// nil if MIDI timecode does not have the rate.
    init?(_ settings: LinearTimecode) {
        guard settings.start.rate.midiBits != nil else { return nil }
        self.settings = settings
    }

    /// The number of the first quarter frame at a time of the film, or after it.
    private func number(at film: Duration) -> Int {
        let rate = settings.start.rate.perSecond
        let above = film.attoseconds * Int128(4 * rate.numerator)
        let below = MIDITimecode.second * Int128(rate.denominator)
        let (whole, rest) = above.quotientAndRemainder(dividingBy: below)
        return Int(clamping: rest > 0 ? whole + 1 : whole)
    }

    private func film(of number: Int) -> Duration {
        let rate = settings.start.rate.perSecond
        return Duration(
            attoseconds: Int128(number) * Int128(rate.denominator) * MIDITimecode.second / Int128(4 * rate.numerator))
    }

    private func film(at place: Duration, _ n: Int, _ status: Status) -> Duration {
        status.performance.film(at: place, inBarOf: n, at: status.anchor.speed, settings)
    }

    /// How long a part of the film takes while it runs.
    private func real(_ film: Duration, _ n: Int, _ status: Status) -> Duration {
        guard settings.isScaled else { return film }
        return status.anchor.speed.realDuration(of: status.performance.filmSpeed(inBarOf: n).realDuration(of: film))
    }

    func begin(_ status: Status) -> Int64 {
        status.heard(at: status.anchor.position) - Int64(settings.preroll / .nanoseconds(1))
    }

    func numbers(ofBoundary n: Int, _ status: Status) -> Range<Int>? {
        let passage = status.performance.passage
        guard real(film(of: 1), n, status) >= MIDITimecode.leastQuarter else { return nil }
        // A frame at a bar line belongs to one of the bars, whichever way both are rounded.
        let (begin, end) = (passage.position(of: n), passage.position(of: n + 1))
        var first = film(at: begin, n, status) - .nanoseconds(1)
        let last = film(at: end, n, status) - .nanoseconds(1)
        if n == passage.boundary(at: max(status.anchor.position, .zero)) {
            // It runs before the music does.
            let place = film(at: status.anchor.position, n, status) - .nanoseconds(1)
            first = min(first, place - early(n, status))
        }
        let numbers = number(at: first)..<max(number(at: last), number(at: first))
        return numbers.isEmpty ? nil : numbers
    }

    private func early(_ n: Int, _ status: Status) -> Duration {
        guard settings.isScaled else { return settings.preroll }
        let own = status.performance.filmSpeed(inBarOf: n)
        return own.scoreDuration(of: status.anchor.speed.scoreDuration(of: settings.preroll))
    }

    func moment(of number: Int, inBarOf n: Int, _ status: Status) -> Int64 {
        let begin = status.performance.passage.position(of: n)
        let after = real(film(of: number) - film(at: begin, n, status), n, status)
        return status.heard(at: begin) + Int64(after / .nanoseconds(1))
    }

    func messages(at number: Int) -> [MIDIMessage] {
        // The parts of a timecode tell the frame at which the first of them is sent.
        let part = ((number % group) + group) % group
        let bytes = bytes(ofQuarter: number - part)
        let byte = bytes[part / 2]
        let half = part.isMultiple(of: 2) ? byte & 0x0F : byte >> 4
        return [.quarterFrame(UInt8(part) << 4 | half)]
    }

    func messages(before number: Int) -> [MIDIMessage] { [fullFrame(ofQuarter: number)] }

    let ending: [MIDIMessage] = []

    func standing(at position: Duration, inBarOf n: Int, _ status: Status) -> [MIDIMessage] {
        var film = film(at: position, n, status)
        if position == status.anchor.position { film -= early(n, status) }
        return [fullFrame(ofQuarter: number(at: film + .nanoseconds(1)) - 1)]
    }

    private func fullFrame(ofQuarter number: Int) -> MIDIMessage {
        let bytes = bytes(ofQuarter: number)
        return .fullFrame(hours: bytes[3], minutes: bytes[2], seconds: bytes[1], frames: bytes[0])
    }

    /// Frames, seconds, minutes, and hours with the rate.
    private func bytes(ofQuarter number: Int) -> [UInt8] {
        let rate = settings.start.rate
        let fields = Timecode(hundredths: Int64(number) * 25, rate: rate).fields
        let hours = UInt8(fields.hours) | (rate.midiBits ?? 0) << 5
        return [UInt8(fields.frames), UInt8(fields.seconds), UInt8(fields.minutes), hours]
    }
}

extension Timecode.Rate {
    /// The rate that MIDI timecode has in place of one that it lacks.
    package static func forMIDI(insteadOf rate: Timecode.Rate) -> Timecode.Rate {
        rate == .fps23_976 ? .fps24 : rate == .fps29_97NonDrop ? .fps29_97DropFrame : rate
    }

    /// How MIDI timecode writes it; nil if it cannot.
    package var midiBits: UInt8? {
        switch self {
        case .fps24: 0
        case .fps25: 1
        case .fps29_97DropFrame: 2
        case .fps30: 3
        case .fps23_976, .fps29_97NonDrop: nil
        }
    }
}
