internal import Scores

/// The announcements to a runner, in words that a voice can read.
extension SpokenLanguage {
    /// A distance in words: "400 meters", "1.5 kilometers", "1 mile".
    func words(_ distance: Distance) -> String {
        let isMiles =
            Rounding.short(distance.count(in: .miles), decimals: 6).utf8.count
            < Rounding.short(distance.count(in: .kilometers), decimals: 6).utf8.count
        let unit: DistanceUnit = isMiles ? .miles : distance.meters < 1000 ? .meters : .kilometers
        let number = Rounding.short(distance.count(in: unit), decimals: 2)
        return (self == .en ? number : number.replacing(".", with: ",")) + " " + name(unit, isOne: number == "1")
    }

    private func name(_ unit: DistanceUnit, isOne: Bool) -> String {
        switch unit {
        case .meters where isOne: word(en: "meter", de: "Meter", fr: "mètre", es: "metro", it: "metro")
        case .meters: word(en: "meters", de: "Meter", fr: "mètres", es: "metros", it: "metri")
        case .kilometers where isOne:
            word(en: "kilometer", de: "Kilometer", fr: "kilomètre", es: "kilómetro", it: "chilometro")
        case .kilometers:
            word(en: "kilometers", de: "Kilometer", fr: "kilomètres", es: "kilómetros", it: "chilometri")
        case .miles where isOne: word(en: "mile", de: "Meile", fr: "mille", es: "milla", it: "miglio")
        case .miles: word(en: "miles", de: "Meilen", fr: "milles", es: "millas", it: "miglia")
        }
    }

    /// The name of an interval: its label, or the name of its kind.
    func name(_ interval: Interval) -> String {
        guard interval.label.isEmpty else { return interval.label }
        return switch interval.kind {
        case .run: word(en: "Run", de: "Laufen", fr: "Courez", es: "Corre", it: "Corri")
        case .walk: word(en: "Walk", de: "Gehen", fr: "Marchez", es: "Camina", it: "Cammina")
        case .rest: word(en: "Rest", de: "Pause", fr: "Repos", es: "Descanso", it: "Riposo")
        case .warmUp:
            word(en: "Warm-up", de: "Aufwärmen", fr: "Échauffement", es: "Calentamiento", it: "Riscaldamento")
        case .coolDown:
            word(en: "Cool-down", de: "Auslaufen", fr: "Retour au calme", es: "Vuelta a la calma", it: "Defaticamento")
        }
    }

    /// The length of an interval that lasts until the lap button.
    var untilLap: String {
        word(
            en: "until the lap button", de: "bis zur Rundentaste", fr: "jusqu’à la touche Lap",
            es: "hasta el botón de vuelta", it: "fino al tasto Lap")
    }

    /// The announcement before an interval: "Walk, 30 seconds. Interval 5 of 11."; `count` is nil if there is no end.
    ///
    /// `room` is the length of what comes before the interval. If it is less than 8 s, only the name is spoken, and if
    /// it is less than 2 s nothing, so that a voice does not talk over the next change.
    func start(of interval: Interval, number: Int, of count: Int?, room: Duration) -> String {
        if room < .seconds(2) { return "" }
        if room < .seconds(8), number > 1 { return "\(name(interval))." }
        let length =
            switch interval.measure {
            case .time(let time): words(time)
            case .distance(let distance): words(distance)
            case .run(let run): run.result == .distance ? words(run.time) : words(run.distance)
            case .open: untilLap
            }
        let place = self.interval(number, of: count)
        return "\(name(interval)), \(length)."
            + (count == 1 ? "" : " \(place.prefix(1).uppercased())\(place.dropFirst()).")
    }
}
