import Running
import Scores
import Shared
import Testing

struct SplitsTests {
    @Test("even splits have the pace of the run, and add up to it")
    func even() throws {
        let run = try Run(runText: "26.2mi @ 10:00/mi")
        let splits = try Splits(run, every: Distance(1, .miles))
        #expect(splits.rows.count == 27)
        #expect(splits.rows.dropLast().allSatisfy { $0.time.runText(decimals: 3) == "10:00.000" })
        #expect(splits.rows.last?.time.runText(decimals: 3) == "2:00.000")
        #expect(splits.finish == run.time)
        #expect(splits.distance == run.distance)
    }

    @Test("changed splits still add up to the distance and the finish")
    func sums() throws {
        var numbers = Seeded(state: 7)
        for _ in 0..<300 {
            let run = try Run(Distance(meters: numbers.number(500...50_000)), at: Pace(metersPerSecond: 3))
            var splits = try Splits(run, every: Distance(meters: numbers.number(100...5000)))
            let number = Int.random(in: 1...splits.rows.count, using: &numbers)
            let before = splits
            let change = Duration.milliseconds(Int.random(in: -20_000...20_000, using: &numbers))
            do {
                try splits.change(number, by: change)
                #expect(splits.finish == before.finish + change)
                #expect(zip(splits.rows, before.rows).allSatisfy { $0.number == number || $0.time == $1.time })
            } catch { #expect(splits == before) }
            let finish = splits.finish
            try? splits.progress(by: .milliseconds(Int.random(in: -500...500, using: &numbers)))
            #expect(splits.finish == finish)
            #expect(splits.rows.reduce(.zero) { $0 + $1.time } == finish)
            #expect(agree(splits.rows.reduce(0) { $0 + $1.distance.meters }, run.distance.meters))
        }
    }

    @Test("a split that is set has this time, and the others stay")
    func set() throws {
        var splits = try Splits(try Run(runText: "5k in 20:00"), every: Distance(1, .kilometers))
        try splits.change(2, to: .seconds(250))
        #expect(
            splits.rows.map { $0.time.runText(decimals: 3) } == ["4:00.000", "4:10.000"]
                + Array(repeating: "4:00.000", count: 3))
        #expect(splits.finish.runText(decimals: 3) == "20:10.000" && splits.fasterThanAnyone == nil)
        #expect(throws: TextError("there is no split 6; there are 5")) { try splits.change(6, to: .seconds(250)) }
        try splits.change(4, to: .seconds(100))
        #expect(splits.fasterThanAnyone?.number == 4)
    }

    @Test("a time of any size that a split would take is given or refused")
    func far() throws {
        var splits = try Splits(Run(Distance(3, .kilometers), in: .seconds(900)), every: Distance(1, .kilometers))
        #expect(throws: TextError.self) { try splits.change(1, to: Duration(attoseconds: .min)) }
        #expect(throws: TextError.self) { try splits.change(1, to: Duration(attoseconds: .max)) }
        #expect(splits.finish == .seconds(900))
    }

    @Test("progressive splits get faster by a constant amount, and the finish stays")
    func progressive() throws {
        var splits = try Splits(try Run(runText: "10k in 50:00"), every: Distance(1, .kilometers))
        try splits.progress(by: .seconds(-4))
        #expect(splits.finish == .seconds(3000))
        let times = splits.rows.map { $0.time.runText(decimals: 1) }
        #expect(times.first == "5:18.0" && times.last == "4:42.0")
        #expect(
            message { try splits.progress(by: .seconds(-90)) } == "split 9 would take no time; use a smaller change")
        for number in [11, 0, .max, .min] {
            #expect(
                message { try splits.change(number, by: .seconds(1)) } == "there is no split \(number); there are 10")
        }
    }

    @Test("a run has 1 to 100 000 splits, and each takes some time")
    func ends() throws {
        let run = try Run(runText: "100k in 10:00:00")
        #expect(try Splits(run, every: Distance(meters: 1)).rows.count == 100_000)
        #expect(message { try Splits(run, every: Distance(meters: 0.99)) }.contains("at most 100 000 splits"))
        #expect(message { try Splits(run, every: .zero) } == "a split must be 1 mm to 100 000 km long")
        for length in [100.0, 250] {
            var one = try Splits(run, every: Distance(length, .kilometers))
            #expect(one.rows.map(\.time) == [run.time] && one.rows[0].number == 1 && one.distance == run.distance)
            try one.progress(by: .seconds(10))
            #expect(one.finish == run.time)
        }
        var splits = try Splits(run, every: Distance(50, .kilometers))
        try splits.progress(by: .seconds(-60))
        #expect(splits.rows.map(\.time) == [.seconds(18_030), .seconds(17_970)])
        try splits.progress(by: .seconds(60))
        try splits.change(1, by: .milliseconds(1) - .seconds(18_000))
        #expect(splits.rows[0].time == .milliseconds(1))
        #expect(
            message { try splits.change(1, by: .microseconds(-1)) }
                == "split 1 would take no time; use a smaller change")
        try splits.change(2, by: .seconds(36_000_000) - splits.finish)
        #expect(splits.finish == .seconds(36_000_000))
        #expect(
            message { try splits.change(2, by: .microseconds(1)) }
                == "with this change, the run would take more than 10 000 h")
    }

    @Test("a track race with laps of 400 m ends with a half lap")
    func laps() throws {
        let splits = try Splits(try Run(runText: "5k in 20:00"), every: Distance(meters: 400))
        #expect(splits.rows.count == 13)
        #expect(splits.rows.last?.distance.meters == 200)
        #expect(
            message { try Splits(try Run(runText: "marathon in 4:00:00"), every: Distance(meters: 0.01)) }
                == "a run has at most 100 000 splits; make them longer")
    }
}
