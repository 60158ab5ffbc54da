internal import Languages

/// The formats of a band.
package enum BandFormat: String, CaseIterable, Sendable {
    case pdf, svg

    /// The band as a file, and what it does not carry.
    package func write(_ band: Band) -> Writing {
        let (picture, cuts) = BandLayout.picture(of: band)
        var losses = cuts.map { localized("'\($0)' is cut, because the band has no more room") }
        switch self {
        case .svg: return Writing(bytes: SVGPicture.bytes(of: picture), losses: losses)
        case .pdf:
            let (bytes, loss) = PDFPicture.bytes(of: picture)
            if let loss { losses.append(loss) }
            return Writing(bytes: bytes, losses: losses)
        }
    }
}
