internal import Files
internal import Languages

/// The file of an option `--svg`.
enum PictureFile {
    /// Refuses a name that another kind of file has; an error ends the command. A name without an extension is allowed.
    static func check(_ path: String) throws {
        guard let ending = FileKind.extension(of: path), ending != "svg" else { return }
        throw Failure.exit(.usage, localized("'\(path)' has no known extension: a picture of --svg is .svg"))
    }

    /// Writes a picture; an error ends the command.
    static func write(_ svg: String, to path: String) throws {
        do throws(FileError) {
            try TextFile.replace(path, Array(svg.utf8))
        } catch {
            throw Failure.exit(.cannotWrite, "'\(path)' \(error)")
        }
    }
}
