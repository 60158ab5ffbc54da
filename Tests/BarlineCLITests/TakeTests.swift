internal import Foundation
internal import Glibc
internal import Shared
internal import SimulatedCardSupport
internal import Testing

/// How long bars were held: `report --taps`, `play --record` and `doctor --latency`.
@Suite struct TakeTests {
    private static let tapped = """
        index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags,line,bar
        1,A,0,0,0,0,0,0,,1,1
        1,A,0,0.01,0,0,0,0,tap,1,1
        2,,2,2,0,0,0,0,,1,2
        2,,2,2.11,0,0,0,0,tap,1,2
        3,,3,3,0,0,0,0,,2,1
        3,,3,3.01,0,0,0,0,tap,2,1
        4,,5,5,0,0,0,0,,2,2
        4,,5,5.31,0,0,0,0,tap,2,2
        5,,6,6,0,0,0,0,muted,3,1
        5,,6,6.21,0,0,0,0,tap,3,1

        """

    @Test("taps in a timing log show how long each bar was held, as text, JSON, CSV and a picture")
    func taps() async throws {
        let scratch = try Scratch()
        try scratch.write("log.csv", Self.tapped)
        let outcome = try await Program.run(["report", "log.csv", "--taps", "--svg", "held.svg"], in: scratch)
        #expect(outcome.code == 0 && outcome.errors == "", "\(outcome.errors)")
        let lines = outcome.text.split(separator: "\n").map(String.init)
        #expect(
            lines[1].hasPrefix("       1.1  A        0.00    0.01  +0.01     2.00  2.10       +0.10   +5"),
            "\(lines[1])")
        #expect(lines.contains { $0.hasPrefix("       1     2              +0.20  +10") }, "\(outcome.text)")
        #expect(
            lines.last
                == "4 of 5 bars are measured, taps +110 ms from their boundaries, spread 148 ms, tempo 96.8 % of what is written"
        )
        #expect(String(decoding: try scratch.read("held.svg"), as: UTF8.self).hasSuffix("</svg>\n"))
        let json = try await Program.run(["report", "log.csv", "--taps", "--json"], in: scratch)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any])
        let bars = try #require(object["bars"] as? [[String: Any]])
        #expect(bars.count == 5 && object["measured"] as? Int == 4 && object["spare_taps"] as? Int == 0)
        #expect(bars[3]["held_s"] as? Double == 0.9 && bars[3]["place"] as? String == "2.2")
        let csv = try await Program.run(["report", "log.csv", "--taps", "--csv"], in: scratch)
        #expect(
            csv.text.hasPrefix(
                "place,label,begins_s,tapped_s,late_s,written_s,held_s,difference_s,percent,begins_again\n"))
        #expect(csv.text.contains("\n1.2,,2.000000,2.110000,0.110000,1.000000,0.900000,-0.100000,-10.00,false\n"))
        // The timing of the clicks is that of the boundaries alone.
        let timing = try await Program.run(["report", "log.csv"], in: scratch)
        #expect(timing.text.hasPrefix("bars   5, heard 5, lost 0, late 0\n"))
        #expect(timing.text.contains("taps   5; --taps shows how long each bar was held\n"))
    }

    @Test("a log without taps, and options that contradict each other, are refused")
    func refused() async throws {
        let scratch = try Scratch()
        try scratch.write(
            "log.csv", "index,label,nominal_s,heard_s,error_us,frame,rate_ppm,uncertainty_us,flags\n1,,0,0,0,0,0,0,\n")
        try scratch.write("brief.yaml", "bars: [0.1]\n")
        for (arguments, code, message) in [
            (["report", "log.csv", "--taps"], Int32(65), "has no bar that was tapped"),
            (["report", "log.csv", "--csv"], 64, "--csv needs --taps"),
            (["report", "log.csv", "log.csv", "--taps"], 64, "--taps takes one timing log"),
            (["doctor", "--input", "x"], 64, "--input needs --latency"),
            (["doctor", "--taps"], 64, "--taps needs --latency"),
            (["doctor", "--latency", "--taps", "--input", "none"], 64, "--taps needs a terminal"),
            (["doctor", "--latency", "--device", "none"], 69, "there is no sound device 'none'"),
            (["doctor", "--latency", "--device", "null", "--input", "none"], 69, "there is no microphone 'none'"),
            (["play", "brief.yaml", "--record", "take.mp3"], 64, "must end in .flac or .wav"),
            (["play", "brief.yaml", "--record", "brief.yaml"], 73, "give the recording another name"),
            (["play", "brief.yaml", "--record", "take.flac", "--input", "none"], 69, "there is no microphone 'none'"),
            (["play", "brief.yaml", "--input", "none"], 64, "add --listen, or --record take.flac"),
            (["log", "--taps"], 0, ""),
        ] {
            let outcome = try await Program.run(arguments, in: scratch)
            #expect(
                outcome.code == code && (message.isEmpty || outcome.errors.contains(message)),
                "\(arguments): \(outcome.errors)")
        }
        #expect(try scratch.names == ["brief.yaml", "log.csv"])
    }

    @Test("play records the microphone, with a log that has a frame for each boundary")
    func record() async throws {
        let scratch = try Scratch(devices: SimulatedCard.configuration)
        try scratch.write("brief.yaml", "bars: [0.4, 0.3, 0.5, 0.8]\n")
        let card = try SimulatedCard(in: scratch.folder, [:])
        let input = try card.microphone(in: scratch.folder, ["skew_ppm": 100, "noise_db": -70])
        let outcome = try await Program.run(
            ["play", "brief.yaml", "--device", card.device, "--record", "take.flac", "--input", input], in: scratch,
            environment: ["LD_PRELOAD": SimulatedCard.preload])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("is not known and counts as 0 ms"), "\(outcome.errors)")
        #expect(try scratch.read("take.flac").starts(with: Array("fLaC".utf8)))
        let rows = String(decoding: try scratch.read("take.flac.csv"), as: UTF8.self).split(separator: "\n").dropFirst()
        #expect(rows.map { $0.split(separator: ",").first.map(String.init) } == ["1", "2", "3", "4"])
        let frames = rows.compactMap { Double($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 } && frames.count == 4)
    }
}
