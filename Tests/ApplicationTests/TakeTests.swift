import Application
import Glibc
import Shared
import SimulatedCardSupport
import Testing
import UserSettings

extension LiveTests {
    /// Recordings of the player.
    @Suite struct TakeTests {
        @Test("play records the microphone, with a log that has a frame for each boundary") func record() async throws {
            let home = Home()
            let card = try home.card()
            var request = PlayRequest(try home.write("brief.yaml", "bars: [0.4, 0.3, 0.5, 0.8]\n"))
            request.device[Setting.device] = card.device
            request.record.record = home.folder("take.flac")
            request.record[Setting.input] = try card.microphone(
                in: home.folder.path, ["skew_ppm": 100, "noise_db": -70])
            #expect(try await home.run(request) { try await $0.play() } == 0, "\(home.errors)")
            #expect(home.errors.contains("is not known and counts as 0 ms"), "\(home.errors)")
            #expect(home.folder.bytes("take.flac").starts(with: Array("fLaC".utf8)))
            let rows = home.folder.text("take.flac.csv").split(separator: "\n").dropFirst()
                .map { $0.split(separator: ",", omittingEmptySubsequences: false) }
            #expect(rows.map { $0.first } == ["1", "2", "3", "4"])
            let frames = rows.compactMap { Double($0[5]) }
            #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 } && frames.count == 4)
        }

        @Test("a recording or a log that is there already is kept; the new recording gets a number, and that is told")
        func kept() async throws {
            let home = Home()
            let card = try home.card()
            var request = PlayRequest(try home.write("brief.yaml", "bars: [0.1]\n"))
            request.device[Setting.device] = card.device
            request.record.record = home.folder("take.flac")
            request.record[Setting.input] = try card.microphone(in: home.folder.path, ["noise_db": -70])
            try home.folder.write("take.flac", "the best one")
            try home.folder.write("take-2.flac.csv", "a log")
            try home.folder.write("take-3.flac.part-a1B2c3", "a killed one")
            #expect(try await home.run(request) { try await $0.play() } == 0, "\(home.errors)")
            #expect(home.errors.contains("take.flac' exists; this recording becomes '"), "\(home.errors)")
            #expect(home.errors.contains("take-3.flac.part-a1B2c3' is left of a recording that was cut off"))
            #expect(home.folder.text("take.flac") == "the best one" && home.folder.text("take-2.flac.csv") == "a log")
            #expect(home.folder.bytes("take-3.flac").starts(with: Array("fLaC".utf8)))
            #expect(home.folder.text("take-3.flac.csv").contains("\n1,"))
            #expect(!home.files.contains("take-2.flac") && !home.files.contains("take.flac.csv"), "\(home.files)")
        }

        @Test(
            "a folder that is moved while the music plays takes both files of the recording with it, and that is told")
        func moved() async throws {
            let home = Home()
            let card = try home.card()
            let (old, new) = (home.folder("takes"), home.folder("moved"))
            try #require(mkdir(old, 0o777) == 0)
            var request = PlayRequest(try home.write("brief.yaml", "bars: [0.4, 0.3, 0.5, 0.8]\n"))
            request.device[Setting.device] = card.device
            request.record.record = old + "/take.flac"
            request.record[Setting.input] = try card.microphone(in: home.folder.path, ["noise_db": -70])
            let wanted = request
            async let code = home.run { try await wanted.play() }
            try await home.wait(for: "the music") { !home.bars.isEmpty }
            try #require(rename(old, new) == 0 && mkdir(old, 0o777) == 0)
            #expect(try await code == 0, "\(home.errors)")
            #expect(home.folder.bytes("moved/take.flac").starts(with: Array("fLaC".utf8)))
            #expect(home.folder.text("moved/take.flac.csv").contains("\n4,"))
            // Nothing else is in either folder.
            #expect(unlink(new + "/take.flac") == 0 && unlink(new + "/take.flac.csv") == 0)
            #expect(rmdir(new) == 0 && rmdir(old) == 0)
            #expect(home.errors.contains("the folder of the recording has been moved"), "\(home.errors)")
            #expect(home.errors.contains("moved/take.flac'"), "\(home.errors)")
        }

        @Test("a recording that cannot be made is refused before anything plays") func refused() async throws {
            let home = Home()
            let score = try home.write("brief.yaml", "bars: [0.1]\n")
            SimulatedCard.configureThisProcess()
            for (record, listen, code, message) in [
                ("take.mp3", false, Int32(64), "must end in .flac or .wav"),
                ("brief.yaml", false, 73, "give the recording another name"),
                ("take.flac", false, 69, "there is no microphone 'none'"),
                (nil, true, 69, "there is no microphone 'none'"),
                (nil, false, 64, "add --listen, or --record take.flac"),
            ] {
                var request = PlayRequest(score)
                request.device[Setting.device] = "null"
                (request.record.record, request.record.listen) = (record.map { home.folder($0) }, listen)
                request.record[Setting.input] = "none"
                #expect(try await home.run(request) { try await $0.play() } == code && home.text == "", "\(home.text)")
                #expect(home.errors.contains(message), "\(home.errors)")
            }
            #expect(home.files == ["brief.yaml"])
        }
    }
}
