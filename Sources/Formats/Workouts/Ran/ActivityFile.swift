internal import Glibc
internal import Languages
package import Running
package import Scores

/// The formats of recorded activities.
package enum ActivityFormat: String, CaseIterable, Sendable {
    /// A Garmin activity (FIT).
    case fit
    /// A Training Center database.
    case tcx
    /// GPS Exchange format.
    case gpx

    /// The endings of their files, for people.
    package static let endings = allCases.map { "." + $0.rawValue }

    /// The format for the extension of a file name; nil if there is none.
    package init?(fileName: String) {
        guard let dot = fileName.lastIndex(of: "."),
            let format = ActivityFormat(rawValue: fileName[fileName.index(after: dot)...].lowercased())
        else { return nil }
        self = format
    }

    /// The largest size of an activity: 64 MiB.
    package static let byteLimit = 64 << 20

    /// Reads an activity. Errors: it is not of this format, or holds no times. Never traps, whatever the bytes are.
    package func read(_ bytes: [UInt8]) throws(TextError) -> Activity {
        guard bytes.count <= ActivityFormat.byteLimit else {
            throw TextError(localized("an activity has at most 64 MiB"))
        }
        let activity =
            switch self {
            case .fit: try FITActivity.read(bytes)
            case .tcx: try TrackXML.readTCX(bytes)
            case .gpx: try TrackXML.readGPX(bytes)
            }
        guard activity.seconds > 0 else {
            throw TextError(localized("the activity has neither laps nor a track with times"))
        }
        return activity
    }
}

/// A track that is being read: points at the times of a clock become points at times without pauses.
struct ActivityTrack {
    private(set) var points: [Activity.Point] = []
    /// The clock of the last point, and the time that pauses have taken before it.
    private var clock: Double?
    private var paused = 0.0
    private var start = 0.0
    private var place: (latitude: Double, longitude: Double)?

    /// A gap between points this long without movement is a pause, in seconds.
    private static let gap = 15.0
    /// Who moves more slowly does not move, in m/s.
    private static let still = 0.3
    /// The longest activity, in seconds.
    private static let longest = 1e7

    /// Adds a point; `meters` is the distance so far, or nil to measure it from the place. `isAfterPause` tells that the
    /// recording was stopped before it.
    mutating func add(
        clock now: Double, meters: Double?, latitude: Double?, longitude: Double?, isAfterPause: Bool
    ) {
        guard now.isFinite else { return }
        let before = points.last?.meters ?? 0
        var there = before
        if let meters, meters.isFinite {
            there = max(meters, before)
        } else if let latitude, let longitude, latitude.isFinite, longitude.isFinite {
            if let place, !isAfterPause { there += Self.way(place, (latitude, longitude)) }
        } else {
            return
        }
        if let latitude, let longitude { place = (latitude, longitude) }
        guard let clock else {
            (start, self.clock) = (now, now)
            points.append(Activity.Point(seconds: 0, meters: there))
            return
        }
        let step = now - clock
        guard step > 0 else { return }
        if isAfterPause || step > Self.gap && there - before < Self.still * step { paused += step }
        self.clock = now
        let seconds = now - start - paused
        guard seconds < Self.longest else { return }
        points.append(Activity.Point(seconds: seconds, meters: there))
    }

    /// The way between two places in meters: on a sphere, near enough for some meters.
    private static func way(_ a: (latitude: Double, longitude: Double), _ b: (latitude: Double, longitude: Double))
        -> Double
    {
        let radians = Double.pi / 180
        let north = (b.latitude - a.latitude) * radians
        let cosine = cos((a.latitude + b.latitude) / 2 * radians)
        let east = (b.longitude - a.longitude) * radians * cosine
        return 6_371_000 * (north * north + east * east).squareRoot()
    }
}
