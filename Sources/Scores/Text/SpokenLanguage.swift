/// The languages of spoken words that do not come from the score.
public enum SpokenLanguage: String, Sendable, CaseIterable {
    /// English.
    case en
    /// German.
    case de
    /// French.
    case fr
    /// Spanish.
    case es
    /// Italian.
    case it

    /// The word in this language.
    package func word(en: String, de: String, fr: String, es: String, it: String) -> String {
        switch self {
        case .en: en
        case .de: de
        case .fr: fr
        case .es: es
        case .it: it
        }
    }
}

extension SpokenLanguage {
    /// Announces the number of a line.
    package func line(_ n: Int) -> String {
        word(en: "line", de: "Zeile", fr: "ligne", es: "línea", it: "riga") + " \(n)"
    }

    /// Announces the number of a bar.
    package func bar(_ n: Int) -> String {
        word(en: "bar", de: "Takt", fr: "mesure", es: "compás", it: "battuta") + " \(n)"
    }

    /// Announces the number of an interval, and how many there are; `count` is nil if they are endless.
    package func interval(_ n: Int, of count: Int?) -> String {
        let interval = word(en: "interval", de: "Intervall", fr: "intervalle", es: "intervalo", it: "intervallo")
        let of = word(en: "of", de: "von", fr: "sur", es: "de", it: "di")
        return "\(interval) \(n)" + (count.map { " \(of) \($0)" } ?? "")
    }

    /// Announces the last interval.
    package var lastOne: String {
        word(en: "last one", de: "das letzte", fr: "le dernier", es: "el último", it: "l'ultimo")
    }

    /// Says that half of the time has passed.
    package var halfTime: String {
        word(en: "half time", de: "Halbzeit", fr: "mi-temps", es: "mitad del tiempo", it: "metà tempo")
    }

    /// Says that a minute is left.
    package var minuteLeft: String {
        word(
            en: "one minute left", de: "noch eine Minute", fr: "encore une minute", es: "queda un minuto",
            it: "ancora un minuto")
    }

    /// A duration in words: "30 seconds", "1 minute 30 seconds", "2 hours". Rounded to seconds, below ten seconds to
    /// tenths.
    package func words(_ time: Duration) -> String {
        let tenths = (max(time.attoseconds, 0) + 50_000_000_000_000_000) / 100_000_000_000_000_000
        if tenths < 100, tenths % 10 != 0 {
            return "\(tenths / 10)\(self == .en ? "." : ",")\(tenths % 10) \(seconds(2))"
        }
        let all = tenths < 100 ? Int(tenths / 10) : Int((max(time.attoseconds, 0) + Int128(5e17)) / Int128(1e18))
        let (hours, minutes, rest) = (all / 3600, all / 60 % 60, all % 60)
        var parts: [String] = []
        if hours > 0 {
            let one = word(en: "hour", de: "Stunde", fr: "heure", es: "hora", it: "ora")
            let many = word(en: "hours", de: "Stunden", fr: "heures", es: "horas", it: "ore")
            parts.append("\(hours) \(hours == 1 ? one : many)")
        }
        if minutes > 0 {
            let one = word(en: "minute", de: "Minute", fr: "minute", es: "minuto", it: "minuto")
            let many = word(en: "minutes", de: "Minuten", fr: "minutes", es: "minutos", it: "minuti")
            parts.append("\(minutes) \(minutes == 1 ? one : many)")
        }
        if rest > 0 || parts.isEmpty { parts.append("\(rest) \(seconds(rest))") }
        return parts.joined(separator: " ")
    }

    private func seconds(_ n: Int) -> String {
        n == 1
            ? word(en: "second", de: "Sekunde", fr: "seconde", es: "segundo", it: "secondo")
            : word(en: "seconds", de: "Sekunden", fr: "secondes", es: "segundos", it: "secondi")
    }
}
