internal import Languages
internal import Scores

/// A cell of a plan's table in which a value can be typed.
package enum PlanCell: Sendable, Equatable {
    /// The kind and label of an interval, such as `run "Hill"`; the repeats of a group.
    case name
    /// The time, distance or pace of an interval.
    case value(Run.Quantity)
}

extension PlanEditor {
    /// The text of a part's name, as one types it; the repeats of a group.
    package func nameText(row: Int) -> String {
        switch plan.parts[paths[row]] {
        case .group(let count, _): "\(count)"
        case .interval(let interval): interval.nameText
        }
    }

    /// Types a value into a cell of the present row. Returns false, with a message, if that is not possible.
    mutating func enter(_ text: String, in cell: PlanCell) -> Bool {
        guard paths.indices.contains(row) else { return apply(.line(.add, text)) }
        switch (plan.parts[paths[row]], cell) {
        case (.group, .name): return apply(.line(.count, text))
        case (.group, .value):
            say(localized("a group has no measures of its own: change its intervals"))
            return false
        case (.interval(let interval), .name):
            return apply(.line(.edit, text + interval.text.dropFirst(interval.nameText.count)))
        case (.interval(let interval), .value(let quantity)):
            do throws(Problem) {
                var changed = interval
                if quantity == .pace, let demands = try Demands(runText: text) {
                    if demands.hasPace { changed.measure = interval.measure.withoutPace }
                    changed.demands = demands
                } else {
                    let typed = try TypedQuantity(text, quantity, distanceUnit, paceUnit)
                    changed.measure = try interval.measure.with(typed.value, in: text)
                    // A pace replaces a share; so does a third measure, from which a pace follows.
                    if interval.demands.hasPace, changed.known(at: nil).pace != nil { changed.effort = nil }
                }
                return apply(.line(.edit, changed.text))
            } catch {
                say(error.description)
                return false
            }
        }
    }

    /// A total as one types it at a terminal: from a value in the unit that is shown, or from anything that a terminal takes.
    func totalText(_ text: String, _ quantity: Run.Quantity) -> String {
        let typed = try? TypedQuantity(text, quantity, distanceUnit, paceUnit)
        return switch typed?.value {
        case .distance(let distance): distance.exactText
        case .time(let time): time.clock
        case .pace(let pace): pace.exactText
        case nil: text
        }
    }
}

extension Interval.Measure {
    /// The measure without its pace.
    fileprivate var withoutPace: Interval.Measure {
        switch self {
        case .time, .distance: self
        case .run(let run): run.result == .distance ? .time(run.time) : .distance(run.distance)
        case .open(let end): .open(OpenEnd(about: end.about))
        }
    }

    /// The measure with one of its values as typed. Of three, the two that were given stay if possible. If the typed one
    /// followed from them, the pace follows from now on; if that is the typed one, the time.
    fileprivate func with(_ value: RunQuantity, in text: String) throws(Problem) -> Interval.Measure {
        switch (self, value) {
        case (.time, .time(let time)): return .time(time)
        case (.distance, .distance(let distance)): return .distance(distance)
        case (.time(let time), _): return .run(try run(value, .time(time), text))
        case (.distance(let distance), _): return .run(try run(value, .distance(distance), text))
        case (.open(let end), .pace(let pace)): return .open(OpenEnd(about: end.about, pace: pace))
        case (.open(let end), .time(let time)):
            guard let pace = end.pace else { return .time(time) }
            return .run(try run(value, .pace(pace), text))
        case (.open(let end), .distance(let distance)):
            guard let pace = end.pace else { return .distance(distance) }
            return .run(try run(value, .pace(pace), text))
        case (.run(var run), _):
            if value.quantity == run.result { run.lock(run.result == .pace ? .time : .pace) }
            do throws(RunError) { try run.set(value) } catch {
                throw Problem(0..<text.utf8.count, error.description)
            }
            return .run(run)
        }
    }

    private func run(_ a: RunQuantity, _ b: RunQuantity, _ text: String) throws(Problem) -> Run {
        try Run((a, 0..<text.utf8.count), (b, 0..<text.utf8.count))
    }
}
