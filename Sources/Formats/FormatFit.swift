internal import Languages
internal import Scores

// Which format a file has.
extension Format {
    /// A smaller difference than this is no difference: one line of ten may be a mistake.
    private static let margin = 0.1
    /// How much of a file is looked at.
    static let sampleBytes = 64 << 10

    /// The formats that the ending of a file name can mean, for reading or for writing a score; empty if there are none.
    public static func candidates(
        fileName: String, among formats: [Format] = allCases, writing: Bool = false
    ) -> [Format] {
        let ending = ending(of: fileName)
        let able = formats.filter { (writing ? $0.canWrite : $0.canRead) && $0.extensions.contains(ending) }
        // For writing, an ending means the format whose usual ending it is.
        let usual = writing ? able.first { $0.extensions.first == ending } : nil
        return usual.map { [$0] } ?? able
    }

    /// The first format in which scores with such a file name can be read; nil if there is none.
    public init?(fileName: String) {
        guard let format = Self.candidates(fileName: fileName, among: Self.ofScores).first else { return nil }
        self = format
    }

    /// The format in which a plan with such a file name is written; nil if there is none.
    package init?(planFileName: String) {
        let ending = Self.ending(of: planFileName)
        guard let format = Self.writtenPlans.first(where: { $0.extensions.first == ending }) else { return nil }
        self = format
    }

    /// The usual endings of files of these formats, for people: `.plan`. Those that can mean only one format come first.
    package static func endings(_ formats: [Format]) -> [String] {
        let endings = formats.compactMap(\.extensions.first).map {
            (text: "." + $0, count: candidates(fileName: "." + $0).count)
        }
        return endings.sorted { $0.count < $1.count }.map(\.text)
    }

    /// The part after the last point, in lower case; empty if there is none.
    private static func ending(of fileName: String) -> String {
        fileName.lastIndex(of: ".").map { fileName[fileName.index(after: $0)...].lowercased() } ?? ""
    }

    /// The format of a text that is a plan: the one that its content tells, or else its name, or else Barline's own.
    package static func ofPlan(_ bytes: [UInt8], file: String) -> Format {
        let sample = Array(bytes.prefix(sampleBytes))
        let fits = ofPlans.filter { $0 != .plan }.map { (format: $0, fit: $0.definition.plan?.fit(sample) ?? 0) }
        if let best = fits.max(by: { $0.fit < $1.fit }), best.fit > 0 { return best.format }
        return candidates(fileName: file, among: ofPlans).first ?? .plan
    }

    /// Whether bytes of this format are a plan and not a score.
    func isPlan(_ bytes: [UInt8]) -> Bool {
        definition.plan.map { definition.read == nil || $0.fit(Array(bytes.prefix(Self.sampleBytes))) > 0 } ?? false
    }

    /// How well the beginning of a text fits each of these formats: 0 if it does not fit at all, and 1 if every one of its
    /// first lines does.
    package static func fits(_ bytes: [UInt8], _ formats: [Format]) -> [(format: Format, fit: Double)] {
        let sample = Array(bytes.prefix(sampleBytes))
        let text = SourceText(sample, file: "").transcoded
        return formats.compactMap { format in
            let definition = format.definition
            let fits = [definition.fit?(text), definition.plan?.fit(sample)].compactMap(\.self)
            return fits.max().map { (format, $0) }
        }
    }

    /// The format of a text: the one that its name tells or, if that can be several, the one that fits best. `hint` says how
    /// to choose between two.
    ///
    /// Errors: two formats fit about equally well, or none does. But a text that may be a table, and one of which nothing is
    /// known, get the formats `csv` and `yaml`, whose readers say what is wrong with it.
    static func find(
        _ bytes: [UInt8], file: String, among formats: [Format], hint: (Format, Format) -> String
    ) throws(TextError) -> Format {
        let named = candidates(fileName: file, among: formats)
        if named.count == 1 { return named[0] }
        let fits = fits(bytes, named.isEmpty ? formats : named)
        let inOrder = fits.filter { $0.fit > 0 }.sorted { $0.fit > $1.fit }
        guard let (best, fit) = inOrder.first else {
            if named.isEmpty { return .yaml }
            if named.contains(.csv) { return .csv }
            let others = named.dropLast().map(\.name).joined(separator: ", ")
            throw TextError(localized("the text is not \(others) or \(named[named.count - 1].name)"))
        }
        if inOrder.count > 1, fit - inOrder[1].fit < margin {
            let other = inOrder[1].format
            throw TextError(localized("the text may be \(best.name) or \(other.name)"), hint: hint(best, other))
        }
        return best
    }
}

extension SourceText {
    /// The number of lines that are looked at.
    private static var sampleLines: Int { 100 }

    /// The share of the first lines that fit a format with one item per line, 0...1; 0 if no line has a content.
    /// `content` is the part of a line without comments and blanks around it.
    func fit(content: (Span<UInt8>, Range<Int>) -> Range<Int>, isItem: (Range<Int>) -> Bool) -> Double {
        var (count, fitting) = (0, 0)
        for line in TextLines(bytes) {
            let content = content(bytes.span, line)
            guard !content.isEmpty else { continue }
            // The end of the sample may have cut this line.
            let isCut = count > 0 && line.upperBound == bytes.count && bytes.count >= Format.sampleBytes
            guard count < Self.sampleLines, !isCut else { break }
            count += 1
            if isItem(content) { fitting += 1 }
        }
        return count == 0 ? 0 : Double(fitting) / Double(count)
    }
}
