internal import Foundation

/// Tests of `barline log`, in UTC.
protocol PracticeLogTests {}

extension PracticeLogTests {
    /// The date of `ago` days ago, which is the program's time zone here.
    func day(_ ago: Int) -> String {
        let formatter = DateFormatter()
        (formatter.locale, formatter.timeZone) = (Locale(identifier: "en_US_POSIX"), TimeZone(identifier: "UTC"))
        formatter.dateFormat = "yyyy-MM-dd"
        return formatter.string(from: Date(timeIntervalSinceNow: -86_400 * Double(ago)))
    }

    func run(_ arguments: [String], _ scratch: Scratch) async throws -> Outcome {
        try await Program.run(["log"] + arguments, in: scratch, environment: ["TZ": "UTC"])
    }
}
