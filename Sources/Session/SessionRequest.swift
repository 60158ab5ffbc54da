/// What can be asked of the session that is playing; a line of text on its socket.
package enum SessionRequest: String, Sendable, CaseIterable {
    /// An end with a fade.
    case stop
    /// Pause, or go on.
    case pause
    /// Go on from a hold that waits, or from a pause.
    case `continue`
    /// What is heard, as a line for people.
    case status
    /// What is heard, as a JSON object.
    case statusJSON = "status json"
}
