internal import Languages
package import Playback
internal import Timing

/// Bits, rate and channels of the sound that is played or written, as far as they are chosen: each property of a format is nil
/// until it is.
@dynamicMemberLookup
package struct FormatRequest: Sendable {
    /// The format, with defaults for what is not chosen.
    package private(set) var format = SoundFormat()
    private var chosen: [any PartialKeyPath<SoundFormat> & Sendable] = []

    package init() {}

    package subscript<Value>(dynamicMember property: any WritableKeyPath<SoundFormat, Value> & Sendable) -> Value? {
        get { isChosen(property) ? format[keyPath: property] : nil }
        set {
            chosen.removeAll { $0 == property }
            if newValue != nil { chosen.append(property) }
            format[keyPath: property] = newValue ?? SoundFormat()[keyPath: property]
        }
    }

    private func isChosen(_ property: PartialKeyPath<SoundFormat>) -> Bool { chosen.contains { $0 == property } }

    /// The format for a piece, whose voices may name channels. Errors: the user wants fewer channels.
    func format(for timeline: Timeline) throws -> SoundFormat {
        let highest = SoundFormat.highestChannel(of: timeline)
        if let channels = self.channels, highest > channels {
            throw Failure.exit(
                .usage, localized("--channels \(channels): a voice of the score is on channel \(highest)"))
        }
        return format.carrying(timeline)
    }

    /// Whether the device must support exactly this format, because the user asked for it.
    var isExact: Bool { isChosen(\.samples) || isChosen(\.rate) || isChosen(\.channels) }

    /// Whether anything is chosen.
    var isGiven: Bool { !chosen.isEmpty }
}
