package import Scores

/// What all layers say, and for each setting the value that counts: a pure value.
///
/// Options are stronger than the environment, that than the score's own, that than the user's file, that than defaults.
package struct Settings: Sendable {
    /// Who has a say, the strongest first.
    package enum Layer: Sendable, CaseIterable {
        /// Options of the command.
        case options
        /// Environment variables.
        case environment
        /// The score that is played.
        case score
        /// The user's file.
        case file
    }

    /// Where a value comes from.
    package enum Origin: Sendable, Equatable, CustomStringConvertible {
        /// An option, such as `--a4`.
        case option(String)
        /// An environment variable.
        case environment(String)
        /// The score.
        case score
        /// A line, from 1, of the user's file.
        case file(String, line: Int)
        /// Nobody has said anything.
        case standard

        /// Where to look for it: an option, a variable, `FILE:LINE`, or a word.
        package var description: String {
            switch self {
            case .option(let name), .environment(let name): name
            case .score: "score"
            case .file(let path, let line): "\(path):\(line)"
            case .standard: "default"
            }
        }
    }

    /// A value and where it comes from.
    package struct Given: Sendable, Equatable {
        /// The value as it was written.
        package var text: String
        /// Where from.
        package var origin: Origin

        /// Makes one.
        package init(_ text: String, _ origin: Origin) {
            self.text = text
            self.origin = origin
        }
    }

    private var layers: [Layer: [String: Given]] = [:]

    /// Defaults alone.
    package init() {}

    /// Lets a layer say something. Errors: it is no value of that setting; then nothing changes.
    package mutating func take(_ given: Given, for setting: Setting, in layer: Layer) throws(TextError) {
        try setting.check(given.text)
        layers[layer, default: [:]][setting.name] = given
    }

    /// The value that counts, and where it comes from.
    package func found(_ setting: Setting) -> Given {
        for layer in Layer.allCases {
            if let given = layers[layer]?[setting.name] { return given }
        }
        return Given(setting.standard, .standard)
    }

    /// The value that counts.
    package subscript<Value>(_ key: TypedSetting<Value>) -> Value { given(key) ?? key.standard }

    /// The value that somebody has said; nil where it is the default.
    package func given<Value>(_ key: TypedSetting<Value>) -> Value? {
        let found = found(key.setting)
        // Every layer was checked when it was taken.
        return found.origin == .standard ? nil : try? key.read(found.text)
    }

    /// The value that the user wants, in the environment or his file, where neither an option nor the score is stronger.
    package func wanted<Value>(_ key: TypedSetting<Value>) -> Value? {
        wantedText(key.setting) == nil ? nil : given(key)
    }

    /// That value as it was written.
    func wantedText(_ setting: Setting) -> String? {
        let found = found(setting)
        switch found.origin {
        case .environment, .file: return found.text
        case .option, .score, .standard: return nil
        }
    }

    /// Why a setting means nothing as the others are now: "drone is off"; nil where it does.
    package func idleness(of setting: Setting) -> String? {
        guard let need = setting.need, let other = try? Setting.named(need.name) else { return nil }
        let found = found(other)
        // Where nobody has said anything yet, a score or a plan may.
        if found.origin == .standard, need.isMetByPlans || other.preference != nil && layers[.score] == nil {
            return nil
        }
        return need.isMet(found.text) ? nil : need.words
    }

    /// Takes the variables of an environment; an empty one says nothing. Returns what is wrong with others, a sentence each.
    package mutating func take(environment: [String: String]) -> [String] {
        var faults: [String] = []
        for setting in Setting.all {
            guard let text = environment[setting.variable], !text.isEmpty else { continue }
            do throws(TextError) {
                try take(Given(text, .environment(setting.variable)), for: setting, in: .environment)
            } catch {
                faults.append("\(setting.variable): \(error)")
            }
        }
        return faults
    }

    /// Takes the preferences of a score: those that it states itself.
    package mutating func take(_ score: Score, preferences: Set<Score.Preference>) {
        var stated: [String: Given] = [:]
        for preference in preferences {
            if let text = preference.text(score) { stated[preference.name] = Given(text, .score) }
        }
        layers[.score] = stated
    }

    /// Takes what the user's file says, in place of what it said before.
    package mutating func take(_ file: SettingsFile.Contents) { layers[.file] = file.values }
}

extension Settings {
    /// Whether the environment says something of a setting, and no option is stronger.
    package func isInEnvironment(_ setting: Setting) -> Bool {
        if case .environment = found(setting).origin { true } else { false }
    }

    /// The path that a setting names.
    func path(_ key: TypedSetting<String>, home: String?) -> String {
        let path = self[key]
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        guard case .file(let file, _) = found(key.setting).origin, !path.hasPrefix("/"),
            let slash = file.lastIndex(of: "/")
        else { return path }
        return file[...slash] + path
    }
}
