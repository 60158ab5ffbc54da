internal import Languages
internal import Scores

/// The order in which measures are played: repeats with endings, da capo, dal segno, coda and fine.
///
/// A repeat goes back to its sign, to the end of the repeat before, or to the beginning. After a jump back, a repeat is
/// not played again, and its last ending is taken, unless the file says otherwise (`after-jump`).
struct MusicXMLOrder {
    /// Measures that are repeated together.
    private struct Section {
        var measures: Range<Int>
        var passes = 1
        var isAfterJump = false
    }

    private struct Jump {
        var target: Int
        var place: Int
    }

    private let measures: [MusicXMLMeasure]
    private var sections: [Section] = []
    /// By measure.
    private var endings: [Int: Set<Int>] = [:]
    private var endingPlaces: [Int: Int] = [:]
    private var forwards: Set<Int> = []
    private var backwards: [Int: (times: Int?, isAfterJump: Bool, place: Int)] = [:]
    private var fines: Set<Int> = []
    private var returns: [Int: Jump] = [:]
    private var codaJumps: [Int: Jump] = [:]

    /// A measure that is played.
    struct Step {
        var measure: Int
        /// Whether a repeated section begins or ends before it, or the measure before it on the page is not played
        /// before it.
        var beginsLine: Bool
    }

    init(_ measures: [MusicXMLMeasure], _ log: inout DiagnosticLog) throws(Problem) {
        self.measures = measures
        try collect(&log)
        try divide(&log)
    }

    // MARK: - Signs

    private mutating func collect(_ log: inout DiagnosticLog) throws(Problem) {
        var open: (numbers: Set<Int>, place: Int)?
        var (segnos, codas): ([(name: String, measure: Int)], [(name: String, measure: Int)]) = ([], [])
        var (dalSegnos, toCodas): ([(String, Int, Int)], [(String, Int, Int)]) = ([], [])
        for (index, measure) in measures.enumerated() {
            var isLast = false
            for mark in measure.marks {
                switch mark {
                case .fermata, .rehearsal: break
                case .forward: forwards.insert(index)
                case .backward(let times, let isAfterJump, let place): backwards[index] = (times, isAfterJump, place)
                case .endingStart(let numbers, let place):
                    (open, isLast) = ((Set(numbers), place), false)
                    endingPlaces[index] = place
                case .endingStop(let written, let place):
                    isLast = true
                    guard open == nil, let numbers = numbers(ofEndingAt: index, written) else { break }
                    (open, endingPlaces[index]) = ((numbers, place), place)
                    log.assume(
                        at: place..<place,
                        TextError(localized("this ending ends without having begun")),
                        localized("it is read as an ending of this measure"))
                case .segno(let name): segnos.append((name, index))
                case .coda(let name): codas.append((name, index))
                case .daCapo: returns[index] = Jump(target: 0, place: measure.place)
                case .dalSegno(let name, let place): dalSegnos.append((name, index, place))
                case .toCoda(let name, let place): toCodas.append((name, index, place))
                case .fine: fines.insert(index)
                }
            }
            if let open { endings[index] = open.numbers }
            if isLast { open = nil }
        }
        moveForwards(&log)
        // Without a sound, the first of two signs is where the music leaves for the coda.
        if toCodas.isEmpty, codas.count == 2, !(returns.isEmpty && dalSegnos.isEmpty) {
            toCodas = [(codas[1].name, codas[0].measure, measures[codas[0].measure].place)]
            codas.removeFirst()
        }
        for (name, index, place) in dalSegnos {
            // The last segno before the jump, if several have the name or none has.
            guard let target = Self.target(name, in: segnos.filter { $0.measure <= index }, isLast: true) else {
                throw Problem(place, localized("there is no segno before this D.S."))
            }
            returns[index] = Jump(target: target, place: place)
        }
        for (name, index, place) in toCodas {
            guard let target = Self.target(name, in: codas.filter { $0.measure > index }, isLast: false) else {
                throw Problem(place, localized("there is no coda after this jump to the coda"))
            }
            codaJumps[index] = Jump(target: target, place: place)
            if returns.isEmpty {
                log.warning(
                    at: place..<place,
                    localized("this jump to the coda is never taken: there is no D.C. or D.S. to come back from"))
            }
        }
    }

    /// The passes of an ending without a beginning: those before the ending after it, or those that it names; nil if
    /// nobody knows.
    private func numbers(ofEndingAt index: Int, _ written: [Int]) -> Set<Int>? {
        let marks = index + 1 < measures.count ? measures[index + 1].marks : []
        for case .endingStart(let next, _) in marks {
            if let first = next.min(), first > 1 { return Set(1..<first) }
        }
        return written.isEmpty ? nil : Set(written)
    }

    /// A repeat that begins with an ending for later passes cannot begin before these are over.
    private mutating func moveForwards(_ log: inout DiagnosticLog) {
        for index in forwards.sorted() where index > 0 && endings[index - 1] != nil {
            guard let place = endingPlaces[index], let numbers = endings[index], !numbers.contains(1) else { continue }
            var after = index + 1
            while endings[after] == numbers, endingPlaces[after] == nil { after += 1 }
            forwards.remove(index)
            if after < measures.count { forwards.insert(after) }
            log.assume(
                at: place..<place, TextError(localized("a repeat begins inside this ending")),
                localized("it is read as beginning after the ending"))
        }
    }

    private static func target(_ name: String, in signs: [(name: String, measure: Int)], isLast: Bool) -> Int? {
        let named = signs.filter { $0.name == name }
        let choice = named.isEmpty ? signs : named
        return (isLast ? choice.last : choice.first)?.measure
    }

    // MARK: - Sections

