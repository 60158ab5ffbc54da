internal import Application
internal import ArgumentParser
internal import Languages
internal import Running
internal import Scores
internal import UserSettings

struct PaceCommand: ParsableCommand, PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "pace",
        abstract: localized("Compute distance, time or pace from the other two."),
        discussion: localized(
            """
            barline pace 26.2mi 10:00/mi     a distance at a pace: how long?
              barline pace 5k in 25:00         a distance in a time: how fast?
              barline pace 1:00:00 @ 12 km/h   a time at a speed: how far?

            Distances are in m, km or mi (or mile, half marathon, marathon), times 25:00, 90s or 1h30min, paces 5:00/km, 10:00/mi, \
            12 km/h, 6 mph or 3.5 m/s. Without arguments at a terminal, `pace` opens a small calculator.
            """))

    @Argument(help: .localized("Two of distance, time and pace.", valueName: "value"))
    var values: [String] = []

    @Option(help: .localized("The unit of predicted paces: \(Setting.unit.setting.form)."))
    var unit: UnitChoice?

    @Flag(help: .localized("Also predict the times of other races (Riegel, 1981)."))
    var predict = false

    @Flag(help: .localized("Print a JSON object, in meters, seconds and meters per second."))
    var json = false

    @OptionGroup var plainOptions: PlainOptions

    func run() throws {
        var request = PaceRequest(values.isEmpty ? nil : values.joined(separator: " "))
        (request.unit, request.predicts, request.json) = (unit.map(DistanceUnit.init), predict, json)
        try request.print()
    }
}

struct SplitsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "splits",
        abstract: localized("Print the split times of a run for every kilometer, mile or other distance."),
        discussion: localized("For example:") + """


              barline splits marathon in 3:45:00
              barline splits 26.2mi @ 9:00/mi --every 1mi --step -1s
              barline splits 5k in 20:00 --every 400m --change 3=-2s
              barline splits marathon in 3:45:00 -o band.pdf
            """)

    @Argument(help: .localized("Two of distance, time and pace.", valueName: "value"))
    var values: [String]

    @Option(
        help: .localized("The length of a split. Default: 1km or 1mi.", valueName: "distance"),
        transform: OptionText.distance)
    var every: Distance?

    @Option(help: .localized("The unit: \(Setting.unit.setting.form)."))
    var unit: UnitChoice?

    @Option(
        parsing: .unconditional,
        help: .localized(
            "Make each split slower (2s) or faster (-2s) than the one before; the finish time stays.", valueName: "time"
        ),
        transform: OptionText.change)
    var step: Duration?

    @Option(
        help: .localized(
            "Change one split: 3=+5s makes it 5 s slower, and 3=4:10 sets its time; the finish time moves. Can be "
                + "repeated.", valueName: "n=time"),
        transform: SplitsCommand.change)
    var change: [(number: Int, time: Duration, isDifference: Bool)] = []

    @OptionGroup var tableOptions: TableOptions

    @Option(
        name: .shortAndLong,
        help: .localized("Write a wrist band to print and cut out: .pdf or .svg.", valueName: "file"))
    var output: String?

    /// Reads the number of a split and how its time changes: `3=+5s`, `3=4:10`.
    private static func change(_ text: String) throws -> (number: Int, time: Duration, isDifference: Bool) {
        let parts = text.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, let number = Int(parts[0]) else {
            throw ValidationError(
                localized("'\(text)' is not a split number and a time, for example 3=+5s, 12=-2s or 2=4:10"))
        }
        let isDifference = parts[1].first == "+" || parts[1].first == "-"
        return (number, try OptionText.change(String(parts[1])), isDifference)
    }

    func run() throws {
        var request = SplitsRequest(values.joined(separator: " "))
        (request.every, request.unit, request.step) = (every, unit.map(DistanceUnit.init), step)
        (request.changes, request.style, request.output) = (change, tableOptions.style, output)
        try request.print()
    }
}

struct GallowayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "galloway",
        abstract: localized("Print run and walk times for a pace, or the race times that a Magic Mile predicts."),
        discussion: localized(
            """
            The ratios and the Magic Mile are Jeff Galloway's (jeffgalloway.com). Its predictions hold up to 60 °F \
            (16 °C). With --temperature, races are slower by his chart for races (3 % from 60 °F, 12 % from 75 °F, \
            20 % from 80 °F), and long runs by 30 s per mile for each 5 °F above 60 °F.

              barline galloway --pace 10:30/mi
              barline galloway --magic-mile 8:00 --temperature 24C
            """))

    @Option(
        help: .localized("The overall pace, running and walking together.", valueName: "pace"),
        transform: OptionText.pace)
    var pace: Pace?

    @Option(help: .localized("The time of an all-out mile.", valueName: "time"), transform: OptionText.time)
    var magicMile: Duration?

    @Option(
        parsing: .unconditional,
        help: .localized("The temperature in C or F: 24C, 75F.", valueName: "degrees"), transform: Heat.init(option:))
    var temperature: Heat?

    @OptionGroup var tableOptions: TableOptions

    func validate() throws {
        if temperature != nil, magicMile == nil { throw ValidationError(localized("--temperature needs --magic-mile")) }
        if pace != nil, magicMile != nil { throw ValidationError(localized("give either --pace or --magic-mile")) }
    }

    func run() throws {
        var request = GallowayRequest()
        (request.pace, request.magicMile, request.temperature) = (pace, magicMile, temperature)
        request.style = tableOptions.style
        try request.print()
    }
}

extension Heat {
    /// Reads the temperature of an option.
    fileprivate init(option text: String) throws {
        let number = text[..<(text.lastIndex(where: \.isNumber).map(text.index(after:)) ?? text.startIndex)]
        let unit = text.dropFirst(number.count).filter { $0 != " " && $0 != "°" }.uppercased()
        guard let degrees = Double(number), unit == "C" || unit == "F" else {
            throw ValidationError(
                localized("'\(text)' is not a temperature in degrees Celsius or Fahrenheit, for example 24C or 75F"))
        }
        self = unit == "C" ? Heat(celsius: degrees) : Heat(fahrenheit: degrees)
        guard Heat.range.contains(fahrenheit) else {
            throw ValidationError(localized("a temperature must be -51 to 60 °C (-60 to 140 °F)"))
        }
    }
}
