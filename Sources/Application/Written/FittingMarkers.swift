internal import Languages
internal import Playback
internal import Timing

/// The markers of a sound file, as many as its type can hold.
struct FittingMarkers {
    let markers: [Marker]
    /// A note for the user if the piece has more markers than these; nil if it has not.
    let note: String?

    /// A file that cannot hold a chapter for each interval has chapters for their groups.
    init(_ performance: Performance, rate: Int, _ choice: Marker.Choice, in type: FileType) {
        let limit = type.markerLimit
        if let all = Marker.all(of: performance, rate: rate, choice, limit: limit) {
            (markers, note) = (all, nil)
            return
        }
        let groups = Marker.groups(of: performance, rate: rate, limit: limit)
        markers = groups.markers
        let which =
            groups.step == 1 ? localized("each group or line") : localized("every \(groups.step) groups or lines")
        note = localized(
            "note: \(type.rawValue.uppercased()) files have at most \(limit) markers; this one has one for \(which)")
    }
}
