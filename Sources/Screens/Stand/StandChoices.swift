package import Scores
package import UserSettings

/// What a player has chosen to see: beside the music, and without effect on it.
package struct StandChoices: Sendable, Equatable {
    /// What the large digits show.
    package var digits: DigitsChoice
    /// How bars flash.
    package var flash: FlashChoice
    /// The color of a flash at a bar.
    package var barColor: Color
    /// The color of a flash at the first bar of a line.
    package var lineColor: Color
    /// The page of the keys that is shown instead of the music, from 0; nil for the music.
    package var helpPage: Int?
    /// What is being typed; nil for nothing.
    package var prompt: Prompt?
    /// What was wrong with what was asked for last; empty for nothing.
    package var message = ""
    /// The bar of the piece from which the next loop goes; nil for none.
    package var loopStart: Int?
    /// Whether the next piece of the set list is wanted now.
    package var wantsNext = false
    /// When a speed was tapped, CLOCK_MONOTONIC in ns, oldest first.
    var taps: [Int64] = []

    /// A line that is being typed.
    package struct Prompt: Sendable, Equatable {
        /// What for.
        package var kind: Kind
        /// What has been typed so far.
        package var text = ""

        /// What a line is typed for.
        package enum Kind: Sendable, Equatable {
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
            case .program: "practice (ladder 60% 5%, each 3, column 7, random, silent 2 of 8, off): "
            }
        }
    }

    /// Makes choices; the defaults are those of the settings.
    package init(
        digits: DigitsChoice = Setting.digits.standard, flash: FlashChoice = Setting.flash.standard,
        barColor: Color = Setting.flashColor.standard, lineColor: Color = Setting.flashLineColor.standard
    ) {
        self.digits = digits
        self.flash = flash
        self.barColor = barColor
        self.lineColor = lineColor
    }
}
