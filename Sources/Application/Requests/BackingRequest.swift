internal import Files
internal import Languages
internal import Playback
internal import struct SystemPackage.Errno

/// Music under a rendering.
package struct BackingRequest: Sendable {
    /// Sound files and folders, one after the other.
    package var names: [String] = []

    package init() {}

    /// The sound files that were named, and those in the folders that were named, with their subfolders, in the natural
    /// order of their names: 2 before 10. Files in folders that libsndfile cannot play are left out, and a note names
    /// them, and the subfolders that cannot be read.
    ///
    /// Errors: a name does not exist or is a folder that cannot be read (66), or a folder has no sound file (65).
    func files() throws -> [String] {
        try names.flatMap { name in
            guard FileBytes.exists(name) || FileBytes.refusal(name) != nil else {
                throw Failure.exit(.noInput, localized("--over: '\(name)' does not exist"))
            }
            guard FileBytes.isDirectory(name) else { return [name] }
            let all: [String]
            do throws(Errno) { all = try BackingRequest.files(in: name) } catch {
                throw Failure.exit(.noInput, localized("'\(name)' cannot be read: \(error.reason)"))
            }
            let playable = all.filter(BackingRequest.isPlayable)
            guard !playable.isEmpty else {
                throw Failure.exit(.badData, localized("--over: '\(name)' has no sound file that can be played"))
            }
            let others = all.filter { !playable.contains($0) }.map { $0.dropFirst(name.count).drop { $0 == "/" } }
            if !others.isEmpty {
                let first = others.prefix(5).joined(separator: ", ")
                Failure.say(
                    others.count > 5
                        ? localized(
                            "note: '\(name)' has files that are not played: \(first) and \(others.count - 5) more")
                        : localized("note: '\(name)' has files that are not played: \(first)"))
            }
            return playable
        }
    }

    /// All visible files in a folder and its subfolders. Links to folders are not followed, as they may form a circle. Errors:
    /// the folder cannot be read; of a subfolder, a note says so.
    private static func files(in folder: String) throws(Errno) -> [String] {
        try FileBytes.names(in: folder).sorted(by: NaturalOrder.precedes).flatMap { name in
            let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
            guard FileBytes.isDirectory(path) else { return [path] }
            guard !FileIdentity.isLink(path) else { return [] }
            do throws(Errno) { return try files(in: path) } catch {
                Failure.say(localized("note: '\(path)' cannot be read: \(error.reason)"))
                return []
            }
        }
    }

    private static func isPlayable(_ path: String) -> Bool {
        guard FileBytes.isRegular(path) else { return false }
        do throws(RenderError) { _ = try SoundReader(path) } catch { return false }
        return true
    }

    /// The rate of a rendering for which the user has not chosen one: that of the first piece, so that it need not be
    /// converted, if the type of the file has that rate.
    static func rate(_ files: [String], _ format: SoundFormat, _ type: FileType?) throws(RenderError) -> Int? {
        guard let first = files.first else { return nil }
        var format = format
        format.rate = try SoundReader(first).rate
        guard (8000...192_000).contains(format.rate), type?.refusal(of: format) == nil else { return nil }
        return format.rate
    }
}

/// The order of names as people count: numbers in names by their value, letters without their case.
enum NaturalOrder {
    /// Whether a name comes before another.
    static func precedes(_ a: String, _ b: String) -> Bool {
        let (left, right) = (parts(a), parts(b))
        for (x, y) in zip(left, right) where x != y { return x < y }
        // Names that differ in case or zeros only have an order, too.
        return left.count == right.count ? a < b : left.count < right.count
    }

    private enum Part: Comparable {
        /// The digits of a number without the zeros before it: the longer number is the larger.
        case number(length: Int, digits: String)
        case text(String)
    }

    private static func parts(_ name: String) -> [Part] {
        var parts: [Part] = []
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let isNumber = isDigit(first)
            let run = rest.prefix { isDigit($0) == isNumber }
            let digits = String(run.drop { $0 == "0" })
            parts.append(isNumber ? .number(length: digits.count, digits: digits) : .text(String(run)))
            rest = rest[run.endIndex...]
        }
        return parts
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }
}
