/// A place at which a note may begin.
package struct Onset: Sendable, Equatable {
    /// Seconds from the start of the take.
    package var seconds: Double
    /// How probable it is that a note begins here.
    package var probability: Double
}
