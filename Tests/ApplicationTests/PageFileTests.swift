import Application
import Formats
import Running
import Scores
import Testing
import Timing

/// What pages make of the music, and play in place of it.
@Suite struct PageFileTests {
    @Test("a score that a page makes has the speed, the drone and the A4 that are heard")
    func score() throws {
        let page = try #require(Score.read(Array("drone: A3\nbars: [2, 3]\n".utf8), file: "x.yaml").score)
        var performance = Performance(of: page, passage: Passage(Timeline(page)))
        let speed = try #require(Speed(millionths: 800_000))
        performance.drone?.pitch = .note(69, cents: 0)
        performance.a4 = 442
        let heard = page.sounding(as: performance, speed)
        #expect(heard.speed == speed && heard.a4 == 442 && heard.drone?.pitch == .note(69, cents: 0))
        let yaml = heard.yaml(stating: [])
        #expect(yaml.contains("speed: 80%") && yaml.contains("drone: A4"), "\(yaml)")
        performance.isDroneMuted = true
        #expect(page.sounding(as: performance, speed).drone == nil)
    }

    @Test("a plan that a page starts has the name that it has on the command line")
    func plan() throws {
        for text in ["run 10:00 @ 5:00/km, walk 5:00", "count-in: 3, 4x(run 1:00, walk 0:30)"] {
            #expect(try Plan(runText: text).typed == text)
        }
        let titled = try Plan(runText: "title: Long, long\nrun 1:00")
        #expect(try Plan(runText: titled.typed) == titled)
    }
}
