internal import Glibc

/// Sets onsets against the bars of a score: which onset begins which bar.
///
/// A hidden semi-Markov model over onsets and bars. After a bar's first note the next bar begins after about its written
/// duration, at a tempo that wanders slowly; now and then a bar is held much longer or shorter, begins without a note, or
/// the player stops and begins again elsewhere. All other notes come at random. The most probable path through this model
/// says where each bar begins, and the probabilities of all paths together say how sure that is.
struct Alignment {
    /// The beginning of a bar at an onset.
    struct Event: Equatable {
        var bar: Int
        var onset: Int
        /// The probability that the bar begins within `Alignment.reach` of the onset.
        var confidence: Double
        /// Whether the player began anew with it.
        var isRestart: Bool
    }

    /// The events in the order of time; empty if there are no onsets.
    private(set) var events: [Event] = []
    /// How many times as probable the onsets are with the score as they are at random, as a logarithm.
    private(set) var evidence = -Double.infinity

    /// Events within so many seconds are taken for the same.
    static let reach = 0.04

    private struct State {
        var bar: Int
        var tempo: Int
        /// Logarithms: the sum over all paths to it, and the most probable path.
        var forward: Double
        var best: Double
        /// The state before it on that path; -1 for none.
        var from: Int
        var isRestart: Bool
        /// The logarithm of the sum over all paths from it.
        var backward = -Double.infinity
    }

    private let onsets: [Onset]
    private let written: [Double]
    private let model: Model
    private var states: [State] = []
    private var ranges: [Range<Int>] = []
    private let gains: [Double]
    private let longest: Double
    /// When each bar should begin, in seconds, if that is known.
    private let expected: [Double?]

    /// Sets onsets against bars of these lengths in seconds. The player begins with bar `first`, most likely.
    /// `expected` says when each bar begins where the music is known to have played along.
    init(
        _ onsets: [Onset], _ written: [Double], first: Int = 0, lines: [Int] = [0], expected: [Double?] = [],
        model: Model = Model()
    ) {
        (self.onsets, self.written, self.model, self.expected) = (onsets, written, model, expected)
        gains = model.gains(onsets, written)
        longest = model.longest(written)
        guard !onsets.isEmpty, !written.isEmpty else { return }
        let jumps = model.jumps(written.count, lines)
        goForward(first, jumps)
        goBackward(jumps)
        readPath()
    }

    /// The logarithm of how probable it is that a bar begins as far from its place as an onset is. If places are known, a bar
    /// without one was not played.
    private func nearness(_ bar: Int, _ onset: Int) -> Double {
        guard !expected.isEmpty else { return 0 }
        guard expected.indices.contains(bar), let place = expected[bar] else { return model.nearness(.infinity) }
        return model.nearness(onsets[onset].seconds - place)
    }

    // MARK: - Forward

