/// A file that is open in an editor, which notices when another program changes it.
package struct WatchedFile {
    private let path: String
    private let known: [UInt8]?

    /// The file as it is now; it need not exist.
    package init(_ path: String) {
        self.path = path
        known = WatchedFile.bytes(path)
    }

    /// Whether the file has another content than it had, has been removed, or exists now.
    package var hasChanged: Bool { WatchedFile.bytes(path) != known }

    private static func bytes(_ path: String) -> [UInt8]? { try? FileBytes.read(path, limit: KeptFile.limit) }
}
