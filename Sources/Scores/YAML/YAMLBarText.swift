/// Writes a bar with its details as a map.
enum YAMLBarText {
    /// The map of a bar that is played several times; timecodes at `rate` are written without one.
    static func map(_ bar: Score.Bar, times: Int, _ rate: Timecode.Rate?) -> String {
        var map = YAMLMap()
        for key in YAMLBarKey.allCases { key.write(bar, times: times, rate, to: &map) }
        return map.text
    }

    /// Items in brackets; a single one as it is, and nil for none.
    static func list(_ items: [String]) -> String? {
        items.count < 2 ? items.first : "[\(items.joined(separator: ", "))]"
    }

    static func tempo(_ change: TempoChange) -> String? {
        change.mark.map { "\($0.text) at beat \(change.beat.text)" }
    }

    static func ramp(_ ramp: Ramp, at beat: Fraction) -> String {
        var map = YAMLMap()
        map.add("to", text: ramp.target.text)
        if beat != .one { map.add("from", text: "beat \(beat.text)") }
        map.add("over", text: ramp.span.text)
        if ramp.curve != .beats { map.add("curve", text: ramp.curve.rawValue) }
        return map.text
    }

    static func beats(_ beats: [Beat]) -> String {
        if beats.isEmpty { return "on" }
        if beats.allSatisfy({ $0.value == nil }) { return "\"\(beats.map(\.text).joined())\"" }
        return "[\(beats.map(\.text).joined(separator: ", "))]"
    }

    static func hold(_ hold: Hold) -> String {
        if let text = hold.text { return text }
        var map = YAMLMap()
        map.add("until", text: "cue")
        map.add("length", text: YAMLText.duration(hold.length))
        if hold.place != .end { map.add("at", text: hold.place.text) }
        return map.text
    }

    static func hit(_ hit: Hit, _ rate: Timecode.Rate?) -> String {
        if let text = hit.text(rate) { return text }
        var map = YAMLMap()
        map.add("time", text: hit.time.text(rate))
        if hit.beat != .one { map.add("beat", text: hit.beat.text) }
        map.add("ramp", text: hit.ramp?.rawValue)
        map.add("label", hit.label)
        return map.text
    }

    /// Bare where YAML takes it as it is.
    static func send(_ message: StageMessage) -> String {
        let text = message.text
        let isBare = text.utf8.allSatisfy { byte in
            YAMLText.isLetter(byte) || DecimalText.digit(byte) != nil || " /-._".utf8.contains(byte)
        }
        return isBare ? text : YAMLText.quoted(text)
    }

    static func jump(_ jump: Jump) -> String {
        var map = YAMLMap()
        let isFirst = jump.arrivals == [1]
        switch jump.target {
        case .start where isFirst: return "start"
        case .end where isFirst: return "end"
        case .label(let label) where isFirst && label != "start" && label != "end": return YAMLText.name(label)
        case .start: map.add("to", text: "start")
        case .end: map.add("to", text: "end")
        case .label(let label): map.add("label", label)
        }
        if !isFirst { map.add("times", text: "\"\(RangeText.text(RangeText.ranges(jump.arrivals)))\"") }
        return map.text
    }

    static func click(_ click: BarClick) -> String {
        if click.isSilent { return "off" }
        guard let sound = click.sound else { return click.levelText }
        if click.decibels == 0 { return sound.rawValue }
        var map = YAMLMap()
        map.add("sound", text: sound.rawValue)
        map.add("level", text: click.levelText)
        return map.text
    }

    static func drone(_ change: DroneChange) -> String {
        if change.isOff { return "off" }
        let notes = change.notes.map(YAMLText.notes)
        if change.level == nil, change.fade == nil { return notes?.text ?? "on" }
        var map = YAMLMap()
        if let notes { map.add(notes.key, text: notes.text) }
        map.add("level", text: change.level?.description)
        map.add("fade", text: change.fade?.exactSeconds)
        return map.text
    }
}

/// The keys of a map with their values, in order.
struct YAMLMap {
    private var fields: [String] = []

    /// The map in braces.
    var text: String { "{\(fields.joined(separator: ", "))}" }

    /// The map with one key per line, the first after `first`, which is as long as the indentation of the others.
    func lines(first: String) -> String {
        let spaces = String(repeating: " ", count: first.count)
        return fields.enumerated().map { "\($0.offset == 0 ? first : spaces)\($0.element)\n" }.joined()
    }

    /// Adds a value that is written unchanged, unless it is nil.
    mutating func add(_ key: String, text: String?) {
        if let text { fields.append("\(key): \(text)") }
    }

    /// Adds a text by the author, unless it is empty.
    mutating func add(_ key: String, _ value: String) {
        add(key, text: YAMLText.author(value))
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

    /// A text by the author as `quoted` writes it; nil if it is empty.
    static func author(_ text: String) -> String? {
        let text = text.isEmpty ? text : TextRule.cleaned(text)
        return text.isEmpty ? nil : quoted(text)
    }

    /// A text by the author: bare if it cannot be mistaken for anything else, otherwise in quotes.
    package static func quoted(_ text: String) -> String {
        isBare(text) ? text : "\"" + text.unicodeScalars.map(escaped).joined() + "\""
    }

    /// A name that other places mention.
    static func name(_ text: String) -> String { quoted(TextRule.cleaned(text)) }

    private static func isBare(_ text: String) -> Bool {
        guard let first = text.utf8.first, isLetter(first), !text.hasSuffix(" ") else { return false }
        let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]
        return !words.contains(text.lowercased())
            && text.utf8.allSatisfy {
                isLetter($0) || DecimalText.digit($0) != nil || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-")
            }
    }

    fileprivate static func isLetter(_ byte: UInt8) -> Bool {
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
            return "\\U" + String(scalar.value, radix: 16, uppercase: true).zeroPadded(to: 8)
        }
    }
}
