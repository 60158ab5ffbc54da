internal import Application
internal import ArgumentParser
internal import Languages
internal import Scores
internal import Session

/// Sends a request to the session that is playing, and prints its answer.
private func ask(_ request: SessionRequest) throws {
    guard let folder = SessionFolder(environment: Environment.values) else {
        throw Failure.exit(
            .noDevice, localized("XDG_RUNTIME_DIR is not set to an absolute path, so there is no session to ask"))
    }
    let answer = try Failure.exitOnError(.noDevice) {
        do throws(SessionError) {
            return try SessionClient.ask(request, folder)
        } catch {
            switch (error, request) {
            // This is the status, and no failure.
            case (.suspended, .status): return "\(error)"
            case (.suspended, .statusJSON): return JSON.line([("state", "suspended")])
            default: throw error
            }
        }
    }
    try StandardOutput.print((request == .statusJSON ? answer : answer.printable) + "\n")
}

/// The commands to the session that is playing.
enum SessionCommands {
    /// In the order in which the help lists them.
    static let all: [any ParsableCommand.Type] = [
        StopCommand.self, PauseCommand.self, ContinueCommand.self, StatusCommand.self,
    ]
}

struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: localized("Stop the playing session from another terminal."),
        discussion: localized("Exit code 69 if nothing is playing."))

    func run() throws { try ask(.stop) }
}

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: localized("Pause or resume the playing session from another terminal."),
        discussion: localized("Exit code 69 if nothing is playing, or if the session cannot do that now."))

    func run() throws { try ask(.pause) }
}

struct ContinueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: localized("Continue from a hold or a pause, from another terminal."),
        discussion: localized("Exit code 69 if nothing is playing, or if the session cannot do that now."))

    func run() throws { try ask(.continue) }
}

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: localized("Print the score that is playing, and its position."),
        discussion: localized("Exit code 69 if nothing is playing."))

    @Flag(help: .localized("Print a JSON object."))
    var json = false

    func run() throws { try ask(json ? .statusJSON : .status) }
}
