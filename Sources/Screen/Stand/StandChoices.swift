public import Score

/// What a player has chosen to see: beside the music, and without effect on it.
public struct StandChoices: Sendable, Equatable {
    /// What the large figures count.
    public var figures = Figures.seconds
    /// How bars flash.
    public var flash = Flash.off
    /// The colour of a flash at a bar; its default and the next one's are told apart with any kind of colour vision.
    public var barColour = Colour(red: 86, green: 180, blue: 233)
    /// The colour of a flash at the first bar of a line.
    public var lineColour = Colour(red: 230, green: 159, blue: 0)
    /// The page of the keys that is shown instead of the music, from 0; nil for the music.
    public var helpPage: Int?
    /// What is being typed; nil for nothing.
    public var prompt: Prompt?
    /// What was wrong with what was asked for last; empty for nothing.
    public var message = ""
    /// The bar of the piece from which the next loop goes; nil for none.
    public var loopStart: Int?
    /// When a speed was tapped, CLOCK_MONOTONIC in ns, oldest first.
    var taps: [Int64] = []

    /// What the large figures count.
    public enum Figures: String, Sendable, CaseIterable {
        /// What is left of the bar, in seconds.
        case seconds
        /// The number of the bar in its line.
        case bar
    }

    /// How a bar flashes.
    public enum Flash: String, Sendable, CaseIterable {
        /// Not at all.
        case off
        /// The whole screen.
        case screen
        /// The edge alone, and three times a second at most.
        case border
    }

    /// A line that is being typed.
    public struct Prompt: Sendable, Equatable {
        /// What for.
        public var kind: Kind
        /// What has been typed so far.
        public var text = ""

        /// What a line is typed for.
        public enum Kind: Sendable, Equatable {
            /// A place to go to.
            case place
            /// The pitch of the drone.
            case pitch
            /// A practice program.
            case program
        }

        /// What stands before the line.
        var question: String {
            switch kind {
            case .place: "go to (5.7, a label, or a time as 2:30): "
            case .pitch: "drone (B4, Bb3, 442Hz): "
            case .program: "practise (ladder 60% 5%, each 3, column 7, random, silent 2 of 8, off): "
            }
        }
    }

    /// The defaults.
    public init() {}
}
