package import Scores
package import UserSettings

/// What the player has chosen at the stand. The choices do not change the sound.
package struct StandChoices: Sendable, Equatable {
    package var digits: DigitsChoice
    package var flash: FlashChoice
    /// The color of a flash at a bar.
    package var barColor: Color
    /// The color of a flash at the first bar of a line.
    package var lineColor: Color
    /// The page of the help that is shown instead of the music, from 0; nil if the music is shown.
    package var helpPage: Int?
    /// The voice that is shown in place of the leading one; nil for none.
    package var part: String?
    /// The addresses that let others in; empty if nobody can connect.
    package var invitations: [Invitation] = []
    /// The index of the invitation that is shown instead of the music; nil if the music is shown.
    package var shownInvitation: Int?
    /// The line being typed; nil if there is none.
    package var prompt: Prompt?
    /// What was wrong with the last line typed; empty if nothing was.
    package var message = ""
    /// What the program has to say while the stand is up, in turn.
    package var notices: [Notice] = []
    /// The index of the bar marked as the start of the next loop; nil if none is marked.
    package var loopStart: Int?
    /// Whether another piece of a set list follows.
    package var hasNext = false
    /// Whether the player has asked for the next piece of the set list.
    package var wantsNext = false
    /// Whether a channel of the card carries timecode.
    package var carriesTimecode = false
    /// Whether a practice log keeps what the player notes.
    package var keepsNotes: Bool
    /// Whether a microphone listens to the player.
    package var listens = false
    /// Whether another machine leads, so that keys of the music mean nothing here.
    package var isLed = false
    package var keys: KeyBindings
    /// The keys that mean something here.
    var usefulKeys: KeyBindings { isLed ? keys.without(\.isOfLeader) : keys }
    /// The times of the taps for a speed, CLOCK_MONOTONIC in ns, oldest first.
    var taps: [Int64] = []

    /// A line that is shown for some time.
    package struct Notice: Sendable, Equatable {
        package var text: String
        /// When it is shown, CLOCK_MONOTONIC in ns.
        package var shown: Range<Int64>
    }

    /// Creates choices as the settings have them.
    package init(_ settings: Settings = Settings()) {
        (digits, flash, keys) = (settings[Setting.digits], settings[Setting.flash], settings[Setting.keys])
        keepsNotes = settings[Setting.practiceLog]
        (barColor, lineColor) = (settings[Setting.flashColor], settings[Setting.flashLineColor])
    }
}
