import Score
import Testing

@testable import Timing

@Suite("Reading a timing log")
struct TimingLogReaderTests {
    @Test("rows do not depend on how the file comes in pieces")
    func pieces() {
        var random = Seeded(state: 5)
        let rows = (0..<200).map { _ in TimingRowTests.random(&random) }
        let bytes = Array(("\u{FEFF}" + TimingRowTests.log(rows.map(\.csv)) + "\n# end\n").utf8)
        for size in [1, 2, 3, 7, 64, 1000] {
            var reader = TimingLogReader(file: "x.csv")
            var found: [TimingRow] = []
            for start in stride(from: 0, to: bytes.count, by: size) {
                let piece = Array(bytes[start..<min(start + size, bytes.count)])
                reader.read(piece.span) { found.append($0) }
            }
            reader.finish { found.append($0) }
            #expect(found == rows)
            #expect(reader.diagnostics == [])
        }
    }

    @Test("a row that a crash cut off is a warning, wherever the cut is, and the rows before it count")
    func cut() throws {
        let last = "12,\"a, b\",3.000000000,,,144000.000000,1.500,2.250,lost"
        let whole = TimingRowTests.log([TimingRowTests.row(0, error: 3).csv])
        for length in 1..<last.count {
            let (rows, diagnostics) = TimingRowTests.read(whole + last.prefix(length))
            #expect(rows.count == 1)
            #expect(diagnostics.map(\.severity) == [.warning])
            #expect(diagnostics.first?.line == 3)
        }
        #expect(TimingRowTests.read(whole + last).rows.count == 2)
        #expect(
            TimingRowTests.messages(whole + "2,\0\0\0\0") == [
                "x.csv:3:1: warning: the last row is cut off and left out"
            ])
        #expect(
            TimingRowTests.messages(String(TimingRow.header.prefix(20))) == [
                "x.csv:1:1: warning: the header is cut off", "x.csv:1:1: warning: the log has no rows",
            ])
    }

    @Test(
        "a file that is no log is one error",
        arguments: [
            "", "index,label\n", "\0\0", "label,duration\nA,3\n", "\n\n", String(repeating: "x", count: 70_000),
        ])
    func noLog(text: String) {
        #expect(TimingRowTests.messages(text).count == 1)
        #expect(
            TimingRowTests.messages(text).first?.contains("error: this is no timing log; the first line of one is ")
                == true)
    }

    @Test("a log without rows is a warning; a row without end is an error at which reading ends")
    func ends() {
        #expect(TimingRowTests.messages(TimingRowTests.log([])) == ["x.csv:2:1: warning: the log has no rows"])
        let long = String(repeating: "1", count: 70_000)
        #expect(
            TimingRowTests.messages(TimingRowTests.log([long])) == [
                "x.csv:2:1: error: this row does not end within 64 KiB"
            ])
        #expect(
            TimingRowTests.messages(TimingRowTests.log(["1,\"" + long.replacing("11", with: "\n")])) == [
                "x.csv:2:3: error: the quote that opens here is never closed"
            ])
        #expect(
            TimingRowTests.messages(TimingRowTests.log(["1,\"" + long])) == [
                "x.csv:2:3: error: the quote that opens here is not closed within 64 KiB"
            ])
        let bad = TimingRowTests.messages(TimingRowTests.log(Array(repeating: "bad", count: 250)))
        #expect(bad.count == 101 && bad.last?.hasSuffix("error: and 150 more errors") == true)
    }

    @Test("comments and empty lines are passed over, and what stands in them opens nothing")
    func comments() {
        let row = TimingRowTests.row(0, error: 3).csv
        let text = TimingRowTests.log(["# \"it", "", row, "#,\"", "\r", row])
        #expect(TimingRowTests.read(text).rows.count == 2 && TimingRowTests.messages(text) == [])
    }

    @Test("a fault has the line on which it stands, also in and after rows of several lines")
    func linesOfFaults() {
        let long = "1,\"a\n\nb\",1,1,0,0,0,0,"
        #expect(
            TimingRowTests.messages(TimingRowTests.log([long, "0,,1,1,0,0,0,0,"])) == [
                "x.csv:5:1: error: bars are counted from 1"
            ])
        #expect(
            TimingRowTests.messages(TimingRowTests.log(["1,\"a\n\nb\",1,1,0,0,0,-1,"])) == [
                "x.csv:4:14: error: an uncertainty cannot be negative"
            ])
    }

    @Test(
        "of errors and of warnings a hundred are told each, and how many more errors there are",
        arguments: [99, 100, 101, 102])
    func counted(faults: Int) {
        let errors = TimingRowTests.messages(TimingRowTests.log(Array(repeating: "bad", count: faults)))
        #expect(errors.count == min(faults, 101))
        #expect(errors.last?.hasSuffix("and 1 more error") == (faults == 101))
        #expect(errors.last?.hasSuffix("and 2 more errors") == (faults == 102))
        let (rows, warnings) = TimingRowTests.read(
            TimingRowTests.log(Array(repeating: "1,,1,1,0,0,0,0,lots", count: faults)))
        #expect(rows.count == faults && warnings.count == min(faults, 100))
    }

    @Test("a row of 64 KiB is read, one byte more is too long")
    func longest() {
        for (more, isTaken) in [(0, true), (1, false)] {
            let rest = ",1,1,0,0,0,0,"
            let label = String(repeating: "x", count: TimingLogReader.rowLimit - 2 - rest.utf8.count + more)
            let rows = TimingRowTests.read(TimingRowTests.log(["1," + label + rest])).rows
            #expect(rows.map(\.label) == (isTaken ? [label] : []))
        }
    }

    @Test("a row without end is refused before its end has come: what is read of it stays small")
    func endless() {
        var reader = TimingLogReader(file: "x.csv")
        let piece = Array((TimingRow.header + "\n" + String(repeating: "1", count: TimingLogReader.rowLimit)).utf8)
        reader.read(piece.span) { _ in }
        let isOverBefore = reader.isOver
        let next = Array("1".utf8)
        reader.read(next.span) { _ in }
        let (isOver, messages) = (reader.isOver, reader.diagnostics.map(\.message))
        #expect(!isOverBefore && isOver)
        #expect(messages == ["this row does not end within 64 KiB"])
    }
}
