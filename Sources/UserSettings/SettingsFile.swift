package import Files
package import Scores

/// The user's file of settings: `$XDG_CONFIG_HOME/barline/config.yaml`, `key: value` a line.
package struct SettingsFile: Sendable {
    /// Where it is; it need not exist.
    package let path: String

    /// What a file says.
    package struct Contents: Sendable {
        /// What it sets, by the names of settings.
        package internal(set) var values: [String: Settings.Given] = [:]
        /// What is wrong with it, each with its place.
        package internal(set) var diagnostics: [Diagnostic] = []
        /// Where it was moved because it was no settings file at all; nil where it is still in its place.
        package internal(set) var setAside: String?
        /// Whether it is no settings file at all.
        var isDamaged = false

        /// Whether what it sets is what its author meant.
        package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// The file of an environment; nil without a home.
    package init?(environment: [String: String]) {
        guard let folder = BaseFolder.config.path(environment: environment) else { return nil }
        path = folder + "/config.yaml"
    }

    /// Reads the file; nothing where there is none. One that is damaged, no text or no YAML, is moved aside; where it cannot
    /// be, it stays, with what is wrong with it in the contents.
    ///
    /// Errors: it cannot be read.
    package func read() throws(FileError) -> Contents {
        let file = KeptFile(path)
        guard let bytes = try file.read() else { return Contents() }
        var contents = SettingsFile.contents(bytes, path: path)
        guard contents.isDamaged else { return contents }
        do throws(FileError) {
            // Another program may have mended it meanwhile.
            guard let aside = try file.setAside(where: SettingsFile.isDamaged) else { return try read() }
            contents.setAside = aside
            return contents
        } catch {
            return contents
        }
    }

    /// What the file says, whatever is wrong with it; nothing is moved.
    package func look() -> Contents {
        SettingsFile.contents((try? KeptFile(path).read()) ?? [], path: path)
    }

    /// What the bytes of a file say: a pure function.
    static func contents(_ bytes: [UInt8], path: String) -> Contents {
        var pairs = YAMLPairs(bytes, file: path)
        var contents = Contents()
        contents.isDamaged = pairs.isDamaged
        for pair in pairs.pairs where !pair.isRepeated {
            let setting: Setting
            do throws(TextError) { setting = try Setting.named(pair.key) } catch {
                pairs.error(at: pair.keyRange, error)
                continue
            }
            guard let text = pair.value else { continue }
            do throws(TextError) { try setting.check(text) } catch {
                pairs.error(at: pair.valueRange, error)
                continue
            }
            contents.values[setting.name] = Settings.Given(text, .file(path, line: pair.line))
        }
        contents.diagnostics = pairs.diagnostics
        return contents
    }

    private static func isDamaged(_ bytes: [UInt8]) -> Bool { YAMLPairs(bytes, file: "").isDamaged }

    /// Sets a setting, and keeps everything else in the file as it is: comments, order, other settings, mistakes.
    ///
    /// Returns where the file was moved if it was damaged. Errors: it cannot be read or written; `text` is checked before.
    @discardableResult
    package func set(_ setting: Setting, _ text: String) throws(FileError) -> String? {
        try edit { $0.setting(setting.name, to: text) }
    }

    /// Takes settings out of the file, so that their defaults count; keeps everything else as it is.
    ///
    /// Returns where the file was moved if it was damaged. Errors: it cannot be read or written.
    @discardableResult
    package func revert(_ names: [String]) throws(FileError) -> String? {
        try edit { names.reduce($0) { $0.removing($1) } }
    }

    private func edit(_ edit: (SettingsText) -> SettingsText) throws(FileError) -> String? {
        try KeptFile(path).change(damagedWhere: SettingsFile.isDamaged) { before in
            let after = edit(SettingsText(before ?? []))
            return before == nil && after.bytes.isEmpty ? nil : after.bytes
        }
    }
}
