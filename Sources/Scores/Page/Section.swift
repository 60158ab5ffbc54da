internal import Languages

extension Score {
    /// A section: lines and groups of lines that belong together; the unit of open form.
    public struct Section: Sendable, Equatable {
        /// What stands above it.
        public var heading: Heading
        /// The tempo at its beginning; nil for the tempo in effect before it on the page.
        public var tempo: TempoMark?
        /// Its parts, in order; at least one.
        public var parts: [Part]
        /// The label of its heading.
        public var label: String {
            get { heading.label }
            set { heading.label = newValue }
        }

        /// Makes a section.
        public init(label: String = "", tempo: TempoMark? = nil, parts: [Part]) {
            (heading, self.tempo, self.parts) = (Heading(label: label), tempo, parts)
        }

        /// What stands above a section. Each of its bars carries it to where it is shown, spoken or written.
        public struct Heading: Sendable, Equatable {
            /// The label or rehearsal letter, which may be empty.
            public var label: String
        }
    }

    /// A part of a section.
    public indirect enum Part: Sendable, Equatable {
        /// A line of bars.
        case line(Line)
        /// Parts that are repeated together.
        case group(Group)
        /// A fragment that is written elsewhere.
        case use(Use)
    }

    /// A line (system) of the score: bars that are read from left to right, played `passes` times.
    public struct Line: Sendable, Equatable {
        /// The label or rehearsal letter; empty if there is none.
        public var label: String
        /// How many times the line is played, 1 or more. Each pass counts as a separate line.
        public var passes: Int
        /// The tempo at its beginning; nil for the tempo in effect before it on the page.
        public var tempo: TempoMark?
        /// The bars, at least one.
        public var bars: [Bar]

        /// Makes a line.
        public init(label: String = "", passes: Int = 1, tempo: TempoMark? = nil, bars: [Bar]) {
            (self.label, self.passes, self.tempo, self.bars) = (label, passes, tempo, bars)
        }
    }

    /// Parts that are repeated together, with endings for certain passes.
    public struct Group: Sendable, Equatable {
        /// The label of its first bar; empty if there is none.
        public var label: String
        /// How many times it is played, 1 or more.
        public var passes: Int
        /// The parts that are repeated; at least one.
        public var parts: [Part]
        /// The endings of certain passes; other passes have none.
        public var endings: [Ending]

        /// Makes a group.
        public init(label: String = "", passes: Int, parts: [Part], endings: [Ending] = []) {
            (self.label, self.passes, self.parts, self.endings) = (label, passes, parts, endings)
        }
    }

    /// An ending (volta) of a repeated group.
    public struct Ending: Sendable, Equatable {
        /// The passes that have this ending, from 1, ascending and without overlap.
        public var passes: [ClosedRange<Int>]
        /// The parts that are played; at least one.
        public var parts: [Part]

        /// Makes an ending.
        public init(passes: [ClosedRange<Int>], parts: [Part]) {
            (self.passes, self.parts) = (passes, parts)
        }
    }

    /// A place where a fragment is played.
    public struct Use: Sendable, Equatable {
        /// The name of the fragment.
        public var fragment: String
        /// The label of its first bar; empty for the fragment's own labels.
        public var label: String
        /// How many times it is played, 1 or more.
        public var passes: Int

        /// Makes a use.
        public init(_ fragment: String, label: String = "", passes: Int = 1) {
            (self.fragment, self.label, self.passes) = (fragment, label, passes)
        }
    }

    /// A named list of parts, written once and used in many places. Its tempo is that of the place where it is used.
    public struct Fragment: Sendable, Equatable {
        /// The name.
        public var name: String
        /// Its parts; at least one. They use only fragments that are written earlier.
        public var parts: [Part]

        /// Makes a fragment.
        public init(name: String, parts: [Part]) {
            (self.name, self.parts) = (name, parts)
        }
    }

    /// What contains a line: a section or a fragment, by its index.
    package enum Container: Sendable, Hashable {
        case section(Int)
        case fragment(Int)
    }

    /// An order of sections, for open form.
    public struct Order: Sendable, Equatable {
        /// Its name.
        public var name: String
        /// The labels of the sections in playing order; at least one.
        public var sections: [String]

        /// Makes an order.
        public init(name: String, sections: [String]) {
            (self.name, self.sections) = (name, sections)
        }
    }
}

extension Score.Group {
    /// The passes in runs that have the same ending: the passes, and the index of their ending, or nil.
    package var runs: [(passes: ClosedRange<Int>, ending: Int?)] {
        var named: [(ClosedRange<Int>, Int)] = []
        for (number, ending) in endings.enumerated() { named += ending.passes.map { ($0, number) } }
        named.sort { $0.0.lowerBound < $1.0.lowerBound }
        var runs: [(passes: ClosedRange<Int>, ending: Int?)] = []
        var next = 1
        for (range, ending) in named {
            let (first, last) = (max(range.lowerBound, next), min(range.upperBound, passes))
            guard first <= last else { continue }
            if next < first { runs.append((next...first - 1, nil)) }
            runs.append((first...last, ending))
            // A group made in code can have Int.max passes; then nothing follows.
            guard last < .max else { return runs }
            next = last + 1
        }
        if next <= passes { runs.append((next...passes, nil)) }
        return runs
    }
}

extension Score {
    /// The indices of the sections in playing order; all sections of the page if no order is chosen.
    package var playedSections: [Int] {
        guard brackets.isEmpty else { return [0] }
        guard let order, let sections = orders.first(where: { $0.name == order })?.sections else {
            return Array(self.sections.indices)
        }
        return sections.compactMap { label in self.sections.firstIndex { $0.label == label } }
    }

    /// Plays the sections of a list such as `C, A, B` in its order, which the score then has under a name of its own.
    /// Errors: a section does not exist, and the error suggests another one; or the score has hit points, which have
    /// their times only in the order of the page.
    package mutating func play(sections list: String) throws(TextError) {
        guard lines.allSatisfy({ $0.bars.allSatisfy { $0.isPlain || $0.details.hits.isEmpty } }) else {
            throw TextError(
                localized(
                    "a score with hits is played in the order of the page: only there do its hits have fixed times"))
        }
        let labels = sections.map(\.label).filter { !$0.isEmpty }
        let names = orders.map(\.name)
        let wanted = list.listed
        guard wanted.count <= Jump.limit else { throw TextError(localized("an order has at most 10 000 sections")) }
        if let missing = wanted.first(where: { !labels.contains($0) }) {
            // A single word may also be the name of an order.
            let isName = wanted.count == 1 && !names.isEmpty
            let have = (isName ? names : []) + labels
            let quoted = TextError.quoted(missing)
            throw TextError(
                isName
                    ? localized("there is no order or section \(quoted)") : localized("there is no section \(quoted)"),
                hint: Suggestion.hint(for: missing, in: have)
                    ?? (have.isEmpty
                        ? localized("the score has none")
                        : localized("the score has \(have.prefix(20).joined(separator: ", "))")))
        }
        var name = wanted.joined(separator: ", ")
        if name.unicodeScalars.count > Score.textLimit { name = "given" }
        while names.contains(name) { name = name.count < 100 ? name + "'" : "given" }
        orders.append(Order(name: name, sections: wanted))
        order = name
    }
}
