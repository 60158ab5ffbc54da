/// Distances, paces and speeds in words that a voice can read.
extension SpokenLanguage {
    /// A unit of length.
    package enum Unit: Sendable {
        case meters, kilometers, miles
    }

    /// A number of units as spoken: "400 meters", "1,5 Kilometer". `number` has a decimal point.
    package func count(_ number: String, _ unit: Unit) -> String {
        spoken(number) + " " + name(unit, isOne: number == "1")
    }

    /// A distance so far: "350 meters so far", "3.4 kilometers so far"; with tenths.
    package func soFar(meters: Double, inMiles: Bool) -> String {
        let meters = meters.isFinite ? meters : 0
        let isShort = !inMiles && meters < 999.5
        let distance =
            isShort
            ? count("\(Int(max(meters, 0).rounded()))", .meters)
            : count(SpokenLanguage.tenths(meters / (inMiles ? 1609.344 : 1000)), inMiles ? .miles : .kilometers)
        return word(
            en: "\(distance) so far", de: "bisher \(distance)", fr: "déjà \(distance)", es: "ya \(distance)",
            it: "già \(distance)")
    }

    /// A pace: "5 minutes 30 per kilometer"; nil if it is a day or more.
    package func pace(metersPerSecond: Double, inMiles: Bool) -> String? {
        let exact = (inMiles ? 1609.344 : 1000) / metersPerSecond
        guard exact > 0, exact < 86_400 else { return nil }
        let all = Int((exact + 1e-6).rounded())
        // As runners say it, without the word for seconds: "5 minutes 30", but "5 minutes 5 seconds".
        let isShort = (60..<3600).contains(all) && all % 60 >= 10
        let time = isShort ? words(.seconds(all - all % 60)) + " \(all % 60)" : words(.seconds(all))
        let per =
            inMiles
            ? word(en: "per mile", de: "pro Meile", fr: "par mille", es: "por milla", it: "al miglio")
            : word(
                en: "per kilometer", de: "pro Kilometer", fr: "par kilomètre", es: "por kilómetro", it: "al chilometro")
        return "\(time) \(per)"
    }

    /// A speed as a treadmill shows it: "10.9 kilometers per hour", "6.2 miles per hour".
    package func speed(metersPerSecond: Double, inMiles: Bool) -> String {
        let number = SpokenLanguage.tenths(metersPerSecond * 3600 / (inMiles ? 1609.344 : 1000))
        let perHour =
            word(en: "per hour", de: "pro Stunde", fr: "par heure", es: "por hora", it: "all'ora")
        return count(number, inMiles ? .miles : .kilometers) + " " + perHour
    }

    /// Says that everything is done.
    package var finished: String {
        word(en: "finished", de: "fertig", fr: "terminé", es: "terminado", it: "finito")
    }

    private func spoken(_ number: String) -> String { self == .en ? number : number.replacing(".", with: ",") }

    private static func tenths(_ value: Double) -> String {
        let tenths = value.isFinite ? Int((min(max(value, 0), 1e12) * 10 + 1e-6).rounded()) : 0
        return "\(tenths / 10)" + (tenths % 10 == 0 ? "" : ".\(tenths % 10)")
    }

    private func name(_ unit: Unit, isOne: Bool) -> String {
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
}
