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

    init(_ measures: [MusicXMLMeasure]) throws(FormatFault) {
        self.measures = measures
        try collect()
        try divide()
    }

    // MARK: - Signs

    private mutating func collect() throws(FormatFault) {
        var open: (numbers: Set<Int>, place: Int)?
        var (segnos, codas): ([(name: String, measure: Int)], [(name: String, measure: Int)]) = ([], [])
        var (dalSegnos, toCodas): ([(String, Int, Int)], [(String, Int, Int)]) = ([], [])
        for (index, measure) in measures.enumerated() {
            var isLast = false
            for mark in measure.marks {
                switch mark {
                case .tempo, .fermata, .rehearsal: break
                case .forward: forwards.insert(index)
                case .backward(let times, let isAfterJump, let place): backwards[index] = (times, isAfterJump, place)
                case .endingStart(let numbers, let place):
                    (open, isLast) = ((Set(numbers), place), false)
                    endingPlaces[index] = place
                case .endingStop: isLast = true
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
        // Without a sound, the first of two signs is where the music leaves for the coda.
        if toCodas.isEmpty, codas.count == 2, !(returns.isEmpty && dalSegnos.isEmpty) {
            toCodas = [(codas[1].name, codas[0].measure, measures[codas[0].measure].place)]
            codas.removeFirst()
        }
        for (name, index, place) in dalSegnos {
            // The last segno before the jump, if several have the name or none has.
            guard let target = Self.target(name, in: segnos.filter { $0.measure <= index }, isLast: true) else {
                throw FormatFault(place, localized("there is no segno before this D.S."))
            }
            returns[index] = Jump(target: target, place: place)
        }
        for (name, index, place) in toCodas {
            guard let target = Self.target(name, in: codas.filter { $0.measure > index }, isLast: false) else {
                throw FormatFault(place, localized("there is no coda after this jump to the coda"))
            }
            codaJumps[index] = Jump(target: target, place: place)
        }
    }

    private static func target(_ name: String, in signs: [(name: String, measure: Int)], isLast: Bool) -> Int? {
        let named = signs.filter { $0.name == name }
        let choice = named.isEmpty ? signs : named
        return (isLast ? choice.last : choice.first)?.measure
    }

    // MARK: - Sections

    private mutating func divide() throws(FormatFault) {
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
                (end, passes) = try group(from: index)
            } else if let sign = backwards[index] {
                passes = sign.times ?? 2
            }
            if passes > 0 {
                let sign = (index...end).first { backwards[$0] != nil }.flatMap { backwards[$0] }
                if !isMarked, hasOpenSign {
                    throw FormatFault(
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
    private func group(from first: Int) throws(FormatFault) -> (end: Int, passes: Int) {
        var (end, found, brackets, passes) = (first, endings[first] ?? [], 1, 0)
        while let next = endings[end + 1], !forwards.contains(end + 1) {
            if endingPlaces[end + 1] != nil {
                guard found.isDisjoint(with: next) else { break }
                found.formUnion(next)
                brackets += 1
            }
            end += 1
        }
        let signs = (first...end).filter { backwards[$0] != nil }
        guard !signs.isEmpty else {
            throw FormatFault(
                endingPlaces[first] ?? measures[first].place, localized("this ending belongs to no repeat"),
                hint: localized("end it with a repeat sign"))
        }
        passes = max(found.max() ?? 1, signs.compactMap { backwards[$0]?.times }.max() ?? 1)
        // After an only ending, the music continues without one.
        if brackets == 1, signs.contains(end), backwards[end]?.times == nil { passes += 1 }
        return (end, passes)
    }

    // MARK: - Playing

    /// The measures in the order in which they are played.
    func steps() throws(FormatFault) -> [Step] {
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
            visits += 1 + measures[measure].marks.count
            guard steps.count < PlayedScore.barLimit, visits < 10 * PlayedScore.barLimit else {
                throw FormatFault(
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
