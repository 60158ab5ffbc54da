import Formats
import Scores
import Testing

/// In which order measures are played. Measure n lasts n seconds, so that the lengths of bars name them.
struct MusicXMLOrderTests {
    private static let forward = "<barline location='left'><repeat direction='forward'/></barline>"
    private static let backward = "<barline location='right'><repeat direction='backward'/></barline>"

    private static func ending(_ numbers: String, _ sign: String = "", isLast: Bool = true) -> String {
        let start = "<barline location='left'><ending number='\(numbers)' type='start'/></barline>"
        return start + (isLast ? "<barline><ending number='\(numbers)' type='stop'/>\(sign)</barline>" : "")
    }

    private static let again = "<repeat direction='backward'/>"

    /// The numbers of measures as they are played; `marks` has what each of them contains.
    private func played(_ count: Int, _ marks: [Int: String]) throws -> [Int] {
        let measures = (1...count).map { eighths(2 * $0) + (marks[$0] ?? "") }
        let times = starts(try musicXMLScore(measures))
        return zip(times, times.dropFirst()).map { Int(($1 - $0).components.seconds) }
    }

    @Test("a repeat goes back to its sign, to the repeat before it, or to the beginning")
    func repeats() throws {
        let back = Self.backward
        #expect(try played(3, [2: back]) == [1, 2, 1, 2, 3])
        #expect(try played(4, [2: Self.forward, 3: back]) == [1, 2, 3, 2, 3, 4])
        #expect(try played(3, [1: back, 3: back]) == [1, 1, 2, 3, 2, 3])
        #expect(try played(2, [1: "<sound forward-repeat='yes'/>", 2: back]) == [1, 2, 1, 2])
        let four = "<barline><repeat direction='backward' times='4'/></barline>"
        #expect(try played(2, [1: four]) == [1, 1, 1, 1, 2])
    }

    @Test("endings are played in their passes")
    func endings() throws {
        let (end, again) = (Self.ending, Self.again)
        #expect(try played(4, [2: end("1", again, true), 3: end("2", "", true)]) == [1, 2, 1, 3, 4])
        #expect(try played(3, [2: end("1", again, true)]) == [1, 2, 1, 3])
        #expect(
            try played(4, [2: end("1, 2", again, true), 3: end("3", "", true)]) == [1, 2, 1, 2, 1, 3, 4])
        #expect(
            try played(5, [2: end("1,3", again, true), 3: end("2", again, true), 4: end("4", "", true)])
                == [1, 2, 1, 3, 1, 2, 1, 4, 5])
        // An ending of two measures, and a section after it that goes back to its own beginning.
        let long = "<barline><ending number='1' type='stop'/>\(again)</barline>"
        #expect(
            try played(6, [2: end("1", "", false), 3: long, 4: end("2", "", true), 6: Self.backward])
                == [1, 2, 3, 1, 4, 5, 6, 5, 6])
    }

    @Test("da capo and dal segno go back once, to fine or to the coda, without repeats")
    func jumps() throws {
        let (dc, fine) = ("<sound dacapo='yes'/>", "<sound fine='yes'/>")
        #expect(try played(3, [2: dc]) == [1, 2, 1, 2, 3])
        #expect(try played(3, [1: fine, 3: dc]) == [1, 2, 3, 1])
        #expect(try played(3, [1: Self.backward, 2: fine, 3: dc]) == [1, 1, 2, 3, 1, 2])
        let segno = "<sound segno='s'/>"
        #expect(try played(4, [2: segno, 3: fine, 4: "<sound dalsegno='s'/>"]) == [1, 2, 3, 4, 2, 3])
        let coda = [2: "<sound tocoda='c'/>", 3: "<sound dalsegno='s'/>", 4: "<sound coda='c'/>", 1: segno]
        #expect(try played(5, coda) == [1, 2, 3, 1, 2, 4, 5])
        // After the jump, only the last ending is played.
        let endings = [
            2: Self.ending("1", Self.again), 3: Self.ending("2"), 4: "<sound dacapo='yes'/>", 5: Self.backward,
        ]
        #expect(try played(5, endings) == [1, 2, 1, 3, 4, 5, 4, 1, 3, 4, 5])
        let after = "<barline><repeat direction='backward' after-jump='yes'/></barline>"
        #expect(try played(2, [1: after, 2: dc]) == [1, 1, 2, 1, 1, 2])
    }

    @Test("words and signs give jumps where no sound does")
    func words() throws {
        func words(_ text: String) -> String { direction("<words>\(text)</words>") }
        #expect(try played(3, [1: words("Fine"), 3: words("D.C. al Fine")]) == [1, 2, 3, 1])
        #expect(try played(3, [2: direction("<segno/>"), 3: words("D. S.")]) == [1, 2, 3, 2, 3])
        #expect(
            try played(4, [1: words("To Coda"), 3: words("Da Capo al Coda"), 4: direction("<coda/>")])
                == [1, 2, 3, 1, 4])
        // Two coda signs: the first is where the music leaves.
        #expect(
            try played(4, [1: direction("<coda/>"), 3: words("D.C. al Coda"), 4: direction("<coda/>")])
                == [1, 2, 3, 1, 4])
        #expect(try played(2, [2: words("dolce, da lontano")]) == [1, 2])
    }

    @Test("the tempo is that of the music as it is played")
    func tempi() throws {
        let measures = [Self.forward + eighths(8), "<sound tempo='120'/>" + Self.backward + eighths(8)]
        let score = try musicXMLScore([eighths(8)] + measures)
        #expect(starts(score) == [0, 4, 8, 10, 12, 14].map { Duration.seconds($0) })
    }
}
