package import Files
internal import Languages
package import Scores

/// The user's settings file: `$XDG_CONFIG_HOME/barline/config.yaml`, with `key: value` on each line.
package struct SettingsFile: Sendable {
    /// The path of the file, which need not exist.
    package let path: String

    /// The contents of a settings file.
    package struct Contents: Sendable {
        /// The values that it sets, by the names of settings.
        package internal(set) var values: [String: Settings.Given] = [:]
        /// The problems in it, each with its place.
        package internal(set) var diagnostics: [Diagnostic] = []
        /// Where the file was moved because it was damaged; nil if it was not moved.
        package internal(set) var setAside: String?
        /// Whether the file is damaged: not UTF-8 text, not YAML, or not a set of keys.
        package var isDamaged = false

        /// Whether the file has errors, so that it may not set what its author meant.
        package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
    }

    /// The file for an environment; nil if it names no home folder.
    package init?(environment: [String: String]) {
        guard let folder = BaseFolder.config.path(environment: environment) else { return nil }
        path = folder + "/config.yaml"
    }

    /// Reads the file; empty if there is none. A damaged file (not UTF-8 text, not YAML, or not a set of keys) is moved
    /// aside; if that fails, it stays. The diagnostics say what is wrong with it. Errors: the file cannot be read.
    package func read() throws(FileError) -> Contents {
        let file = KeptFile(path)
        guard let bytes = try file.read() else { return Contents() }
        var contents = SettingsFile.contents(bytes, path: path)
        guard contents.isDamaged else { return contents }
        do throws(FileError) {
            // If another program has repaired it meanwhile, read it again.
            guard let aside = try file.setAside(where: SettingsFile.isDamaged) else { return try read() }
            contents.setAside = aside
            return contents
        } catch {
            return contents
        }
    }

    /// The contents of the file, without moving it if it is damaged; empty if it cannot be read.
    package func look() -> Contents {
        SettingsFile.contents((try? KeptFile(path).read()) ?? [], path: path)
    }

    /// The contents of a file with these bytes. A pure function.
    package static func contents(_ bytes: [UInt8], path: String) -> Contents {
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

    /// Whether a key stands in the file, of a setting or not.
    package func has(_ key: String) -> Bool {
        SettingsText((try? KeptFile(path).read()) ?? []).has(key)
    }

    private static func isDamaged(_ bytes: [UInt8]) -> Bool { YAMLPairs(bytes, file: "").isDamaged }

    /// What became of the file when it was changed.
    package struct Change: Equatable, Sendable {
        /// Where the file was moved because it was damaged; nil if it was not moved.
        package var setAside: String?
        /// Whether it had to be written anew, and had comments, which are lost.
        package var losesComments = false
    }

    /// Sets a setting and keeps everything else in the file: comments, order, other settings, mistakes. Comments are lost
    /// if the keys have no lines of their own.
    ///
    /// `text` must have been checked. Errors: the file cannot be read or written, or a key would be lost.
    @discardableResult
    package func set(_ setting: Setting, _ text: String) throws(FileError) -> Change {
        try edit { $0.setting(setting.name, to: text) }
    }

    /// Removes settings from the file, so that their defaults apply; keeps everything else, as `set` does.
    @discardableResult
    package func revert(_ names: [String]) throws(FileError) -> Change {
        try edit { names.reduce($0) { $0.removing($1) } }
    }

    private func edit(_ edit: (SettingsText) -> SettingsText) throws(FileError) -> Change {
        var (old, new) = (SettingsText([]), SettingsText([]))
        let aside = try KeptFile(path).change(damagedWhere: SettingsFile.isDamaged) { before in
            old = SettingsText(before ?? [])
            new = edit(old)
            return before == nil && new.bytes.isEmpty || !new.lostKeys.isEmpty ? nil : new.bytes
        }
        if let key = new.lostKeys.first {
            throw .cannotWrite(
                localized("its key \(TextError.quoted(key)) is not a single value and would be lost; edit the file"))
        }
        return Change(setAside: aside, losesComments: new.isAnew && old.hasComments)
    }
}
