internal import Languages
internal import Logging
internal import Scores
internal import Screens
internal import UserSettings

/// Debug logs for maintainers on standard error, only if asked for: `BARLINE_LOG=debug`.
///
/// Each component has a label: `barline.card`, `barline.clock`, `barline.conductor`.
package enum Logs {
    /// Starts logging; call it before anything is logged. An unknown level is reported, and nothing is logged.
    package static func begin() {
        guard let wanted = Environment[.log], !wanted.isEmpty else {
            LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
            return
        }
        guard let level = Logger.Level(rawValue: wanted.lowercased()) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            Failure.say(localized("note: BARLINE_LOG must be one of \(levels), not '\(wanted)'"))
            LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
            return
        }
        LoggingSystem.bootstrap { LogLines(label: $0, logLevel: level) }
    }
}

/// Writes a line to standard error for each event; while a screen is up there, after it has closed.
private struct LogLines: LogHandler {
    let label: String
    var logLevel: Logger.Level
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let pairs = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let values = pairs.map { " \($0.key)=\($0.value)" }.joined()
        let text = "\(LocalTime.now.text) \(event.level) \(label):\(values) [\(event.source)] \(event.message)"
        Notices.log(text.printable + "\n")
    }
}
