internal import Languages
package import Scores
package import UserSettings

/// What the player has chosen at the stand. The choices do not change the sound.
package struct StandChoices: Sendable, Equatable {
    /// What the large digits show.
    package var digits: DigitsChoice
    /// How bars flash.
    package var flash: FlashChoice
    /// The color of a flash at a bar.
    package var barColor: Color
    /// The color of a flash at the first bar of a line.
    package var lineColor: Color
    /// The page of the help that is shown instead of the music, from 0; nil if the music is shown.
    package var helpPage: Int?
    /// The line being typed; nil if there is none.
    package var prompt: Prompt?
    /// What was wrong with the last line typed; empty if nothing was.
    package var message = ""
    /// The index of the bar marked as the start of the next loop; nil if none is marked.
    package var loopStart: Int?
    /// Whether the player has asked for the next piece of the set list.
    package var wantsNext = false
    /// Which key does what.
    package var keys: KeyBindings
    /// The times of the taps for a speed, CLOCK_MONOTONIC in ns, oldest first.
    var taps: [Int64] = []

    /// A line that is being typed.
    package struct Prompt: Sendable, Equatable {
        /// What the line is for.
        package var kind: Kind
        /// The text typed so far.
        package var text = ""

        /// The purpose of a line.
        package enum Kind: Sendable, Equatable {
            /// A place to go to.
            case place
            /// The pitch of the drone.
            case pitch
            /// The waveform of the drone.
            case waveform
            /// A practice program.
            case program
        }

        /// The question before the line.
        var question: String {
            switch kind {
            case .place: localized("go to (bar 5.7, label, or time 2:30): ")
            case .pitch: localized("drone (B4, Bb3, 442Hz): ")
            case .waveform:
                localized("waveform (\(Score.Waveform.allCases.map(\.rawValue).joined(separator: ", "))): ")
            case .program:
                localized("practice (ladder 60% 5%, each 3, column 7, random, silent 2 of 8, off): ")
            }
        }
    }

    /// Creates choices; the defaults are those of the settings.
    package init(
        digits: DigitsChoice = Setting.digits.standard, flash: FlashChoice = Setting.flash.standard,
        barColor: Color = Setting.flashColor.standard, lineColor: Color = Setting.flashLineColor.standard,
        keys: KeyBindings = .standard
    ) {
        self.digits = digits
        self.flash = flash
        self.barColor = barColor
        self.lineColor = lineColor
        self.keys = keys
    }
}
