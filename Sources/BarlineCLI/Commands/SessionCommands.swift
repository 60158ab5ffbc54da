internal import ArgumentParser
internal import Scores
internal import Session

/// Sends a request to the session that is playing, and prints its answer.
private func ask(_ request: SessionRequest) throws {
    guard let folder = SessionFolder(environment: Environment.values) else {
        throw Failure.exit(.noDevice, "XDG_RUNTIME_DIR is not set, so there is no session to ask")
    }
    let answer: String
    do throws(SessionError) {
        answer = try SessionClient.ask(request, folder)
    } catch {
        throw Failure.exit(.noDevice, error)
    }
    var output = StandardOutput()
    try output.write((request == .statusJSON ? answer : answer.printable) + "\n")
    try output.flush()
}

struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "End what is playing, from another terminal.",
        discussion: "Exit code 69 where nothing is playing.")

    func run() throws { try ask(.stop) }
}

struct PauseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause", abstract: "Pause what is playing, or let it go on, from another terminal.",
        discussion: "Exit code 69 where nothing is playing.")

    func run() throws { try ask(.pause) }
}

struct ContinueCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "continue", abstract: "Go on from a hold that waits, or from a pause, from another terminal.",
        discussion: "Exit code 69 where nothing is playing.")

    func run() throws { try ask(.continue) }
}

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Say what is playing, and where it is.",
        discussion: "Exit code 69 where nothing is playing.")

    @Flag(help: "A JSON object.")
    var json = false

    func run() throws { try ask(json ? .statusJSON : .status) }
}
