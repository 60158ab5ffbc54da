import Scores
import Testing
import Timing

@Suite("Reading a timing log")
struct TimingLogTests {
    @Test("a last row that is cut off anywhere gives a warning, and the rows before it count")
    func cut() throws {
        let last = "12,\"a, b\",3.000000000,,,144000.000000,1.500,2.250,lost,2,3"
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
    }

    @Test(
        "a file that is not a timing log gives one error",
        arguments: [
            "", "index,label\n", "\0\0", "label,duration\nA,3\n", "\n\n", String(TimingRow.header.dropLast()),
        ])
    func noLog(text: String) {
        #expect(TimingRowTests.messages(text).count == 1)
        #expect(
            TimingRowTests.messages(text).first?.contains("error: this is not a timing log; its first line must be ")
                == true)
    }

    @Test("a log without rows gives a warning")
    func empty() {
        #expect(TimingRowTests.messages(TimingRowTests.log([])) == ["x.csv:2:1: warning: the log has no rows"])
        #expect(TimingRowTests.messages(TimingRow.header) == ["x.csv:1:84: warning: the log has no rows"])
    }

    @Test("at most a hundred errors are reported, with the number of further ones")
    func many() {
        let bad = TimingRowTests.messages(TimingRowTests.log(Array(repeating: "bad", count: 250)))
        #expect(bad.count == 101 && bad.last?.hasSuffix("error: and 150 more errors") == true)
    }

    @Test("comments and empty lines are skipped, and quotes in them open nothing")
    func comments() {
        let row = TimingRowTests.row(0, error: 3).csv
        let text = TimingRowTests.log(["# \"it", "", row, "#,\"", "\r", row])
        #expect(TimingRowTests.read(text).rows.count == 2 && TimingRowTests.messages(text) == [])
    }

    @Test("an error has its line number, also in and after rows of several lines")
    func linesOfFaults() {
        let long = "1,\"a\n\nb\",1,1,0,0,0,0,"
        #expect(
            TimingRowTests.messages(TimingRowTests.log([long, "0,,1,1,0,0,0,0,"], isOld: true)) == [
                "x.csv:5:1: error: index must be a whole number from 1 to 1000000000000000"
            ])
        #expect(
            TimingRowTests.messages(TimingRowTests.log(["1,\"a\n\nb\",1,1,0,0,0,-1,"], isOld: true)) == [
                "x.csv:4:14: error: uncertainty_us must be a decimal number from 0 to 1000000000"
            ])
    }
}
