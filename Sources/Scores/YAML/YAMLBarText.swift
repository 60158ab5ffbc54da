/// Writes a bar with its details as a map.
enum YAMLBarText {
    /// The map of a bar that is played several times; timecodes at `rate` are written without one.
    static func map(_ bar: Score.Bar, times: Int, _ rate: Timecode.Rate?) -> String {
        let details = bar.details
        var map = YAMLMap()
        if let meter = details.meter {
            map.add("meter", text: meter.text)
        } else {
            map.add("duration", text: YAMLText.duration(bar.duration))
        }
        if times > 1 { map.add("times", text: "\(times)") }
        map.add("label", bar.label)
        if let tempo = details.tempo { map.add("tempo", text: tempo.text) }
        if let ramp = details.ramp {
            var inner = YAMLMap()
            inner.add("to", text: ramp.target.text)
            inner.add("over", text: ramp.span.text)
            if ramp.curve != .beats { inner.add("curve", text: ramp.curve.rawValue) }
            map.add("ramp", text: inner.text)
        }
        if let beats = details.beats { map.add("beats", text: self.beats(beats)) }
        if let parts = details.subdivision { map.add("subdivide", text: "\(parts)") }
        if let grid = details.grid { map.add("grid", text: grid.text) }
        if !details.holds.isEmpty {
            let holds = details.holds.map(hold)
            map.add("hold", text: holds.count == 1 ? holds[0] : "[\(holds.joined(separator: ", "))]")
        }
        if !details.hits.isEmpty {
            let hits = details.hits.map { hit($0, rate) }
            map.add("hit", text: hits.count == 1 ? hits[0] : "[\(hits.joined(separator: ", "))]")
        }
        if let speed = details.speed { map.add("speed", text: "\(speed)") }
        if let jump = details.jump { map.add("go-to", text: self.jump(jump)) }
        if let click = details.click { map.add("click", text: self.click(click)) }
        if let warning = details.warning { map.add("warning", text: warning.text) }
        map.add("cue", details.cue)
        map.add("say", details.say)
        if let drone = details.drone { map.add("drone", text: self.drone(drone)) }
        if let flash = details.flash { map.add("flash", text: flash.text) }
        return map.text
    }

    private static func beats(_ beats: [Beat]) -> String {
        if beats.isEmpty { return "on" }
        if beats.allSatisfy({ $0.value == nil }) { return "\"\(beats.map(\.text).joined())\"" }
        return "[\(beats.map(\.text).joined(separator: ", "))]"
    }

    private static func hold(_ hold: Hold) -> String {
        if let text = hold.text { return text }
        var map = YAMLMap()
        map.add("until", text: "cue")
        map.add("length", text: YAMLText.duration(hold.length))
        if hold.place != .end { map.add("at", text: hold.place.text) }
        return map.text
    }

    private static func hit(_ hit: Hit, _ rate: Timecode.Rate?) -> String {
        if let text = hit.text(rate) { return text }
        var map = YAMLMap()
        map.add("time", text: hit.time.text(rate))
        if hit.beat != .one { map.add("beat", text: hit.beat.text) }
        if let ramp = hit.ramp { map.add("ramp", text: ramp.rawValue) }
        map.add("label", hit.label)
        return map.text
    }

    private static func jump(_ jump: Jump) -> String {
        var map = YAMLMap()
        switch jump.target {
        case .start: map.add("to", text: "start")
        case .end: map.add("to", text: "end")
        case .label(let label): map.add("label", label)
        }
        if jump.arrivals == [1] {
            switch jump.target {
            case .start: return "start"
            case .end: return "end"
            case .label(let label) where label != "start" && label != "end": return YAMLText.quoted(label)
            case .label: break
            }
        } else {
            map.add("times", text: "\"\(RangeText.text(RangeText.ranges(jump.arrivals)))\"")
        }
        return map.text
    }

    static func click(_ click: BarClick) -> String {
        if click.isSilent { return "off" }
        if let sound = click.sound, click.decibels == 0 { return sound.rawValue }
        if click.sound == nil { return click.levelText }
        var map = YAMLMap()
        if let sound = click.sound { map.add("sound", text: sound.rawValue) }
        map.add("level", text: click.levelText)
        return map.text
    }

    private static func drone(_ change: DroneChange) -> String {
        if change.isOff { return "off" }
        let notes = change.notes.map(YAMLText.notes)
        if change.level == nil, change.fade == nil { return notes?.text ?? "on" }
        var map = YAMLMap()
        if let notes { map.add(notes.key, text: notes.text) }
        if let level = change.level { map.add("level", text: "\(level)") }
        if let fade = change.fade { map.add("fade", text: fade.exactSeconds) }
        return map.text
    }
}

/// A map in braces.
struct YAMLMap {
    private var fields: [String] = []

    var text: String { "{\(fields.joined(separator: ", "))}" }

    /// Adds a value that is written unchanged.
    mutating func add(_ key: String, text: String) { fields.append("\(key): \(text)") }

    /// Adds a text by the author, unless it is empty.
    mutating func add(_ key: String, _ value: String) {
        if !value.isEmpty { fields.append("\(key): \(YAMLText.quoted(value))") }
    }
}

/// A map as an item of a list: one key per line, the first after a dash.
struct YAMLItem {
    private let spaces: String
    private(set) var lines = ""

    init(indent: Int) { spaces = String(repeating: " ", count: indent) }

    mutating func add(_ key: String, text: String) {
        lines += "\(spaces)\(lines.isEmpty ? "- " : "  ")\(key): \(text)\n"
    }

    mutating func add(_ key: String, _ value: String) {
        if !value.isEmpty { add(key, text: YAMLText.quoted(value)) }
    }
}

/// Texts and durations as YAML writes them.
package enum YAMLText {
    static func duration(_ duration: Duration) -> String {
        duration < .seconds(60) ? duration.exactSeconds : duration.clock
    }

    /// The notes of a drone, and the key for them: `pitch` or `notes`.
    static func notes(_ notes: [Score.Drone.Note]) -> (key: String, text: String) {
        let text = notes.map(\.description).joined(separator: ", ")
        let isPitch = notes.count == 1 && notes[0] == Score.Drone.Note(notes[0].pitch)
        return (isPitch ? "pitch" : "notes", notes.count == 1 ? text : "\"\(text)\"")
    }

    /// A text by the author: bare if it cannot be mistaken for anything else, otherwise in quotes.
    package static func quoted(_ text: String) -> String {
        isBare(text) ? text : "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    private static func isBare(_ text: String) -> Bool {
        guard let first = text.utf8.first, let last = text.utf8.last, isLetter(first), last != UInt8(ascii: " ") else {
            return false
        }
        let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        return !words.contains(text.lowercased())
            && text.utf8.allSatisfy {
                isLetter($0) || DecimalText.digit($0) != nil || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-")
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte.lowercase)
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x22: return "\\\""
        case 0x5C: return "\\\\"
        // Characters that YAML allows unescaped.
        case 0x20...0x7E, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x1_0000...0x10_FFFF:
            return String(Character(scalar))
        default:
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }
}