    private mutating func goForward(_ first: Int, _ jumps: Model.Jumps) {
        let tempi = model.tempi.count
        var sums = [Double](repeating: 0, count: written.count * tempi)
        var best = [(value: Double, from: Int, isRestart: Bool)](
            repeating: (-.infinity, -1, false), count: sums.count)
        var restarts = Restarts(count: sums.count)
        var (windowStart, lagging) = (0, 0)
        for onset in onsets.indices {
            let now = onsets[onset].seconds
            while now - onsets[windowStart].seconds > longest { windowStart += 1 }
            while lagging < onset, now - onsets[lagging].seconds > model.shortestStop {
                restarts.decay(to: onsets[lagging].seconds, model.stopRate)
                for index in ranges[lagging] {
                    let state = states[index]
                    restarts.add(state.forward, state.best, index, at: state.bar * tempi + state.tempo)
                }
                lagging += 1
            }
            let gain = gains[onset]
            var touched: [Int] = []
            let base = max(
                ranges[windowStart..<onset].joined().reduce(-Double.infinity) {
                    max($0, states[$1].forward)
                }, restarts.level, 0)
            func add(_ at: Int, _ log: Double, _ path: Double, _ from: Int, _ isRestart: Bool) {
                if sums[at] == 0 { touched.append(at) }
                sums[at] += exp(log - base)
                if path > best[at].value { best[at] = (path, from, isRestart) }
            }
            let start = gain - log(Double(onsets.count))
            for bar in written.indices {
                let chance = bar == first ? model.startsAtFirst : (1 - model.startsAtFirst) / Double(written.count)
                let isOnlyOne = written.count == 1
                for (tempo, weight) in model.tempoWeights.enumerated() where weight > 1e-3 || isOnlyOne {
                    let value = start + log(chance * weight) + nearness(bar, onset)
                    if value > base - model.beam { add(bar * tempi + tempo, value, value, -1, true) }
                }
            }
            for before in windowStart..<onset {
                let interval = now - onsets[before].seconds
                for index in ranges[before] {
                    let state = states[index]
                    forEachStep(state.bar, state.tempo, interval) { bar, tempo, weight in
                        let value = gain + weight + nearness(bar, onset)
                        add(bar * tempi + tempo, state.forward + value, state.best + value, index, false)
                    }
                }
            }
            restarts.decay(to: now, model.stopRate)
            restarts.forEach(beam: model.beam) { at, forward, path, from in
                let (bar, tempo) = (at / tempi, at % tempi)
                for (target, weight) in jumps[bar] {
                    let value = gain + model.stop + weight + nearness(target, onset)
                    add(target * tempi + tempo, forward + value, path + value, from, true)
                }
            }
            let highest = touched.reduce(0) { max($0, sums[$1]) }
            let least = max(highest * exp(-model.beam), exp(-model.beam))
            let begin = states.count
            for at in touched.sorted() {
                if sums[at] > least {
                    states.append(
                        State(
                            bar: at / tempi, tempo: at % tempi, forward: base + log(sums[at]), best: best[at].value,
                            from: best[at].from, isRestart: best[at].isRestart))
                }
                sums[at] = 0
                best[at] = (-.infinity, -1, false)
            }
            ranges.append(begin..<states.count)
        }
    }

    /// Calls with each bar and tempo that can follow a bar after an interval, and the logarithm of the density.
    private func forEachStep(_ bar: Int, _ tempo: Int, _ interval: Double, _ take: (Int, Int, Double) -> Void) {
        var sum = 0.0
        for skipped in 0...model.mostMissing {
            let next = bar + skipped + 1
            guard next < written.count else { return }
            sum += written[next - 1]
            for turn in -1...1 {
                let to = tempo + turn
                guard model.tempi.indices.contains(to) else { continue }
                let expected = sum * model.tempi[to]
                guard interval > expected * 0.5, interval < expected * 1.7 else { continue }
                let weight =
                    model.logDensity(of: interval, expected) + Double(skipped) * model.missing
                    + (turn == 0 ? model.staysInTempo : model.changesTempo)
                if weight > -model.beam { take(next, to, weight) }
            }
            if sum * 0.4 > interval { return }
        }
    }

    // MARK: - Backward

