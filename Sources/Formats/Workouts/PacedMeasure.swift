internal import Running

extension Interval.Measure {
    /// The measure with a pace; itself if that is out of range.
    func paced(_ pace: Pace) -> Interval.Measure {
        switch self {
        case .time(let time): return (try? Run(time, at: pace)).map { .run($0) } ?? self
        case .distance(let distance): return (try? Run(distance, at: pace)).map { .run($0) } ?? self
        case .run: return self
        case .open(let end): return pace.isValid ? .open(OpenEnd(about: end.about, pace: pace)) : self
        }
    }
}
