internal import Languages
internal import Running
internal import Scores

/// Reads activities in XML: Training Center (TCX, Garmin's schema TrainingCenterDatabasev2) and GPX (topografix.com).
enum TrackXML {
    static func readTCX(_ bytes: [UInt8]) throws(TextError) -> Activity {
        var activity = Activity()
        var track = ActivityTrack()
        // Each part of a track begins after a pause, but for the first of a lap.
        var isNewTrack = false
        let root = try parse(bytes) { element, _ in
            switch element.name {
            case "trackpoint":
                guard let text = element.child("time")?.text, let time = seconds(text) else { return .drop }
                let position = element.child("position")
                track.add(
                    clock: time, meters: number(element.child("distancemeters")),
                    latitude: number(position?.child("latitudedegrees")),
                    longitude: number(position?.child("longitudedegrees")), isAfterPause: isNewTrack)
                isNewTrack = false
                return .drop
            case "track":
                isNewTrack = true
                return .drop
            case "lap":
                isNewTrack = false
                if let time = number(element.child("totaltimeseconds")), time > 0 {
                    let trigger = element.child("triggermethod")?.text.trimmingBlanks.lowercased()
                    activity.laps.append(
                        Activity.Lap(
                            seconds: time, meters: number(element.child("distancemeters")),
                            isAutomatic: trigger == "distance"))
                }
                return .drop
            default: return .keep
            }
        }
        guard root.name == "trainingcenterdatabase" else {
            throw TextError(localized("this is not a TCX file"))
        }
        activity.track = track.points
        return activity
    }

    static func readGPX(_ bytes: [UInt8]) throws(TextError) -> Activity {
        var track = ActivityTrack()
        var isNewSegment = false
        let root = try parse(bytes) { element, _ in
            switch element.name {
            case "trkpt":
                guard let text = element.child("time")?.text, let time = seconds(text) else { return .drop }
                track.add(
                    clock: time, meters: nil, latitude: element.attributes["lat"].flatMap { Double($0) },
                    longitude: element.attributes["lon"].flatMap { Double($0) }, isAfterPause: isNewSegment)
                isNewSegment = false
                return .drop
            case "trkseg":
                isNewSegment = true
                return .drop
            default: return .keep
            }
        }
        guard root.name == "gpx" else { throw TextError(localized("this is not a GPX file")) }
        return Activity(track: track.points)
    }

    private static func parse(
        _ bytes: [UInt8], _ end: @escaping (XMLElement, String) -> XMLOutcome
    ) throws(TextError) -> XMLElement {
        do throws(Problem) {
            return try XMLText.parse(XMLText.mended(bytes), kind: localized("an activity"), end: end)
        } catch {
            throw error.error
        }
    }

    private static func number(_ element: XMLElement?) -> Double? {
        guard let text = element?.text.trimmingBlanks, let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The seconds since 1970 of a time such as `2026-11-24T07:00:00.500Z` or `...+01:00`; nil if it is none.
    static func seconds(_ text: String) -> Double? {
        let text = text.split(whereSeparator: \.isWhitespace).joined()
        guard let t = text.firstIndex(where: { $0 == "T" || $0 == "t" }), let day = LocalDay(text: String(text[..<t]))
        else {
            return nil
        }
        var clock = text[text.index(after: t)...]
        var zone = 0.0
        if let mark = clock.firstIndex(where: { "Zz+-".contains($0) }) {
            let parts = clock[clock.index(after: mark)...].split(separator: ":").map { Double($0) }
            if clock[mark] == "+" || clock[mark] == "-" {
                guard let hours = parts.first ?? nil else { return nil }
                zone = (hours * 60 + ((parts.count > 1 ? parts[1] : 0) ?? 0)) * (clock[mark] == "-" ? -60 : 60)
            }
            clock = clock[..<mark]
        }
        let parts = clock.split(separator: ":").compactMap { Double($0) }
        guard parts.count == 3, parts.allSatisfy({ $0.isFinite && $0 >= 0 }) else { return nil }
        return Double(day.number) * 86_400 + parts[0] * 3600 + parts[1] * 60 + parts[2] - zone
    }
}