    private mutating func divide(_ log: inout DiagnosticLog) throws(Problem) {
        var (start, index) = (0, 0)
        /// Whether a sign begins the section, and whether one before it has not found its end.
        var (isMarked, hasOpenSign) = (false, false)
        while index < measures.count {
            if forwards.contains(index) {
                if start < index {
                    sections.append(Section(measures: start..<index))
                    hasOpenSign = hasOpenSign || isMarked
                    start = index
                }
                isMarked = true
            }
            var (end, passes) = (index, 0)
            if endings[index] != nil {
                (end, passes) = try group(from: index, &log)
            } else if let sign = backwards[index] {
                passes = sign.times ?? 2
            }
            if passes > 0 {
                let sign = (index...end).first { backwards[$0] != nil }.flatMap { backwards[$0] }
                if !isMarked, hasOpenSign {
                    throw Problem(
                        sign?.place ?? measures[index].place, localized("a repeat inside of a repeat is not supported"),
                        hint: localized("write one of them out"))
                }
                sections.append(
                    Section(measures: start..<end + 1, passes: passes, isAfterJump: sign?.isAfterJump ?? false))
                (start, isMarked) = (end + 1, false)
            }
            index = end + 1
        }
        if start < measures.count { sections.append(Section(measures: start..<measures.count)) }
    }

    /// The last measure of the endings that begin with a measure, and how many passes they have.
    private mutating func group(
        from first: Int, _ log: inout DiagnosticLog
    ) throws(Problem) -> (end: Int, passes: Int) {
        var (end, found, ends, passes) = (first, endings[first] ?? [], [Int](), 0)
        while let next = endings[end + 1], !forwards.contains(end + 1) {
            if endingPlaces[end + 1] != nil {
                guard found.isDisjoint(with: next) else { break }
                found.formUnion(next)
                ends.append(end)
            }
            end += 1
        }
        let signs = (first...end).filter { backwards[$0] != nil }
        guard !signs.isEmpty else {
            if assumeSign(from: first, to: end, ends, &log) { return try group(from: first, &log) }
            throw Problem(
                endingPlaces[first] ?? measures[first].place, localized("this ending belongs to no repeat"),
                hint: localized("end it with a repeat sign"))
        }
        passes = max(found.max() ?? 1, signs.compactMap { backwards[$0]?.times }.max() ?? 1)
        // After an only ending, the music continues without one.
        if ends.isEmpty, signs.contains(end), backwards[end]?.times == nil { passes += 1 }
        return (end, passes)
    }

    /// Finds the repeat sign of endings that have none: the next one after them, or at the end of each ending but the
    /// last. Returns whether there is one.
    private mutating func assumeSign(from first: Int, to end: Int, _ ends: [Int], _ log: inout DiagnosticLog) -> Bool {
        let place = endingPlaces[first] ?? measures[first].place
        let after = (end + 1..<measures.count).prefix { !forwards.contains($0) && endings[$0] == nil }
        if ends.isEmpty, let sign = after.first(where: { backwards[$0] != nil }) {
            for index in end + 1...sign { endings[index] = endings[end] }
            log.assume(
                at: place..<place, TextError(localized("this ending ends before its repeat sign")),
                localized("it is read as going on to the sign"))
            return true
        }
        guard !ends.isEmpty else { return false }
        for end in ends { backwards[end] = (nil, false, measures[end].place) }
        log.assume(
            at: place..<place, TextError(localized("these endings have no repeat sign")),
            localized("a sign is assumed at the end of each but the last"))
        return true
    }

    // MARK: - Playing

    /// The measures in the order in which they are played.
    func steps() throws(Problem) -> [Step] {
        var steps: [Step] = []
        var (section, measure, pass, visits) = (0, 0, 1, 0)
        var isReturn = false
        var taken: Set<Int> = []
        var last: (measure: Int, section: Int)?
        func passes(_ section: Int) -> Int { sections[section].passes }
        func firstPass(_ section: Int) -> Int {
            guard section < sections.count, isReturn, !sections[section].isAfterJump else { return 1 }
            return passes(section)
        }
        while section < sections.count {
            // Marks count, too: each takes time in each pass.
            visits += 1 + measures[measure].marks.count + measures[measure].tempi.count
            guard steps.count < PlayedScore.barLimit, visits < 10 * PlayedScore.barLimit else {
                throw Problem(
                    measures[measure].place, localized("the piece has more than 1 000 000 bars with its repeats"))
            }
            let ending = endings[measure]
            if ending?.contains(pass) ?? true {
                let isNext = last.map { $0.measure + 1 == measure } ?? false
                let isSplit = last.map { $0.section != section && max(passes($0.section), passes(section)) > 1 } ?? true
                steps.append(Step(measure: measure, beginsLine: !isNext || isSplit))
                last = (measure, section)
                // Jumps are taken after the last pass that has the measure.
                if pass == ending?.filter({ $0 <= passes(section) }).max() ?? passes(section) {
                    if isReturn, fines.contains(measure) { return steps }
                    var jump: Jump?
                    if isReturn, let coda = codaJumps[measure] {
                        (jump, isReturn) = (coda, false)
                    } else if let back = returns[measure] {
                        isReturn = taken.insert(measure).inserted
                        if isReturn { jump = back }
                    }
                    if let jump {
                        measure = jump.target
                        section = sections.firstIndex { $0.measures.contains(measure) } ?? sections.count
                        pass = firstPass(section)
                        continue
                    }
                }
            }
            measure += 1
            if measure == sections[section].measures.upperBound {
                if pass < passes(section) {
                    pass += 1
                    measure = sections[section].measures.lowerBound
                } else {
                    section += 1
                    pass = firstPass(section)
                }
            }
        }
        return steps
    }
}
