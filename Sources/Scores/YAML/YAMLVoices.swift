internal import Languages

// Voices that sound at the same time.
extension YAMLScore {
    private enum VoiceKey: String, CaseIterable {
        case channel, click, tempo
        case firstBar = "first-bar"
        case pickup, sections, lines, bars, `repeat`
    }

    /// Reads voices into a score that has everything else that stands before its bars. The first voice leads.
    mutating func voices(_ id: YAMLTree.ID, _ score: inout Score) {
        let example = "{flute: {channel: 1, bars: [3, 2.7]}, harp: {channel: 2, bars: [4/4 x 2]}}"
        guard isMap(id, "'voices'", example: example) else { return }
        let (shared, placesOfFragments) = (score, places)
        var voices: [(mark: Score.VoiceMark, music: Score, places: YAMLPlaces)] = []
        for (key, value) in tree.pairs(id) {
            guard isWithinLimit, let name = label(key, localized("a voice's name")) else { continue }
            if voices.contains(where: { $0.mark.name == name }) {
                error(key, localized("there is already a voice \(TextError.quoted(name))"))
            } else if name.isEmpty || name.contains(",") {
                error(key, localized("a voice needs a name without commas"))
            } else if voices.count == Score.voiceLimit {
                error(key, localized("a score has at most \(Score.voiceLimit) voices"))
                break
            } else if isMap(value, localized("a voice"), example: "{channel: 1, bars: [3, 2.7]}") {
                places = placesOfFragments
                // The total is that of all voices together.
                if !voices.isEmpty { places.total = nil }
                var mark = Score.VoiceMark(name)
                let music = voice(value, like: shared, &mark)
                voices.append((mark, music, places))
            }
        }
        guard let lead = voices.first else {
            if tree.childCount(id) == 0 {
                error(id, localized("'voices' has no voice"), hint: localized("for example \(example)"))
            }
            return
        }
        (score, score.voice, places) = (lead.music, lead.mark, lead.places)
        let others = voices.dropFirst()
        score.companions = others.map { Score.Companion($0.mark, $0.music) }
        placesOfCompanions = others.map(\.places)
    }

    private mutating func voice(_ id: YAMLTree.ID, like shared: Score, _ mark: inout Score.VoiceMark) -> Score {
        let fields = fields(of: id, VoiceKey.self, in: localized("a voice"))
        var music = shared
        mark.channel = whole(fields[.channel], localized("a channel"), Score.VoiceMark.channelRange)
        mark.click = fields[.click].flatMap { click($0) } ?? BarClick()
        readProperties(fields, &music)
        guard let list = fields[.sections] else {
            container = .section(0)
            music.sections = [Score.Section(parts: content(fields, of: id, .voice))]
            return music
        }
        music.sections = sections(list)
        for key in [VoiceKey.lines, .bars, .repeat] {
            guard let wrong = fields[key] else { continue }
            error(wrong, localized("a voice has 'sections' or '\(key.rawValue)', not both"))
        }
        return music
    }
}