    private mutating func goBackward(_ jumps: Model.Jumps) {
        let tempi = model.tempi.count
        func end(_ bar: Int) -> Double { bar == written.count - 1 ? 0 : model.stopsEarly }
        var total = -Double.infinity
        for state in states { total = Model.sum(total, state.forward + end(state.bar)) }
        evidence = total
        var restarts = Restarts(count: written.count * tempi)
        var values = [Double](repeating: -.infinity, count: written.count * tempi)
        var (windowEnd, lagging) = (onsets.count - 1, onsets.count - 1)
        for index in states.indices { states[index].backward = end(states[index].bar) }
        for onset in onsets.indices.reversed() {
            let now = onsets[onset].seconds
            while lagging > onset, onsets[lagging].seconds - now > model.shortestStop {
                restarts.decay(to: -onsets[lagging].seconds, model.stopRate)
                for index in ranges[lagging] {
                    let state = states[index]
                    restarts.add(
                        state.backward + gains[lagging] + nearness(state.bar, lagging), 0, 0,
                        at: state.bar * tempi + state.tempo)
                }
                lagging -= 1
            }
            restarts.decay(to: -now, model.stopRate)
            // What jumps from each bar lead to.
            for index in ranges[onset] {
                var state = states[index]
                for (target, weight) in jumps[state.bar] {
                    let value = restarts.value(target * tempi + state.tempo)
                    if value > -.infinity { state.backward = Model.sum(state.backward, value + model.stop + weight) }
                }
                states[index] = state
            }
            // Its value is complete: it is added to those before it.
            while onsets[windowEnd].seconds - now > longest { windowEnd -= 1 }
            for index in ranges[onset] {
                values[states[index].bar * tempi + states[index].tempo] =
                    states[index].backward + gains[onset] + nearness(states[index].bar, onset)
            }
            var before = onset - 1
            while before >= 0, now - onsets[before].seconds <= longest {
                let interval = now - onsets[before].seconds
                for index in ranges[before] {
                    var value = states[index].backward
                    forEachStep(states[index].bar, states[index].tempo, interval) { bar, tempo, weight in
                        let after = values[bar * tempi + tempo]
                        if after > -.infinity { value = Model.sum(value, after + weight) }
                    }
                    states[index].backward = value
                }
                before -= 1
            }
            for index in ranges[onset] { values[states[index].bar * tempi + states[index].tempo] = -.infinity }
        }
    }

    // MARK: - The path

    private mutating func readPath() {
        var last = -1
        var highest = -Double.infinity
        for (index, state) in states.enumerated() {
            let value = state.best + (state.bar == written.count - 1 ? 0 : model.stopsEarly)
            if value > highest { (last, highest) = (index, value) }
        }
        let owners = ranges.enumerated().flatMap { onset, range in range.map { _ in onset } }
        while last >= 0 {
            let state = states[last]
            events.append(
                Event(
                    bar: state.bar, onset: owners[last], confidence: confidence(state.bar, owners[last]),
                    isRestart: state.isRestart && state.from >= 0))
            last = state.from
        }
        events.reverse()
    }

    /// The probability that a bar begins near an onset.
    private func confidence(_ bar: Int, _ onset: Int) -> Double {
        let center = onsets[onset].seconds
        var sum = 0.0
        for near in onsets.indices where abs(onsets[near].seconds - center) <= Alignment.reach {
            for index in ranges[near] where states[index].bar == bar {
                sum += exp(min(0, states[index].forward + states[index].backward - evidence))
            }
        }
        return min(sum, 1)
    }
}

/// Where the player may have stopped: the values of states so far, which fade while time goes on.
private struct Restarts {
    private var values: [Double]
    private var paths: [(value: Double, from: Int)]
    private var touched: [Int] = []
    private var shift = 0.0
    private var seconds = -Double.infinity
    private(set) var level = -Double.infinity

    init(count: Int) {
        values = [Double](repeating: -.infinity, count: count)
        paths = [(Double, Int)](repeating: (-.infinity, -1), count: count)
    }

    mutating func decay(to time: Double, _ rate: Double) {
        if seconds > -.infinity { (shift, level) = (shift - rate * (time - seconds), level - rate * (time - seconds)) }
        seconds = time
    }

    mutating func add(_ value: Double, _ path: Double, _ from: Int, at index: Int) {
        if values[index] == -.infinity { touched.append(index) }
        values[index] = Alignment.Model.sum(values[index], value - shift)
        if path - shift > paths[index].value { paths[index] = (path - shift, from) }
        level = max(level, value)
    }

    func value(_ index: Int) -> Double { values[index] + shift }

    func forEach(beam: Double, _ take: (Int, Double, Double, Int) -> Void) {
        for index in touched where values[index] + shift > level - beam {
            take(index, values[index] + shift, paths[index].value + shift, paths[index].from)
        }
    }
}
