internal import Languages
package import Scores

/// Which button of a MIDI device does what while music plays: the standard ones, and the user's. No button has two actions.
package struct MIDIBindings: Sendable, Equatable {
    /// An action, with the line that it would ask for; empty for an action that asks for none.
    package struct Meaning: Sendable, Hashable {
        package var action: KeyAction
        package var text: String

        package init(_ action: KeyAction, _ text: String = "") { (self.action, self.text) = (action, text) }
    }

    /// The actions that the user has listed, with their signals, in the order of the list.
    private var listed: [(meaning: Meaning, signals: [MIDISignal])] = []
    private var meanings: [MIDISignal: Meaning] = [:]

    /// Start, stop and continue of a sequencer or a drum machine.
    package static let standard = MIDIBindings([])
    private static let standardSignals: [(Meaning, [MIDISignal])] = [
        (Meaning(.begin), [MIDISignal(.start)]), (Meaning(.halt), [MIDISignal(.stop)]),
        (Meaning(.play), [MIDISignal(.resume)]),
    ]

    package static func == (a: MIDIBindings, b: MIDIBindings) -> Bool { a.meanings == b.meanings && a.text == b.text }

    private init(_ listed: [(meaning: Meaning, signals: [MIDISignal])]) {
        self.listed = listed
        for (meaning, signals) in listed + MIDIBindings.rest(listed) {
            for signal in signals { meanings[signal] = meaning }
        }
    }

    /// The standard signals of the actions that a list leaves alone.
    private static func rest(
        _ listed: [(meaning: Meaning, signals: [MIDISignal])]
    ) -> [(meaning: Meaning, signals: [MIDISignal])] {
        standardSignals.filter { entry in !listed.contains { $0.meaning == entry.0 } }.map { ($0.0, $0.1) }
    }

    /// What a message of this kind, number and channel does; nil if it does nothing.
    package func meaning(of signal: MIDISignal) -> Meaning? {
        meanings[signal] ?? meanings[MIDISignal(signal.kind, signal.number)]
    }

    /// The signals of an action, whatever its text.
    package func signals(of action: KeyAction) -> [MIDISignal] {
        (listed + MIDIBindings.rest(listed)).filter { $0.meaning.action == action }.flatMap(\.signals)
    }

    /// The list as the settings have it.
    package var text: String {
        let entries = listed.map { meaning, signals in
            let words = signals.isEmpty ? ["none"] : signals.map(\.text)
            return ([meaning.action.rawValue, meaning.text].filter { !$0.isEmpty } + words).joined(separator: " ")
        }
        return entries.isEmpty ? "standard" : entries.joined(separator: ", ")
    }

    /// The same list, in which a signal has this meaning, beside the others of that action, and no other meaning.
    package func learning(_ signal: MIDISignal, _ meaning: Meaning) -> MIDIBindings {
        var changed = listed.map { entry in (entry.meaning, entry.signals.filter { $0 != signal }) }
        for (standard, signals) in MIDIBindings.rest(listed) where signals.contains(signal) || standard == meaning {
            changed.append((standard, signals.filter { $0 != signal }))
        }
        if let place = changed.firstIndex(where: { $0.0 == meaning }) {
            changed[place].1.append(signal)
        } else {
            changed.append((meaning, [signal]))
        }
        // An action whose only signal has been taken away is listed only if it had a standard one.
        return MIDIBindings(
            changed.filter { entry in
                !entry.1.isEmpty || MIDIBindings.standardSignals.contains { $0.0 == entry.0 }
            })
    }

    /// Reads a list of actions with their signals, such as `pause note 60, go-to 5.7 ch 10 note 37, tap clock`.
    ///
    /// Errors: an action or a signal that does not exist; an action that is listed twice; a signal with two actions.
    package init(text: String) throws(TextError) {
        let text = text.trimmingBlanks
        guard !text.isEmpty else {
            throw TextError(
                localized("a value is missing"), hint: localized("for example pause note 60, next-bar control 64"))
        }
        guard text.lowercased() != "standard" else {
            self = .standard
            return
        }
        var listed: [(meaning: Meaning, signals: [MIDISignal])] = []
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let (meaning, signals) = try MIDIBindings.entry(entry.split(separator: " ").map(String.init)[...])
            guard !listed.contains(where: { $0.meaning == meaning }) else {
                throw TextError(localized("the action '\(meaning.action.rawValue)' is listed twice"))
            }
            listed.append((meaning, signals))
        }
        var owners: [MIDISignal: KeyAction] = [:]
        for (meaning, signals) in listed + MIDIBindings.rest(listed) {
            for signal in signals {
                if let other = owners[signal] {
                    let (one, two) = (other.rawValue, meaning.action.rawValue)
                    throw TextError(
                        localized("'\(signal.text)' has two actions: \(one) and \(two)"),
                        hint: localized("write '\(two) none' if that is meant"))
                }
                owners[signal] = meaning.action
            }
        }
        self.init(listed)
    }

    private static func entry(_ words: ArraySlice<String>) throws(TextError) -> (Meaning, [MIDISignal]) {
        guard let name = words.first else {
            throw TextError(localized("an action is missing before or after a comma"))
        }
        let action = try KeyAction(settingsName: name)
        var (rest, signals) = (words.dropFirst(), [MIDISignal]())
        if rest.last?.lowercased() == "none", rest.count == 1 { return (Meaning(action), []) }
        while let signal = try MIDISignal.takeLast(of: &rest) {
            if !signals.contains(signal) { signals.insert(signal, at: 0) }
        }
        let text = rest.joined(separator: " ")
        guard !signals.isEmpty else {
            throw TextError(
                localized("the action '\(name)' has no message of MIDI"),
                hint: localized(
                    "write for example '\(name) note 60', control 64, program 1, start, stop, continue or clock"))
        }
        guard action.asks != text.isEmpty else {
            throw TextError(
                action.asks
                    ? localized("the action '\(name)' needs what it would ask for, such as go-to 5.7 note 60")
                    : localized("\(TextError.shown(text)) is not a message of MIDI"),
                hint: action.asks
                    ? nil : localized("write for example note 60, ch 10 control 64, program 1, start or clock"))
        }
        return (Meaning(action, text), signals)
    }
}
