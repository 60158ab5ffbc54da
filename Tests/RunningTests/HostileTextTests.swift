import Running
import Scores
import Testing

struct HostileTextTests {
    private static let pieces = [
        "10x(", "(", ")", ",", "run ", "walk ", "0:30", "1:00", "400m", "5k", "26.2mi", " @ ", " in ", " @ 5:00",
        "mile", "half marathon", "8x400m, rest 1:00", "5:00/km",
        "6mph",
        "-", "NaN", "inf", "1e308", "99999999999999999999", "0", "0:00", "0.0000000000000000000001", ":", "::", "/",
        "\"",
        "\n", "\r", "#", "title: ", "run: ", "for ", "forever", "\u{0}", "\u{202E}", "日本", "×", "half", "marathon", "h",
        "1h30", "x", "*", "cadence: ", "count-in: ", ";", "\t", "''", "10000x(", "100000km", "10000h", "999:59:59",
    ]

    private func hostile(_ numbers: inout Seeded) -> [UInt8] {
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: return (0..<Int.random(in: 0...60, using: &numbers)).map { _ in .random(in: 0...255, using: &numbers) }
        case 1:
            // A valid plan with one byte changed, removed or inserted.
            var bytes = Array(randomPlan(&numbers).text.utf8)
            let place = Int.random(in: 0..<bytes.count, using: &numbers)
            switch Int.random(in: 0..<3, using: &numbers) {
            case 0: bytes[place] = .random(in: 0...255, using: &numbers)
            case 1: bytes.remove(at: place)
            default: bytes.insert(.random(in: 0...255, using: &numbers), at: place)
            }
            return bytes
        default:
            let count = Int.random(in: 0...14, using: &numbers)
            return Array((0..<count).map { _ in Self.pieces.randomElement(using: &numbers) ?? "" }.joined().utf8)
        }
    }

    @Test("each of ten thousand hostile plans gives an error within the text, or a plan of finite, positive values")
    func plans() throws {
        var numbers = Seeded(state: 10)
        var valid = 0
        for _ in 0..<10_000 {
            let bytes = hostile(&numbers)
            let reading = Plan.read(bytes)
            #expect((reading.plan == nil) == !reading.faults.isEmpty)
            for fault in reading.faults {
                #expect(fault.range.lowerBound >= 0 && fault.range.upperBound <= bytes.count)
                let diagnostic = fault.diagnostic(in: bytes, file: "plan")
                #expect(diagnostic.line >= 1 && diagnostic.column >= 1 && !diagnostic.message.isEmpty)
                let shown = diagnostic.rendered().unicodeScalars
                #expect(shown.allSatisfy { scalar in scalar.value >= 0x20 || scalar == "\n" || scalar == "\t" })
            }
            guard let plan = reading.plan else { continue }
            valid += 1
            let table = try PlanTable(plan)
            for row in table.rows {
                if let time = row.extent.time { #expect(time > .zero) }
                if let distance = row.extent.distance { #expect(distance.meters.isFinite && distance.meters >= 0) }
                if let pace = row.extent.pace { #expect(pace.isValid) }
            }
        }
        #expect(valid > 500, "only \(valid) of them were plans: the law was hardly tried")
    }

    @Test("each of ten thousand hostile runs gives an error within the text, or a run of finite, positive values")
    func runs() {
        var numbers = Seeded(state: 11)
        var valid = 0
        for _ in 0..<10_000 {
            let count = Int.random(in: 1...4, using: &numbers)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
            do throws(Problem) {
                let run = try Run(runText: text)
                valid += 1
                #expect(run.distance.isValid && run.pace.isValid && run.time > .zero)
            } catch {
                #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count)
                #expect(!error.description.isEmpty)
            }
        }
        #expect(valid > 30)
    }
}
