internal import Scores
internal import Timing

/// The drone in messages for pages.
enum PageDrone {
    /// A level that is silent, in dB: JSON has no infinity.
    static let silent = -999.0

    /// A level in dB.
    static func level(_ level: Level) -> JSON { .number("\(level.isSilent ? silent : level.decibels)") }

    /// A drone as written, for pages that play by themselves.
    static func json(_ drone: Score.Drone) -> JSON {
        .fields([("notes", notes(drone.notes)), ("level", level(drone.level))] + sound(drone.timbre, drone.fade))
    }

    /// A drone as it sounds: the frequency, amplitude and pan of each note, and the rest.
    static func json(_ drone: DroneSound, fade: Duration) -> JSON {
        let notes = drone.notes.map { note in
            JSON.list([.number("\(note.hertz)"), .number("\(note.amplitude)"), .number("\(note.pan)")])
        }
        return .fields([("notes", .list(notes))] + sound(drone.timbre, fade))
    }

    /// A change of the drone at a bar; null for none.
    static func json(_ change: DroneChange?) -> JSON {
        guard let change else { return .null }
        return .object([
            "isOff": .number(change.isOff ? 1 : 0), "notes": change.notes.map(notes) ?? .null,
            "level": change.level.map(level) ?? .null, "fade": .seconds(change.fade, decimals: 6),
        ])
    }

    /// What pages need besides notes and levels.
    private static func sound(_ timbre: Score.Timbre, _ fade: Duration) -> [(String, JSON)] {
        [
            ("waveform", .text(timbre.waveform.rawValue)), ("brightness", .number("\(timbre.brightness)")),
            ("beating", .number("\(timbre.beating)")), ("fade", .seconds(fade, decimals: 6)),
        ]
    }

    private static func notes(_ notes: [Score.Drone.Note]) -> JSON {
        .list(
            notes.map { note in
                let pitch: [(String, JSON)] =
                    switch note.pitch {
                    case .frequency(let hertz): [("hertz", .number("\(hertz)"))]
                    case .note(let number, let cents): [("note", .number(number)), ("cents", .number("\(cents)"))]
                    case .ratio(let over, let under, let number, let cents):
                        [
                            ("over", .number(over)), ("under", .number(under)), ("note", .number(number)),
                            ("cents", .number("\(cents)")),
                        ]
                    }
                return .fields(pitch + [("level", level(note.level)), ("pan", .number("\(note.pan)"))])
            })
    }
}
