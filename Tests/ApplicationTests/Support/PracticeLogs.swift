internal import Application
internal import Scores
internal import UserSettings

extension Home {
    /// The name of a file with the user's practice in the folder of this home.
    static func practiceFile(_ name: String = "practice.csv") -> String { "home/.local/state/barline/\(name)" }

    /// Writes a practice log with these rows below its first columns.
    func writePractice(_ rows: [String], columns: String = "date,piece,bars,speed,minutes,target") throws {
        try folder.write(Home.practiceFile(), ([columns] + rows).map { $0 + "\n" }.joined())
    }

    /// The rows of the practice log, each as its fields.
    var practice: [[String]] {
        folder.text(Home.practiceFile()).split(separator: "\n").dropFirst()
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    }

    /// Prints what the practice log has; returns the exit code.
    @discardableResult
    func log(_ change: (inout LogRequest) throws -> Void = { _ in }) async throws -> Int32 {
        var request = LogRequest()
        try change(&request)
        return try await run(request) { try $0.print() }
    }
}

/// The date of `ago` days ago.
func day(_ ago: Int) -> String { LocalDay(number: LocalTime.now.day.number - ago).text }
