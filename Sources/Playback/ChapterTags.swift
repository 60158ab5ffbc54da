internal import CTag
internal import Glibc
internal import Languages
internal import SystemPackage

/// Title, composer and chapters of files that store them as tags.
enum ChapterTags {
    /// Writes the tags into a finished file. WAV and AIFF files have theirs already. What is not a regular file gets none.
    static func write(
        _ descriptor: Int32, _ type: FileType, _ words: SoundFile.Words, frames: Int64, rate: Int
    ) throws(RenderError) {
        var about = stat()
        guard let kind = kinds[type], fstat(descriptor, &about) == 0, about.st_mode & S_IFMT == S_IFREG else { return }
        guard !words.title.isEmpty || !words.composer.isEmpty || !words.markers.isEmpty else { return }
        let starts = words.markers.map { milliseconds($0.frame, rate) } + [milliseconds(frames, rate)]
        var names: [UnsafeMutablePointer<CChar>?] = words.markers.map { strdup($0.name) }
        defer {
            for name in names { free(name) }
            names = []
        }
        var chapters: [ctag_chapter] = []
        for (n, name) in names.enumerated() {
            chapters.append(ctag_chapter(start_ms: starts[n], end_ms: starts[n + 1], name: name))
        }
        switch ctag_write(descriptor, kind, words.title, words.composer, chapters, UInt32(chapters.count)) {
        case CTAG_WRITTEN: return
        case CTAG_SYSTEM: throw .cannotWrite(Errno.last.reason)
        default: throw .cannotWrite(localized("its tags cannot be written"))
        }
    }

    private static let kinds = [
        FileType.flac: CTAG_FLAC, .ogg: CTAG_VORBIS, .opus: CTAG_OPUS, .mp3: CTAG_MP3,
    ]

    private static func milliseconds(_ frame: Int64, _ rate: Int) -> UInt32 {
        let (seconds, rest) = frame.quotientAndRemainder(dividingBy: Int64(rate))
        return UInt32(clamping: seconds &* 1000 &+ (rest * 1000 + Int64(rate) / 2) / Int64(rate))
    }
}
