internal import Formats
internal import Languages
package import Scores
package import Timing
internal import UserSettings

/// What is typed, with a random number if it has none of its own.
package struct Drawn<Value: Equatable & Sendable>: Sendable {
    package let value: Value
    /// Whether the number was drawn.
    package let isDrawn: Bool

    /// Reads it with a number for texts that have none. Errors: those of `read`.
    package init(_ text: String, _ read: (String, UInt64) throws(TextError) -> Value) throws(TextError) {
        let number = UInt64.random(in: 1...9999)
        value = try read(text, number)
        isDrawn = value != (try read(text, number + 1))
    }
}

/// How a score is practiced.
package struct PracticeRequest: Sendable {
    package var program: PracticeProgram?
    package var silentBars: Performance.Silence?
    /// Whether the numbers of their random orders were drawn, and are told.
    private var isDrawn = (program: false, silentBars: false)

    package init(_ program: Drawn<PracticeProgram>? = nil, _ silentBars: Drawn<Performance.Silence>? = nil) {
        (self.program, self.silentBars) = (program?.value, silentBars?.value)
        isDrawn = (program?.isDrawn ?? false, silentBars?.isDrawn ?? false)
    }

    /// Applies it to a performance, which the practice log knows by its title or else by this name.
    func apply(to performance: inout Performance, named name: String) throws {
        performance.weakBars = { [title = performance.title, timeline = performance.passage.timeline] in
            WeakBar.bars(ofPiece: title.isEmpty ? name : title, in: timeline)
        }
        if let program {
            // The first bar, before another passage holds `first` within its own bounds.
            let (passage, first) = (performance.passage, performance.first)
            let bar = passage.bar(of: first)
            try Failure.exitOnError(.usage, "--program: ") {
                let stretches = try program.stretches(
                    of: passage.timeline, bars: passage.bars, at: performance.speed, weak: performance.weakBars)
                performance.passage = Passage(passage.timeline, stretches, passes: passage.passes)
                if let excess = performance.passage.excess { throw excess }
                // The program begins where `--from` says.
                if first > 0 {
                    guard let first = performance.passage.boundary(ofBar: bar.index, near: 0) else {
                        throw TextError(localized("the program does not play bar \(bar.bar) of line \(bar.line)"))
                    }
                    performance.first = first
                }
            }
            if isDrawn.program, case .random(let seed) = program {
                Failure.say(localized("note: to repeat this order, use 'random \(seed)'"))
            }
        }
        if let silentBars {
            performance.silence = silentBars
            if isDrawn.silentBars {
                Failure.say(localized("note: to repeat these silent bars, use '\(silentBars.text)'"))
            }
        }
    }
}

extension WeakBar {
    /// The bars of a piece that go wrong again and again, by the practice log; none if there is no log that can be read.
    fileprivate static func bars(ofPiece title: String, in timeline: Timeline) -> [Int] {
        guard let log = PracticeLog(environment: Environment.values), let entries = try? log.read().entries else {
            return []
        }
        return WeakBar.all(in: PracticeSummary(entries).of(title)).compactMap { bar in
            try? Place(bar.place.text, in: timeline).bars.lowerBound
        }
    }
}

extension ScoreSource {
    /// The name of a score without a title, as the practice log has it.
    package static func title(ofScore name: String) -> String {
        (try? ScoreSource.find(name, environment: Environment.values))?.displayName ?? name
    }
}
