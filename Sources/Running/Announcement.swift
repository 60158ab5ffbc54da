/// What is said to a runner, in words that a voice can read.
public enum Announcement {
    /// A time in words, to the second: "30 seconds", "1 minute 30 seconds", "2 hours".
    public static func words(_ time: Duration) -> String {
        let seconds = Int(Rounding.units(time.inSeconds, decimals: 0))
        guard seconds > 0 else { return "\(Rounding.short(time.inSeconds, decimals: 1)) seconds" }
        let parts = [(seconds / 3600, "hour"), (seconds / 60 % 60, "minute"), (seconds % 60, "second")]
        return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " ")
    }

    /// A distance in words: "400 metres", "1.5 kilometres", "1 mile".
    public static func words(_ distance: Distance) -> String {
        let isMiles =
            Rounding.short(distance.count(in: .miles), decimals: 6).utf8.count
            < Rounding.short(distance.count(in: .kilometres), decimals: 6).utf8.count
        let unit: DistanceUnit = isMiles ? .miles : distance.metres < 1000 ? .metres : .kilometres
        let number = Rounding.short(distance.count(in: unit), decimals: 2)
        let name = [.metres: "metre", .kilometres: "kilometre", .miles: "mile"][unit] ?? ""
        return "\(number) \(name)\(number == "1" ? "" : "s")"
    }

    /// What is said before an interval begins: "Walk, 30 seconds. Interval 5 of 11."; without `count` it has no end.
    ///
    /// `room` is how long what comes before it lasts: where that is less than 8 s, only the name is said, and in less
    /// than 2 s nothing, so that a voice does not talk over the next change.
    public static func start(of interval: Interval, number: Int, of count: Int?, room: Duration) -> String {
        if room < .seconds(2) { return "" }
        if room < .seconds(8), number > 1 { return "\(interval.name)." }
        let length =
            switch interval.measure {
            case .time(let time): words(time)
            case .distance(let distance): words(distance)
            case .run(let run): run.result == .distance ? words(run.time) : words(run.distance)
            }
        let place = count.map { $0 == 1 ? "" : " Interval \(number) of \($0)." } ?? " Interval \(number)."
        return "\(interval.name), \(length).\(place)"
    }
}
