/// Writes a score as YAML that reads back as the same score.
struct YAMLWriter {
    private var out = ""
    /// The settings that the score states itself: they are written even where they equal the defaults.
    private let stated: Set<Score.Preference>
    /// The tempo before the voices; nil if each voice has its own, or none.
    private let tempo: Tempo?
    /// The number of bars that may still be written with multipliers.
    private var multiplied = Score.multipliedBarLimit
    /// The rate of timecodes that are written without one.
    private var rate: Timecode.Rate?

    private init(_ score: Score, _ stated: Set<Score.Preference>) {
        (rate, self.stated) = (score.timecode?.rate, stated)
        tempo = score.companions.allSatisfy { $0.music.writtenTempo != nil } ? score.writtenTempo : nil
    }

    /// The text of a score that states these settings.
    static func text(_ score: Score, stating stated: Set<Score.Preference>) -> String {
        var writer = YAMLWriter(score, stated)
        writer.head(score)
        writer.page(score)
        return writer.out
    }

    // MARK: - The whole

    private mutating func head(_ score: Score) {
        var head = YAMLMap()
        for key in YAMLScore.Key.allCases { head.add(key.rawValue, text: text(key, score)) }
        if score.isEndless { head.add("repeat", text: "forever") }
        head.add("order", text: score.order.map(YAMLText.name))
        out += head.lines(first: "")
        if !score.orders.isEmpty { out += "orders:\n" }
        for order in score.orders {
            let sections = order.sections.map(YAMLText.name).joined(separator: ", ")
            out += "  \(YAMLText.name(order.name)): [\(sections)]\n"
        }
    }

    /// What is written for a key of the head; nil for none, and for keys that come after the head.
    private func text(_ key: YAMLScore.Key, _ score: Score) -> String? {
        let (tuning, hasParts) = (score.tuning, has(.subdivide, score.subdivision != 1))
        let hasScale = has(.tuning, tuning.scale != .temperament(.equal))
        switch (key, tuning.scale) {
        case (.tuning, .temperament(let temperament)): return hasScale ? temperament.rawValue : nil
        case (.tuning, .scala(let scale, _)): return scale.file.map(YAMLText.quoted)
        case (.keyboardMap, .scala(_, let map)): return map.file.map(YAMLText.quoted)
        // A tuning without a tonic has C.
        case (.tonic, _):
            let isWritten = tuning.tonic != 0 || !hasScale && stated.contains(.tonic)
            return isWritten ? Score.text(tonic: tuning.tonic) : nil
        case (.drone, _): return score.drone.map(drone) ?? (stated.contains(.drone) ? "off" : nil)
        case (.tempo, _): return tempo?.text
        // Parts of beats also tell whether the beats are on.
        case (.beats, _):
            let isWritten = score.beats != (score.subdivision != 1) || !hasParts && stated.contains(.beats)
            return isWritten ? score.beats ? "on" : "off" : nil
        case (.realize, _): return score.realization?.description
        default:
            guard let property = Score.properties.first(where: { $0.key == key.rawValue }),
                let text = property.text(score)
            else { return nil }
            return has(Score.Preference(property.key), text != property.text(Score(sections: []))) ? text : nil
        }
    }

    /// Whether a setting is written: the score states it, or it is not the default.
    private func has(_ preference: Score.Preference, _ differs: Bool) -> Bool { differs || stated.contains(preference) }

    private mutating func page(_ score: Score) {
        if !score.fragments.isEmpty {
            out += "fragments:\n"
            for fragment in score.fragments {
                out += "  \(YAMLText.name(fragment.name)):\n"
                content(fragment.parts, indent: 4)
            }
        }
        if score.voice != Score.VoiceMark() || !score.companions.isEmpty {
            out += "voices:\n"
            var names: [String] = []
            voice(score.voice, score, in: score, &names)
            for companion in score.companions.prefix(Score.voiceLimit - 1) {
                voice(companion.voice, companion.music, in: score, &names)
            }
        } else if !score.brackets.isEmpty {
            out += "brackets:\n"
            for bracket in score.brackets { out += "  - \(Self.bracket(bracket))\n" }
        } else {
            sections(score, indent: 0)
        }
    }

