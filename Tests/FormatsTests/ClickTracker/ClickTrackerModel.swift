import Foundation

/// Click Tracker as its rules describe it, written for the tests: one event at a time, in floating point, with nothing in
/// common with the reader.
struct ClickTrackerModel {
    struct Event {
        var quarters: Double
        var beginsBar: Bool
        /// Quarters per minute.
        var tempo = 60.0
        var seconds: Double { quarters * 60 / tempo }
    }

    /// The starts of all events and of all bars, and the end, in seconds.
    private(set) var events: [Double] = []
    private(set) var bars: [Double] = []
    private(set) var end = 0.0

    private struct Change {
        var from, to, length, curve: Double
        var passed = 0.0
    }

    init(_ text: String) {
        var items: [[Event]] = []
        var repeats: [Int: (quarters: Double, times: Int)] = [:]
        var tempo = 60.0
        var change: Change?

        func now() -> Double {
            guard let change else { return tempo }
            return change.from
                + (change.to - change.from) * pow(change.passed / change.length, change.curve)
        }
        func timed(_ events: [Event]) -> [Event] {
            events.map { event in
                var event = event
                event.tempo = now()
                change?.passed += event.quarters
                if let done = change, done.passed > done.length - 1e-12 { (tempo, change) = (done.to, nil) }
                return event
            }
        }

        for line in text.split(separator: "\n") {
            var words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            guard let first = words.first else { continue }
            switch first {
            case "t": (tempo, change) = (Self.number(words[1]) * 4 / (words.count > 2 ? Self.number(words[2]) : 4), nil)
            case "tc":
                let (from, to) = (now(), Self.number(words[1]))
                let curve = words.count > 3 ? Self.number(words[3]) : to < from ? 0.5 : 0.8
                change = Change(from: from, to: to, length: Self.number(words[2]), curve: curve)
            case "rep": if words.count > 2 { repeats[items.count] = (Self.number(words[1]), Int(words[2]) ?? 1) }
            case "cue", "first": break
            default:
                var times = 1
                if words.count > 2, words[words.count - 2] == "x" {
                    times = Int(words[words.count - 1]) ?? 1
                    words.removeLast(2)
                }
                for _ in 0..<times { items.append(timed(Self.item(words))) }
            }
        }
        play(items, items.indices, repeats)
    }

    private typealias Repeats = [Int: (quarters: Double, times: Int)]

    /// Plays a range of items; `inside` is the item at which the repeat begins that is being played.
    private mutating func play(_ items: [[Event]], _ range: Range<Int>, _ repeats: Repeats, inside: Int? = nil) {
        var index = range.lowerBound
        while index < range.upperBound {
            guard index != inside, let times = repeats[index]?.times else {
                play(items[index])
                index += 1
                continue
            }
            let end = Self.end(of: index, items, repeats)
            for _ in 0..<times { play(items, index..<end, repeats, inside: index) }
            index = end
        }
    }

    /// The item after a repeat: it ends with an item, and contains the whole of those that begin in it.
    private static func end(of index: Int, _ items: [[Event]], _ repeats: Repeats) -> Int {
        var (last, least, length) = (index, index, 0.0)
        while last < items.count, length < (repeats[index]?.quarters ?? 0) - 1e-9 {
            if last != index, repeats[last] != nil { least = max(least, end(of: last, items, repeats)) }
            length += items[last].reduce(0) { $0 + $1.quarters }
            last += 1
        }
        return max(last, least)
    }

    private mutating func play(_ events: [Event]) {
        for event in events {
            if event.beginsBar || bars.isEmpty { bars.append(end) }
            self.events.append(end)
            end += event.seconds
        }
    }

    /// The events of a bar or a beat.
    private static func item(_ words: [String]) -> [Event] {
        guard words[0].contains("/") else {
            return [Event(quarters: number(words[0]), beginsBar: words.contains("b"))]
        }
        var lengths: [Double] = []
        for term in words where term != "+" && term != "b" {
            let sides = term.split(separator: "/")
            let value = 4 / number(String(sides[1]))
            let groups = sides[0].split(separator: "+").map { number(String($0)) }
            if groups.count > 1 {
                lengths += groups.map { $0 * value }
            } else {
                lengths += Array(repeating: value, count: Int(groups[0]))
                let rest = groups[0] - groups[0].rounded(.down)
                if rest > 0 { lengths.append(rest * value) }
            }
        }
        return lengths.enumerated().map { Event(quarters: $1, beginsBar: $0 == 0) }
    }

    private static func number(_ text: String) -> Double {
        let parts = text.split(separator: ":").map { Double($0) ?? 0 }
        return parts.count == 2 ? parts[0] / parts[1] : parts[0]
    }
}
