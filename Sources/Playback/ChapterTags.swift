internal import CTag
internal import Glibc
internal import Languages

/// Title, composer and chapters of files that store them as tags.
enum ChapterTags {
    /// Writes the tags into a finished file. WAV and AIFF files have theirs already.
    static func write(
        _ path: String, _ type: FileType, _ words: SoundFile.Words, frames: Int64, rate: Int
    ) throws(RenderError) {
        guard let kind = kinds[type] else { return }
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
        guard ctag_write(path, kind, words.title, words.composer, chapters, UInt32(chapters.count)) else {
            throw .cannotWrite(localized("its tags cannot be written"))
        }
    }

    private static let kinds = [
        FileType.flac: CTAG_FLAC, .ogg: CTAG_VORBIS, .opus: CTAG_OPUS, .mp3: CTAG_MP3,
    ]

    private static func milliseconds(_ frame: Int64, _ rate: Int) -> UInt32 {
        UInt32(clamping: (frame * 1000 + Int64(rate) / 2) / Int64(rate))
    }
}
