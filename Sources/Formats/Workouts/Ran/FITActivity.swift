internal import Languages
internal import Running
internal import Scores

/// Reads Garmin activities (FIT files of type 4): messages 19, lap, 20, record, and 21, event.
enum FITActivity {
    static func read(_ bytes: [UInt8]) throws(TextError) -> Activity {
        let messages = try FITBytes.messages(bytes).messages
        if let type = messages.first(where: { $0.number == 0 })?.number(0), type != 4 {
            throw TextError(
                localized("this FIT file is not an activity"),
                hint: localized("it may be a workout or a course; export what was recorded"))
        }
        var track = ActivityTrack()
        var isStopped = false
        for message in messages {
            switch message.number {
            case 20:
                guard let time = message.number(253) else { continue }
                // Centimeters; positions are in parts of 2³¹ of half a turn.
                track.add(
                    clock: Double(time), meters: message.number(5).map { Double($0) / 100 },
                    latitude: message.number(0).map(degrees), longitude: message.number(1).map(degrees),
                    isAfterPause: isStopped)
                isStopped = false
            // The timer: 1 and 4 stop it.
            case 21 where message.number(0) == 0: isStopped = [1, 4, 8, 9].contains(message.number(1))
            default: continue
            }
        }
        let laps = messages.filter { $0.number == 19 }.compactMap { lap -> Activity.Lap? in
            // Milliseconds: without pauses, or else with them.
            guard let time = lap.number(8) ?? lap.number(7), time > 0 else { return nil }
            return Activity.Lap(
                seconds: Double(time) / 1000, meters: lap.number(9).map { Double($0) / 100 },
                isAutomatic: lap.number(24) == 2)
        }
        return Activity(laps: laps, track: track.points)
    }

    private static func degrees(_ value: UInt32) -> Double {
        Double(Int32(bitPattern: value)) * 180 / 2_147_483_648
    }
}
