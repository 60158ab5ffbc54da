import Hearing
import Testing

/// Takes that were recorded while the music played: where each bar should begin is known.
@Suite("Takes with known places")
struct PlacedTakeTests {
    private static let line: [Double] = [3, 2.7, 2, 2, 2, 2, 1.8, 1.5, 1.3, 1.3, 1, 1, 1]

    /// The starts of a line from a time on.
    private static func starts(from start: Double) -> [Double] {
        Array(line.reduce(into: [start]) { $0.append(($0.last ?? 0) + $1) }.dropLast())
    }

    @Test("of lines that are all alike, the one that was played is found")
    func alike() throws {
        let written = Self.line + Self.line + Self.line
        let times = Self.starts(from: 0.7)
        let samples = HeardTakeTests.take(times, seconds: 26)
        #expect(throws: HeardTake.Fault.otherPiece) { try HeardTake(samples, written, lines: [0, 13, 26]) }
        let expected: [Double?] =
            Array(repeating: nil, count: 13) + times.map { $0 as Double? } + Array(repeating: nil, count: 13)
        let placed = try HeardTake(samples, written, lines: [0, 13, 26], expected: expected)
        #expect(placed.bars.map(\.bar) == Array(13..<26) && placed.bars.allSatisfy { $0.isSure })
    }

    @Test("a bar begins where its note is, not where it should")
    func late() throws {
        let places = Self.starts(from: 0.7)
        let played = places.enumerated().map { $1 + ($0 % 3 == 1 ? 0.09 : $0 % 3 == 2 ? -0.07 : 0) }
        let heard = try HeardTake(
            HeardTakeTests.take(played, seconds: 26), Self.line, expected: places.map { $0 as Double? })
        #expect(heard.bars.map(\.bar) == Array(0..<13))
        for (bar, time) in zip(heard.bars, played) { #expect(abs((bar.seconds ?? 0) - time) < 0.004) }
    }

    @Test("a note within a bar is not its beginning, even without a note there")
    func missing() throws {
        let places = Self.starts(from: 0.7)
        // Bar 5 begins without a note; there is one in its middle.
        let played = (places.enumerated().filter { $0.offset != 4 }.map(\.element) + [places[4] + 0.9]).sorted()
        let heard = try HeardTake(
            HeardTakeTests.take(played, seconds: 26), Self.line, expected: places.map { $0 as Double? })
        #expect(heard.bars.filter { $0.bar == 4 }.allSatisfy { $0.seconds == nil || !$0.isSure })
        #expect(heard.bars.contains { $0.bar == 5 && $0.isSure })
    }
}
