internal import Files
internal import Languages

/// Writes the files that the user names.
package enum OutputFile {
    /// Writes a file as a whole, or to standard output if the path is `-`; an error ends the command.
    package static func write(_ bytes: [UInt8], to path: String) throws {
        guard path != "-" else { return try StandardOutput.print(bytes) }
        try Failure.exitOnError(.cannotWrite, "'\(path)' ") { try TextFile.replace(path, bytes) }
    }

    /// The same with a text; nothing if there is no path.
    package static func write(_ text: @autoclosure () -> String, to path: String?) throws {
        if let path { try write(Array(text().utf8), to: path) }
    }

    /// Writes several files, either all or none; one may be standard output.
    static func write(_ files: [(path: String, bytes: [UInt8])]) throws {
        try NewFile.writeAll(
            files.filter { $0.path != "-" }[...], at: \.path,
            failure: { Failure.exit(.cannotWrite, "'\($1.path)' \($0)") as any Error }
        ) { file, descriptor in
            try Failure.exitOnError(.cannotWrite, "'\(file.path)' ") {
                try TextFile.writeAll(file.bytes, to: descriptor)
            }
        }
        for file in files where file.path == "-" { try StandardOutput.print(file.bytes) }
    }

    /// Refuses, for this reason, to write a file that the command reads. An error ends the command.
    static func refuse(_ path: String?, as inputs: [String?], reason: (String) -> String) throws {
        guard let path, inputs.contains(where: { isSame(path, as: $0) }) else { return }
        throw Failure.exit(.cannotWrite, reason(path))
    }

    /// Refuses to write a file that the command reads, or one file twice. A path that is nil or `-` is no file. An error ends
    /// the command.
    static func check(_ written: [String?], read: [String?]) throws {
        let paths = written.compactMap(\.self).filter { $0 != "-" }
        for (number, path) in paths.enumerated() {
            try refuse(path, as: read) { localized("'\($0)' is what is read: give what is written another name") }
            guard paths[..<number].contains(where: { isOne($0, path) }) else { continue }
            throw Failure.exit(
                .cannotWrite, localized("'\(path)' would be written twice: give each file a name of its own"))
        }
    }

    /// Whether two paths lead to one regular file, also to one that is still to be made.
    static func isOne(_ path: String, _ other: String) -> Bool {
        if FileIdentity(path) != nil || FileIdentity(other) != nil { return isSame(path, as: other) }
        return place(path) == place(other)
    }

    /// Where a file will be made.
    private static func place(_ path: String) -> String {
        let target = (try? NewFile.target(path)) ?? path
        let folder = FileBytes.folder(of: target)
        return (FileBytes.realPath(folder) ?? folder) + "/" + FileKind.name(of: target)
    }

    /// Whether a path leads to the regular file that a command reads, so that writing it would destroy its input.
    static func isSame(_ path: String, as input: String?) -> Bool {
        guard let input, let file = FileIdentity(input) else { return false }
        return file.isRegular && file == FileIdentity(path)
    }

    /// Refuses a name for `--svg` with another extension; a name without one is allowed. An error ends the command.
    static func checkPicture(_ path: String?) throws {
        guard let path, let ending = FileKind.extension(of: path), ending != "svg" else { return }
        throw Failure.exit(.usage, localized("'\(path)' has no known extension: a picture of --svg is .svg"))
    }
}

/// Reads the files that the user names beside a score.
enum InputFile {
    /// Reads a file as a whole, or standard input if the path is `-`. An error ends the command; this message is about a
    /// file over the limit.
    static func read(_ path: String, limit: Int, _ tooLarge: @autoclosure () -> String) throws -> [UInt8] {
        do throws(FileBytes.Fault) { return try FileBytes.read(fileOrInput: path, limit: limit) } catch {
            let name = path == "-" ? localized("standard input") : "'\(path)'"
            switch error {
            case .system(.noSuchFileOrDirectory): throw Failure.exit(.noInput, localized("there is no file \(name)"))
            case .isDirectory: throw Failure.exit(.noInput, localized("\(name) is a folder"))
            case .tooLarge: throw Failure.exit(.badData, tooLarge())
            case .system(let error): throw Failure.exit(.noInput, localized("\(name) cannot be read: \(error.reason)"))
            }
        }
    }
}
