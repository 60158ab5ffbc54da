internal import Languages

/// The keys of a bar, in the order in which a file has them.
///
/// A new property of a bar has a row in each of these lists. As they have no `default`, it cannot be forgotten when a bar is
/// read, written or multiplied. What it needs beside it, or excludes, is checked here, too.
enum YAMLBarKey: String, CaseIterable {
    case duration, meter, times, number, label, tempo, ramp, beats, subdivide, grid, hold, hit, speed
    case goTo = "go-to"
    case click, warning, cue, say, send, drone, flash

    /// Writes what a bar has for this key, if anything. Timecodes at `rate` are written without one.
    func write(_ bar: Score.Bar, times: Int, _ rate: Timecode.Rate?, to map: inout YAMLMap) {
        let details = bar.details
        let changes = details.tempoChanges
        let text: String? =
            switch self {
            case .duration: details.meter == nil ? YAMLText.duration(bar.duration) : nil
            case .meter: details.meter?.text
            case .times: times > 1 ? "\(times)" : nil
            case .number: details.number.map { $0.isWhole ? "\($0)" : YAMLText.quoted("\($0)") }
            case .label: YAMLText.author(bar.label)
            case .tempo:
                YAMLBarText.list(
                    (details.tempo.map { [$0.text] } ?? []) + changes.compactMap(YAMLBarText.tempo))
            case .ramp:
                YAMLBarText.list(
                    (details.ramp.map { [YAMLBarText.ramp($0, at: .one)] } ?? [])
                        + changes.compactMap { change in change.ramp.map { YAMLBarText.ramp($0, at: change.beat) } })
            case .beats: details.beats.map(YAMLBarText.beats)
            case .subdivide: details.subdivision?.description
            case .grid: details.grid?.text
            case .hold: YAMLBarText.list(details.holds.map(YAMLBarText.hold))
            case .hit: YAMLBarText.list(details.hits.map { YAMLBarText.hit($0, rate) })
            case .speed: details.speed?.description
            case .goTo: details.jump.map(YAMLBarText.jump)
            case .click: details.click.map(YAMLBarText.click)
            case .warning: details.warning?.text
            case .cue: YAMLText.author(details.cue)
            case .say: YAMLText.author(details.say)
            case .send: YAMLBarText.list(details.sends.map(YAMLBarText.send))
            case .drone: details.drone.map(YAMLBarText.drone)
            case .flash: details.flash?.text
            }
        map.add(rawValue, text: text)
    }

    /// Copies what belongs to every bar of several that are written as one. Texts, and changes that hold from their bar on,
    /// belong to the first bar only.
    func multiply(_ first: Score.Details, to next: inout Score.Details) {
        switch self {
        case .meter: next.meter = first.meter
        case .beats: next.beats = first.beats
        case .subdivide: next.subdivision = first.subdivision
        case .grid: next.grid = first.grid
        case .hold: next.holds = first.holds
        case .speed: next.speed = first.speed
        case .click: next.click = first.click
        case .flash: next.flash = first.flash
        case .duration, .times, .number, .label, .tempo, .ramp, .hit, .goTo, .warning, .cue, .say, .send, .drone: break
        }
    }
}

extension YAMLScore {
    /// Reads a key that depends on no other; `described` reads the others.
    mutating func read(_ key: YAMLBarKey, _ id: YAMLTree.ID, _ details: inout Score.Details) {
        switch key {
        case .number: details.number = value(id, localized("a number"), BarNumber.init(scoreText:))
        case .subdivide: details.subdivision = value(id, "'subdivide'", Beat.parts(scoreText:))
        case .grid: details.grid = value(id, localized("the grid"), Grid.init(scoreText:))
        case .hold: details.holds = holds(id)
        case .hit: details.hits = hits(id)
        case .speed: details.speed = value(id, localized("the speed"), Speed.init(scoreText:))
        case .goTo: details.jump = jump(id)
        case .click: details.click = click(id)
        case .warning:
            details.warning = value(id, localized("a warning")) { text throws(TextError) in
                try Score.Lead(scoreText: text, localized("a warning"))
            }
        case .cue: details.cue = text(id, localized("a cue"))
        case .say: details.say = text(id, localized("a spoken cue"))
        case .send: details.sends = sends(id)
        case .drone: details.drone = droneChange(id)
        case .flash: details.flash = value(id, localized("a color"), Color.init(scoreText:))
        case .duration, .meter, .times, .label, .tempo, .ramp, .beats: break
        }
    }

    /// Reports keys for clicks that exclude each other, or that have no effect without others.
    mutating func checkClicks(_ bar: Score.Bar, _ fields: YAMLFields<YAMLBarKey>) {
        let details = bar.details
        if let beats = fields[.beats], bar.meter == nil, details.beats?.isEmpty == true {
            error(
                beats, localized("a bar of seconds has no beats of its own"),
                hint: localized("write a letter for each, such as Xxx, or grid: 3 parts"))
        }
        if let grid = fields[.grid], let own = details.grid, own != .off {
            if fields[.beats] != nil {
                error(grid, localized("a bar has 'beats' or 'grid', not both"))
            } else if fields[.subdivide] != nil {
                error(grid, localized("'subdivide' divides beats, and 'grid' takes their place: use one of them"))
            }
        }
        if let subdivide = fields[.subdivide], bar.meter == nil, details.beats == nil {
            error(
                subdivide, localized("'subdivide' divides beats, which this bar of seconds does not have"),
                hint: localized("write beats: Xxx or grid: 4 parts"))
        }
    }
}
