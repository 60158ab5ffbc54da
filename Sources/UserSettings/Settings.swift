internal import Languages
internal import Running
package import Scores

/// The settings in all layers, and the effective value of each. A pure value.
///
/// Precedence, highest first: options, environment variables, the score, the user's file, defaults of plans, defaults.
package struct Settings: Sendable {
    /// The layers in which a setting can be set, highest precedence first.
    package enum Layer: Sendable, CaseIterable {
        /// Environment variables.
        case environment
        /// The score that is played.
        case score
        /// The user's file.
        case file
        /// The defaults of plans of intervals, where they differ from those of scores.
        case plan
    }

    /// The origin of a value.
    package enum Origin: Sendable, Equatable, CustomStringConvertible {
        /// An environment variable.
        case environment(String)
        /// The score.
        case score
        /// A line of the user's file, counted from 1.
        case file(String, line: Int)
        /// The default of plans of intervals.
        case plan
        /// The default, since no layer sets it.
        case standard

        /// The origin for people: a variable, `FILE:LINE`, `score` or `default`.
        package var description: String {
            switch self {
            case .environment(let name): name
            case .score: localized("score")
            case .file(let path, let line): "\(path):\(line)"
            case .plan: localized("plan")
            case .standard: localized("default")
            }
        }
    }

    /// A value and its origin.
    package struct Given: Sendable, Equatable {
        /// The value as it was written.
        package var text: String
        /// The origin of the value.
        package var origin: Origin

        /// Creates a value with its origin.
        package init(_ text: String, _ origin: Origin) {
            self.text = text
            self.origin = origin
        }
    }

    private var layers: [Layer: [String: Given]] = [:]
    private var options = OptionValues()

    /// Creates settings with defaults only.
    package init() {}

    /// Sets a value in a layer. Errors: the value is not valid for the setting; then nothing changes.
    package mutating func take(_ given: Given, for setting: Setting, in layer: Layer) throws(TextError) {
        try setting.check(given.text)
        layers[layer, default: [:]][setting.name] = given
    }

    /// The same settings under the options of a command.
    package func under(_ options: OptionValues) -> Settings {
        var settings = self
        settings.options = options
        return settings
    }

    /// The value that the highest layer sets; nil if none does.
    private func given(_ name: String) -> Given? { Layer.allCases.lazy.compactMap { layers[$0]?[name] }.first }

    /// The effective value of a setting and its origin, apart from options.
    package func found(_ setting: Setting) -> Given {
        given(setting.name) ?? Given(setting.standard, .standard)
    }

    /// The effective value of a setting.
    package subscript<Value>(_ key: TypedSetting<Value>) -> Value { given(key) ?? key.standard }

    /// The value that an option or some layer sets; nil if the default applies.
    package func given<Value>(_ key: TypedSetting<Value>) -> Value? {
        if let value = options[key] { return value }
        let found = found(key.setting)
        // Every layer was checked when it was taken.
        return found.origin == .standard ? nil : try? key.value(found.text)
    }

    /// The value that the user has set in the environment or the file; nil if the score's or the default applies.
    package func wanted<Value>(_ key: TypedSetting<Value>) -> Value? {
        wantedText(key.setting.name) == nil ? nil : given(key)
    }

    /// The value of the setting of this name that the user has set, as it was written.
    func wantedText(_ name: String) -> String? {
        guard let given = given(name), given.origin != .score, given.origin != .plan else { return nil }
        return given.text
    }

    /// Why a setting has no effect with the current values of others: "drone is off"; nil if it has an effect.
    package func idleness(of setting: Setting) -> String? {
        guard let need = setting.need, let other = try? Setting.named(need.name) else { return nil }
        let found = found(other)
        // While the other setting has its default, a score or a plan may still meet the need.
        if found.origin == .standard, need.isMetByPlans || other.preference != nil && layers[.score] == nil {
            return nil
        }
        return need.isMet(found.text) ? nil : need.words
    }

    /// Takes the variables of an environment, except empty ones. Returns a sentence for each that is not valid.
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

    /// Takes the preferences that a score states itself.
    package mutating func take(_ score: Score, preferences: Set<Score.Preference>) {
        var stated: [String: Given] = [:]
        for preference in preferences {
            if let text = preference.text(score) { stated[preference.name] = Given(text, .score) }
        }
        layers[.score] = stated
    }

    /// What plans have by default: a count-in, a countdown to each interval, signals and a voice.
    private static let ofPlans: [String: String] = [
        Setting.countIn.setting.name: "\(Plan.standardCountIn.components.seconds)",
        Setting.countdown.setting.name: "3", Setting.countdownTo.setting.name: "bars",
        Setting.halfTime.setting.name: "on", Setting.minuteLeft.setting.name: "on",
        Setting.endSignal.setting.name: "on", Setting.speak.setting.name: "cues,finish",
    ]

    /// Makes them those of a plan: takes its defaults, and leaves out a count-in of bars or beats, which a plan does not have.
    package mutating func becomeThoseOfPlan() {
        layers[.plan] = Settings.ofPlans.mapValues { Given($0, .plan) }
        let name = Setting.countIn.setting.name
        for layer in [Layer.environment, .file] {
            let text = layers[layer]?[name]?.text
            if let lead = text.flatMap({ try? Setting.countIn.value($0) }), !lead.isOfTime {
                layers[layer]?[name] = nil
            }
        }
    }

    /// Takes the contents of the user's file, in place of earlier ones.
    package mutating func take(_ file: SettingsFile.Contents) { layers[.file] = file.values }
}

extension Settings {
    /// Whether the effective value of a setting comes from the environment.
    package func isInEnvironment(_ setting: Setting) -> Bool {
        if case .environment = found(setting).origin { true } else { false }
    }

    /// Whether the score states a value itself, whatever the effective one is.
    package func isStatedByScore(_ setting: Setting) -> Bool { layers[.score]?[setting.name] != nil }

    /// The path in a setting, resolved as described at `scalaFiles`.
    func path(_ key: TypedSetting<String>, home: String?) -> String {
        let path = self[key]
        if path.hasPrefix("~/"), let home { return home + path.dropFirst() }
        guard case .file(let file, _) = found(key.setting).origin, !path.hasPrefix("/"),
            let slash = file.lastIndex(of: "/")
        else { return path }
        return file[...slash] + path
    }
}
