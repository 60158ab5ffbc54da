internal import Logging

/// What a maintainer wants to see, on standard error and only when asked for: `BARLINE_LOG=debug`.
///
/// Each part has a label: `barline.card`, `barline.clock`, `barline.conductor`.
enum Logs {
    /// Before anything is logged. A level that there is not is told, and nothing is logged.
    static func begin() {
        guard let wanted = Environment.values["BARLINE_LOG"], !wanted.isEmpty else {
            LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
            return
        }
        guard let level = Logger.Level(rawValue: wanted.lowercased()) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            Failure.say("BARLINE_LOG is one of \(levels), not '\(wanted)'")
            LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
            return
        }
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
    }
}
