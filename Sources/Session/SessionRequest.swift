/// A request to the playing session; a line of text on its socket.
package enum SessionRequest: String, Sendable, CaseIterable {
    /// End, with a fade.
    case stop
    /// Pause, or resume.
    case pause
    /// Go on after a hold that waits for the player, or after a pause.
    case `continue`
    /// The status, as a line for people.
    case status
    /// The status, as a JSON object.
    case statusJSON = "status json"
}
