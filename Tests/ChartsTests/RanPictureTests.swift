import Foundation
import Running
import Charts
import Testing

struct RanPictureTests {
    @Test("a picture has a step for each interval that was run, and the speed as one line within its frame")
    func steps() throws {
        let table = try PlanTable(Plan(runText: "run 1:00 @ 4:00/km, walk 1:00 @ 10:00/km, run 1:00 @ 4:00/km"))
        let track = (0...180).map { second in
            let seconds = Double(second)
            let before = min(seconds, 60) * 4.1 + min(max(seconds - 60, 0), 60) * 1.6
            return Activity.Point(seconds: seconds, meters: before + max(seconds - 120, 0) * 4.2)
        }
        for activity in [
            Activity(track: track), Activity(laps: [.init(seconds: 60, meters: 250), .init(seconds: 60, meters: 100)]),
        ] {
            let ran = try RanPlan(table, activity)
            let svg = RanPicture.svg(ran, activity, title: "Tuesday", unit: .kilometers)
            let steps = svg.components(separatedBy: "<rect class=\"step").count - 1
            // The legend has one more of each, and only what is in the picture.
            let unsure = ran.rows.contains { $0.ran != nil && !$0.isSure }
            #expect(steps == ran.rows.count { $0.ran != nil && $0.state == .done } + (unsure ? 2 : 1) && steps > 1)
            #expect(svg.components(separatedBy: "<path class=\"line\"").count == 3)
            #expect(svg.contains("Tuesday") && svg.contains("km/h") && !svg.contains("cut short"))
            #expect(svg.contains("missing: 3") == activity.track.isEmpty)
        }
    }
}
