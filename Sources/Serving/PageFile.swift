internal import Glibc

/// A file for a page to fetch. It has no name on the disk any more; its space is free once it has been let go.
package final class PageFile: Sendable {
    /// The name under which a browser stores it.
    package let name: String
    /// Its media type.
    let type: String
    /// Its length in bytes.
    let length: Int
    private let descriptor: Int32

    /// A file that is open, which it closes in the end. nil if its length cannot be known.
    package init?(_ descriptor: Int32, name: String, type: String) {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else {
            close(descriptor)
            return nil
        }
        (self.descriptor, self.name, self.type, length) = (descriptor, name, type, Int(about.st_size))
    }

    deinit { close(descriptor) }

    /// A descriptor of its own, for a reader who closes it; nil if there are too many.
    func opened() -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// The header Content-Disposition, by RFC 6266: everything but letters and digits is escaped.
    var disposition: String {
        let escaped = name.utf8.prefix(120).map { byte in
            let character = Character(UnicodeScalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber) || ".-".contains(character)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(character) : "%" + (digits.count == 1 ? "0" : "") + digits
        }
        return "attachment; filename*=UTF-8''" + escaped.joined()
    }
}
