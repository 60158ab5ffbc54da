internal import Scores
internal import Timing

/// The columns of a timeline for music to film: timecode, and frames per beat.
struct FilmTime {
    private let start: Timecode

    /// What a row has.
    struct Row {
        /// The timecode of the beginning of the bar.
        var timecode: Timecode
        /// How many frames a beat of the bar lasts, to three decimals: on average if the tempo changes; nil for a bar of
        /// seconds.
        var framesPerBeat: String?

        /// The columns of the table.
        var columns: String {
            timecode.text.padding(before: 16) + (framesPerBeat ?? "").padding(before: 13)
        }
    }

    /// Makes the columns of a passage that begins at a timecode.
    init(_ start: Timecode) { self.start = start }

    /// The row of a bar that begins `time` after the beginning, played at a speed.
    func at(_ time: Duration, _ bar: TimedBar, speed: Speed) -> Row {
        Row(timecode: start.after(time), framesPerBeat: framesPerBeat(bar, speed: speed))
    }

    private func framesPerBeat(_ bar: TimedBar, speed: Speed) -> String? {
        guard let meter = bar.written.meter, let term = meter.terms.first else { return nil }
        let holds = bar.written.details.holds.reduce(Duration.zero) { $0 + $1.length }
        let music = speed.realDuration(of: bar.duration - holds)
        let share = (term.beat / meter.length) * start.rate.perSecond
        // As a number of frames is printed like a time, a second stands for a frame.
        let (whole, rest) = music.attoseconds.quotientAndRemainder(dividingBy: Int128(share.denominator))
        let (frames, isTooLarge) = whole.multipliedReportingOverflow(by: Int128(share.numerator))
        guard !isTooLarge, frames < .max / 2 else { return nil }
        let part = rest * Int128(share.numerator) / Int128(share.denominator)
        return Duration(attoseconds: frames + part).seconds(decimals: 3)
    }
}