    /// Writes a voice. One without a name, or with that of another voice, gets its number for a name.
    private mutating func voice(
        _ mark: Score.VoiceMark, _ music: Score, in score: Score, _ names: inout [String]
    ) {
        var name = TextRule.cleaned(mark.name).replacing(",", with: " ")
        while name.isEmpty || names.contains(name) { name += "\(names.count + 1)" }
        names.append(name)
        var fields = YAMLMap()
        fields.add("channel", text: mark.channel?.description)
        if mark.click != BarClick() { fields.add("click", text: YAMLBarText.click(mark.click)) }
        if music.writtenTempo != tempo { fields.add("tempo", text: music.writtenTempo?.text) }
        if music.firstBar != score.firstBar { fields.add("first-bar", text: "\(music.firstBar)") }
        if music.pickup != score.pickup { fields.add("pickup", text: "\(music.pickup)") }
        out += "  \(YAMLText.quoted(name)):\n" + fields.lines(first: "    ")
        sections(music, indent: 4)
    }

    private mutating func sections(_ score: Score, indent: Int) {
        if score.sections.count == 1, let only = score.sections.first, only.label.isEmpty, only.tempo == nil {
            content(only.parts, indent: indent)
        } else {
            out += String(repeating: " ", count: indent) + "sections:\n"
            for section in score.sections {
                var fields = YAMLMap()
                fields.add("label", section.label)
                fields.add("tempo", text: section.tempo?.text)
                let dash = String(repeating: " ", count: indent + 2) + "- "
                let lines = fields.lines(first: dash)
                out += lines
                // A section always has parts, so there is always a key to put the dash before.
                content(section.parts, indent: indent + 4, first: lines.isEmpty ? dash : nil)
            }
        }
    }

    private func drone(_ drone: Score.Drone) -> String {
        let notes = YAMLText.notes(drone.notes)
        let standard = Score.Drone()
        let properties = Score.Drone.properties.filter { property in
            let differs = property.text(drone) != property.text(standard)
            return property.setting.map { has(Score.Preference($0), differs) } ?? differs
        }
        guard !properties.isEmpty else { return notes.text }
        var map = YAMLMap()
        map.add(notes.key, text: notes.text)
        for property in properties { map.add(property.key, text: property.text(drone)) }
        return map.text
    }

    private static func bracket(_ bracket: Bracket) -> String {
        var map = YAMLMap()
        map.add("player", bracket.player)
        map.add("label", bracket.label)
        map.add("start", text: WindowText.text(bracket.start))
        map.add("end", text: WindowText.text(bracket.end))
        map.add("cue", bracket.cue)
        return map.text
    }

    // MARK: - Parts

    /// Writes 'bars' for a single plain line, 'lines' for anything else.
    private mutating func content(_ parts: [Score.Part], indent: Int, first: String? = nil) {
        let spaces = String(repeating: " ", count: indent)
        var first = first ?? spaces
        if parts.count == 1, case .line(let line) = parts[0], line.label.isEmpty, line.tempo == nil {
            if line.passes != 1 {
                out += "\(first)repeat: \(line.passes)\n"
                first = spaces
            }
            out += "\(first)bars:"
            bars(line.bars, indent: indent + 2)
        } else {
            out += "\(first)lines:\n"
            for part in parts { self.part(part, indent: indent + 2) }
        }
    }

    private mutating func part(_ part: Score.Part, indent: Int) {
        let spaces = String(repeating: " ", count: indent)
        var item = YAMLMap()
        switch part {
        case .line(let line):
            item.add("label", line.label)
            if line.passes != 1 { item.add("repeat", text: "\(line.passes)") }
            item.add("tempo", text: line.tempo?.text)
            let lines = item.lines(first: "\(spaces)- ")
            if lines.isEmpty, let flow = flow(line.bars, width: 100 - indent) {
                out += "\(spaces)- \(flow)\n"
            } else {
                out += lines + spaces + (lines.isEmpty ? "- bars:" : "  bars:")
                bars(line.bars, indent: indent + 4)
            }
        case .group(let group):
            item.add("label", group.label)
            // Written even for one pass, which is the default: the item needs a key after its dash.
            item.add("repeat", text: "\(group.passes)")
            out += item.lines(first: "\(spaces)- ") + "\(spaces)  lines:\n"
            for part in group.parts { self.part(part, indent: indent + 4) }
            let all = 1...max(group.passes, 1)
            let endings = group.endings.filter { $0.passes.contains(where: all.overlaps) }
            guard !endings.isEmpty else { return }
            out += "\(spaces)  endings:\n"
            for ending in endings {
                let passes = ending.passes.filter(all.overlaps).map { $0.clamped(to: all) }
                out += "\(spaces)    - passes: \(RangeText.text(passes))\n"
                content(ending.parts, indent: indent + 6)
            }
        case .use(let use):
            item.add("use", use.fragment)
            item.add("label", use.label)
            if use.passes != 1 { item.add("repeat", text: "\(use.passes)") }
            out += item.lines(first: "\(spaces)- ")
        }
    }

