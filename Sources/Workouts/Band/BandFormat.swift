internal import Formats
internal import Languages

/// The formats of a band.
package enum BandFormat: String, CaseIterable, Sendable {
    case pdf, svg

    /// The band as a file, and what it does not carry.
    package func write(_ band: Band) -> WorkoutWriting {
        let (picture, cuts) = BandLayout.picture(of: band)
        var losses = cuts.map { localized("'\($0)' is cut, because the band has no more room") }
        switch self {
        case .svg: return WorkoutWriting(bytes: Array(SVGPicture.text(picture).utf8), losses: losses)
        case .pdf:
            var writer = PDFPicture()
            let bytes = writer.bytes(of: picture)
            if writer.hasForeignLetters {
                losses.append(
                    localized("letters that the standard fonts of PDF lack are shown as ? (SVG has all)"))
            }
            return WorkoutWriting(bytes: bytes, losses: losses)
        }
    }
}
