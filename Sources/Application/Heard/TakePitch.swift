package import Charts
package import Hearing
internal import Languages
internal import Playback
internal import Scores
package import Screens
package import Timing
package import UserSettings

/// The pitch of a player in a take: each note against the nearest note of the tuning and the purest interval over the drone.
package struct TakePitch {
    package struct Note {
        package var heard: HeardNote
        package var pitch: HeardPitch
        /// The place of its bar among those of the take; nil if that is not sure.
        package var bar: Int?
    }

    package let notes: [Note]
    /// The names of the drone's notes.
    private let drones: [String]

    /// Listens to the notes of a take that has been set against a score.
    package init(_ samples: [Float], _ bars: [HeardBar], _ performance: Performance) {
        let setting = Tuner.Setting(performance)
        let begins = bars.filter(\.isSure).compactMap(\.seconds)
        let heard = HeardNote.all(
            in: samples, rate: HeardTake.rate, drone: setting.partials, isSteady: setting.isSteady, begins: begins)
        self.init(heard, bars, performance)
    }

    /// Notes that were heard, against the bars in which they begin.
    package init(_ heard: [HeardNote], _ bars: [HeardBar], _ performance: Performance) {
        let setting = Tuner.Setting(performance)
        notes = heard.map { note in
            let pitch = HeardPitch(
                hertz: note.hertz, isSure: note.isSure, tuning: setting.tuning, a4: setting.a4, drones: setting.drones)
            return Note(heard: note, pitch: pitch, bar: TakePitch.bar(note, bars))
        }
        drones = performance.drone?.notes.map(\.pitch.description) ?? []
    }

    /// The bar in which a note begins, if the beginning of this bar and that of the next one are sure.
    private static func bar(_ note: HeardNote, _ bars: [HeardBar]) -> Int? {
        // The middle of a window may be before the beginning of a note.
        let begin = note.begin + 0.03
        guard let last = bars.lastIndex(where: { ($0.seconds ?? .infinity) <= begin }), bars[last].isSure,
            last + 1 >= bars.count || bars[last + 1].isSure
        else { return nil }
        return last
    }

    /// How far a bar is from the notes of the tuning, and from pure intervals: the mean of its sure notes by their lengths.
    package func cents(ofBar bar: Int) -> (note: Double?, interval: Double?) {
        let sure = notes.filter { $0.bar == bar && $0.pitch.isSure }
        func mean(_ cents: (HeardPitch) -> Double?) -> Double? {
            let all = sure.compactMap { note in cents(note.pitch).map { ($0, note.heard.end - note.heard.begin) } }
            let length = all.reduce(0) { $0 + $1.1 }
            return length > 0 ? all.reduce(0) { $0 + $1.0 * $1.1 } / length : nil
        }
        return (mean(\.cents), mean { $0.interval?.cents })
    }

    /// The same as the practice log has it: one figure for each bar of the piece.
    package func figures(_ held: HeldBars) -> [BarFigure] {
        BarFigure.medians(
            held.bars.enumerated().compactMap { index, bar in
                cents(ofBar: index).note.map { BarFigure(line: bar.line, bar: bar.bar, value: $0) }
            })
    }

    /// For each note of the tuning, how far it was off: the median of its sure notes.
    package var tendencies: [NoteFigure] {
        Dictionary(grouping: notes.filter(\.pitch.isSure), by: \.pitch.note)
            .sorted { $0.key < $1.key }
            .map { NoteFigure(note: $1[0].pitch.name, value: $1.map(\.pitch.cents).median) }
    }

    // MARK: - For people

    /// A row for each note.
    package func table(_ held: HeldBars) -> Table {
        var table = Table(columns: [
            .number(localized("line.bar"), ""), .number(localized("heard at"), ""), .number(localized("length"), ""),
            .text(localized("note"), ""), .number(localized("cents"), ""), .text(localized("interval"), ""),
            .number(localized("cents"), ""), .number(localized("drift"), ""), .text("", ""),
        ])
        table.rows = notes.map { note in
            let bar = note.bar.map { held.bars[$0] }
            let isSure = note.pitch.isSure
            return [
                bar.map { .text("\($0.line).\($0.bar)") } ?? .empty,
                .text(Duration(inSeconds: note.heard.begin).clock(decimals: 2)),
                .text(Duration(inSeconds: note.heard.end - note.heard.begin).seconds(decimals: 2)),
                .text(note.pitch.name), isSure ? TakePitch.cell(note.pitch.cents) : .empty,
                note.pitch.interval.map { .text(words($0)) } ?? .empty,
                isSure ? TakePitch.cell(note.pitch.interval?.cents) : .empty,
                isSure ? TakePitch.cell(note.heard.drift) : .empty, .text(isSure ? "" : localized("unsure")),
            ]
        }
        return table
    }

    /// `3:2 over B4`.
    private func words(_ interval: HeardPitch.Interval) -> String {
        let over = drones.indices.contains(interval.note) ? drones[interval.note] : ""
        return localized("\(interval.over):\(interval.under) over \(over)")
    }

    static func cell(_ cents: Double?) -> Table.Cell {
        cents.map { .text($0.fixed(1, signed: true)) } ?? .empty
    }

    /// A row for each note of the tuning, and how many notes are sure; empty without notes.
    package var summary: String {
        guard !notes.isEmpty else { return "" }
        var table = Table(columns: [
            .text(localized("pitch"), ""), .number(localized("sure notes"), ""), .number(localized("median cents"), ""),
            .number(localized("over the drone"), ""),
        ])
        let byNote = Dictionary(grouping: notes.filter(\.pitch.isSure), by: \.pitch.note)
        table.rows = byNote.sorted { $0.key < $1.key }.map { _, notes in
            let intervals = notes.compactMap { $0.pitch.interval?.cents }
            return [
                .text(notes[0].pitch.name), .number(notes.count),
                TakePitch.cell(notes.map(\.pitch.cents).median),
                TakePitch.cell(intervals.isEmpty ? nil : intervals.median),
            ]
        }
        let sure = notes.count(where: \.pitch.isSure)
        return (table.rows.isEmpty ? "" : table.text(.plain) + "\n")
            + localized("the pitch of \(sure) of \(notes.count) notes is sure") + "\n"
    }

    // MARK: - For programs

    package func json(_ bars: [Int]) -> [String] {
        func number(_ value: Double?, _ decimals: Int) -> JSON { value.map { .number($0.fixed(decimals)) } ?? .null }
        return notes.map { note in
            let (pitch, interval) = (note.pitch, note.pitch.interval)
            let over: String? = interval.flatMap { drones.indices.contains($0.note) ? drones[$0.note] : nil }
            let figures: [(String, JSON)] = [
                ("index", note.bar.map { .number(bars[$0]) } ?? .null), ("start_s", number(note.heard.begin, 3)),
                ("end_s", number(note.heard.end, 3)), ("note", .text(pitch.name)), ("hertz", number(pitch.hertz, 4)),
                ("cents", number(pitch.cents, 2)),
                ("interval", interval.map { .text("\($0.over):\($0.under)") } ?? .null),
                ("over", over.map { .text($0) } ?? .null),
                ("interval_cents", number(interval?.cents, 2)), ("drift_cents", number(note.heard.drift, 2)),
                ("is_sure", .bool(pitch.isSure)),
            ]
            return JSON.line(figures)
        }
    }
}