    // MARK: - Bars

    /// Writes bars after a key: in brackets if they fit on a line or two, otherwise one below the other.
    private mutating func bars(_ bars: [Score.Bar], indent: Int) {
        if let flow = flow(bars, width: 100 - indent) {
            out += " \(flow)\n"
            return
        }
        out += "\n"
        let spaces = String(repeating: " ", count: indent)
        guard bars.allSatisfy({ Self.simple($0) != nil }) else {
            for item in items(bars) { out += "\(spaces)- \(item)\n" }
            return
        }
        // A long table: as many bars per line as fit.
        var line = "\(spaces)["
        for item in items(bars) {
            if line.utf8.count + item.utf8.count > 110 {
                out += line + "\n"
                line = spaces + " "
            }
            line += item + ", "
        }
        out += line.dropLast(2) + "]\n"
    }

    /// The bars in brackets, as in `[3, 2.7, 4/4 x 3]`; nil if that is too long.
    private mutating func flow(_ bars: [Score.Bar], width: Int) -> String? {
        guard bars.count <= 200 else { return nil }
        let before = multiplied
        let flow = "[" + items(bars).joined(separator: ", ") + "]"
        guard flow.utf8.count <= width else {
            multiplied = before
            return nil
        }
        return flow
    }

    /// The bars as items; runs of equal bars are combined.
    private mutating func items(_ bars: [Score.Bar]) -> [String] {
        var items: [String] = []
        var i = 0
        while i < bars.count {
            let bar = bars[i]
            guard let simple = Self.simple(bar) else {
                // Bars that continue as plain ones are easier to read as such: {meter: 4/4, label: A}, 4/4 x 7.
                let isSimple = Self.simple(bar.continued) != nil
                let (text, count) = YAMLBarText.item(bars, from: i, limit: isSimple ? 1 : max(multiplied, 1), rate)
                items.append(text)
                if count > 1 { multiplied -= count }
                i += count
                continue
            }
            var end = i + 1
            while end < bars.count, bars[end].duration == bar.duration, bars[end] == bar { end += 1 }
            // A few equal bars of seconds are easier to read one by one.
            if end - i >= (bar.meter == nil ? 5 : 2), multiplied >= end - i {
                multiplied -= end - i
                items.append("\(simple) x \(end - i)")
            } else {
                items += repeatElement(simple, count: end - i)
            }
            i = end
        }
        return items
    }

    /// The text of a bar that is only a duration or a meter; nil for other bars.
    private static func simple(_ bar: Score.Bar) -> String? {
        guard bar.label.isEmpty else { return nil }
        if bar.isPlain { return YAMLText.duration(bar.duration) }
        guard let meter = bar.meter, bar == Score.Bar(meter) else { return nil }
        return meter.text
    }
}

extension Score {
    /// The score as YAML. A score that was read reads back as the same score.
    ///
    /// Of values that no text can give, these are replaced: texts get blanks for line ends and control characters, and end
    /// after 200 characters; a count-in or warning lasts at most 60 s; voices without a name have numbers. Others, such as
    /// a bar of two days, are written as they are, and refused when they are read. What a plan gives the voice to say is not
    /// in it: its remarks, and the announcements of its intervals.
    public var yaml: String { yaml(stating: []) }

    /// The same for a score that states these settings itself, even where they equal the defaults.
    package func yaml(stating stated: Set<Preference>) -> String { YAMLWriter.text(self, stating: stated) }
}
