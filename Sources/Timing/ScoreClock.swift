extension Performance {
    /// The time that is shown at `position`, which lies in the bar that boundary `n` begins: the time in the score as
    /// written.
    ///
    /// It is the same at every speed, in every pass and in every practiced stretch. With `countsPasses`, it is the time
    /// since the first boundary of the passage, all passes laid end to end.
    package func clock(at position: Duration, inBarOf n: Int) -> Duration {
        guard !countsPasses else { return position }
        let offset = passage.stretch(of: n).speed.scoreDuration(of: position - passage.position(of: n))
        return passage.timeline.start(ofBar: passage.bar(of: n).index) + offset
    }

    /// The time that is shown at the end of the score; nil if it has no end.
    package var clockEnd: Duration? { countsPasses ? passage.total : passage.timeline.total }
}
