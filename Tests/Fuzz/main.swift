// Reads a million mutated scores of every format (`make fuzz`), lays out the valid ones, and writes some of them in
// every writable format. Prints totals; fails if a law is broken or memory exceeds 256 MB. `FuzzScores COUNT SEED` sets
// other numbers.
import Formats
import Glibc
import Scores
import Timing

let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let count = arguments.first ?? 1_000_000
let seed = arguments.dropFirst().first ?? 1
var subjects = Subject.all(seed: seed)
var (scores, errors, written) = (0, 0, 0)
let limit = 256 << 20

/// Prints the broken law and the text that broke it, and exits.
func fail(_ law: String, _ bytes: [UInt8], _ number: UInt64) -> Never {
    print("\(law), input \(number) of seed \(seed):\n" + String(decoding: bytes, as: UTF8.self))
    exit(1)
}

/// The peak memory of the program in bytes.
func peak() -> Int {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
}

func checkTimeline(_ score: Score, _ bytes: [UInt8], _ number: UInt64) {
    let timeline = Timeline(score)
    let last = timeline.barCount - 1
    for index in Set([0, last / 2, last]) {
        let bar = timeline[index]
        if timeline.bar(at: bar.start) != index { fail("a bar does not hold from its start", bytes, number) }
        if timeline.start(ofBar: index + 1) != bar.start + bar.duration { fail("bars do not join", bytes, number) }
        let moments = timeline.moments(inBar: index, InnerSettings(score))
        let offsets = moments.map(\.offset)
        if offsets != offsets.sorted() || offsets.contains(where: { $0 < .zero || $0 > bar.duration }) {
            fail("what happens inside a bar is out of order", bytes, number)
        }
    }
}

/// Writes a score in a format, reads it back and compares the starts of the bars.
func checkWriting(_ played: PlayedScore, _ format: Format, _ bytes: [UInt8], _ number: UInt64) {
    guard let writing = try? format.write(played) else { return }
    guard format.canRead else { return }
    let reading = Score.read(writing.bytes, file: "written", format: format)
    guard let score = reading.score else {
        fail("\(format) does not read back: \(reading.diagnostics.map { $0.rendered() })", bytes, number)
    }
    let timeline = Timeline(score)
    if format == .midi, writing.losses.contains(where: { $0.contains("longest") }) { return }
    guard timeline.barCount == played.barCount else { fail("\(format) has other bars", bytes, number) }
    let tolerance: Duration = format == .midi ? .microseconds(21) : .microseconds(1)
    for index in 0..<played.barCount {
        let error = timeline.start(ofBar: index) - played.bar(index).start
        if error > tolerance || error < .zero - tolerance { fail("\(format) is \(error) off", bytes, number) }
    }
}

for number in 0..<count {
    let index = Int(number % UInt64(subjects.count))
    let bytes = subjects[index].mutation.next()
    let reading = Score.read(bytes, file: "x", format: subjects[index].format)
    let hasErrors = reading.diagnostics.contains { $0.severity == .error }
    if (reading.score == nil) != hasErrors { fail("neither score nor error, or both", bytes, number) }
    if let score = reading.score {
        scores += 1
        checkTimeline(score, bytes, number)
        if number / UInt64(subjects.count) % 16 == 0 {
            written += 1
            let again = Score.read(Array(score.yaml.utf8), file: "y.yaml")
            if again.score != score { fail("what was written does not read back", bytes, number) }
            // Formats other than YAML and pictures have the leading voice alone.
            let voice = score.with(voices: Array(score.voiceNames.prefix(1))) ?? score
            let passage = Passage(Timeline(voice))
            if let bars = passage.count, bars <= 300 {
                let played = PlayedScore(voice, passage: passage, speed: score.speed)
                for format in Format.allCases where !format.isOfPage {
                    checkWriting(played, format, bytes, number)
                }
            }
        }
    } else {
        errors += 1
        for diagnostic in reading.diagnostics where diagnostic.rendered().isEmpty {
            fail("an empty error", bytes, number)
        }
    }
    if peak() > limit { fail("more than 256 MB", bytes, number) }
}
print("\(count) inputs, \(scores) scores, \(errors) refused, \(written) written, at most \(peak() >> 20) MB")
