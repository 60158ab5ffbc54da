internal import Scores

extension Run {
    /// Reads a run: two of distance, time and pace, in any order, with `@`, `at`, `in`, `,` or a blank between them.
    ///
    /// For example `26.2mi @ 10:00/mi`, `5k in 25:00`, `1:00:00 6mph`. The third is the result. Errors: each with its
    /// place.
    public init(runText text: String) throws(RunTextFault) {
        var scanner = RunScanner(Array(text.utf8))
        scanner.skipBlanks()
        let first = try scanner.quantity()
        scanner.skipJoint()
        let second = try scanner.quantity()
        scanner.skipBlanks()
        guard scanner.next == nil else {
            throw RunTextFault(scanner.token(), "give only two of distance, time and pace: the third follows from them")
        }
        do throws(RunPairError) {
            self = try Run(first.value, second.value)
        } catch {
            throw error.fault(first.range, second.range)
        }
    }

    /// Makes a run from two different quantities.
    init(_ a: RunQuantity, _ b: RunQuantity) throws(RunPairError) {
        do throws(RunError) {
            switch (a, b) {
            case (.distance(let distance), .time(let time)), (.time(let time), .distance(let distance)):
                self = try Run(distance, in: time)
            case (.distance(let distance), .pace(let pace)), (.pace(let pace), .distance(let distance)):
                self = try Run(distance, at: pace)
            case (.time(let time), .pace(let pace)), (.pace(let pace), .time(let time)):
                self = try Run(time, at: pace)
            case (.distance, .distance), (.time, .time), (.pace, .pace):
                throw RunError.isResult(.distance)
            }
        } catch .isResult {
            throw .same(a.noun)
        } catch {
            throw .range(error)
        }
    }
}

/// The error for two quantities that are not a run.
enum RunPairError: Error {
    /// Both are of the same kind.
    case same(String)
    /// The result is out of range.
    case range(RunError)

    func fault(_ first: Range<Int>, _ second: Range<Int>) -> RunTextFault {
        switch self {
        case .same(let noun):
            RunTextFault(
                second, "this is a second \(noun)", hint: "give two different quantities of distance, time and pace")
        case .range(let error): RunTextFault(first.lowerBound..<second.upperBound, error.description)
        }
    }
}

extension RunScanner {
    /// Skips the separator between the two quantities of a run.
    mutating func skipJoint() {
        skipBlanks()
        _ = accept("@") || accept(",") || accept(word: "at", "in", "for")
        skipBlanks()
    }
}
