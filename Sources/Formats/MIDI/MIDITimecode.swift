internal import Scores

/// The timecode of the start in a MIDI file: the event SMPTE Offset (`FF 54`).
///
/// Its bytes are the hours, with the rate in two bits above them, the minutes, the seconds, the frames and hundredths of a
/// frame. It has 24, 25, 29.97 drop-frame and 30 frames per second.
enum MIDITimecode {
    private static let rates: [Timecode.Rate] = [.fps24, .fps25, .fps29_97DropFrame, .fps30]

    /// The content of the event; nil if it does not have the rate.
    static func bytes(_ timecode: Timecode) -> [UInt8]? {
        guard let rate = rates.firstIndex(of: timecode.rate) else { return nil }
        let fields = timecode.fields
        return [UInt8(rate << 5 | fields.hours)]
            + [fields.minutes, fields.seconds, fields.frames, fields.hundredths].map(UInt8.init)
    }

    /// The timecode of an event; nil if there is no such timecode.
    static func read(_ content: [UInt8]) -> Timecode? {
        guard content.count == 5, content[0] < 128 else { return nil }
        return try? Timecode(
            hours: Int(content[0] & 31), minutes: Int(content[1]), seconds: Int(content[2]), frames: Int(content[3]),
            hundredths: Int(content[4]), rate: rates[Int(content[0] >> 5)])
    }
}
