internal import Running
internal import Testing

internal import Serving

/// The messages of pages about runs and plans.
@Suite struct DeskRequestTests {
    @Test("every request about runs and plans is read")
    func requests() throws {
        #expect(PageRequest("running show") == .running)
        #expect(PageRequest("pace distance 10 km") == .pace(.value(.distance, "10 km")))
        #expect(PageRequest("pace lock time") == .pace(.lock(.time)))
        #expect(PageRequest("pace unit pace") == .pace(.unit(.pace)))
        #expect(PageRequest("pace reset now") == .pace(.reset))
        let known = try #require(KnownRun("mi min/mi 10mi @ 9:00/mi"))
        #expect(PageRequest("pace restore mi min/mi 10mi @ 9:00/mi") == .pace(.restore(known)))
        func plan(_ text: String) -> DeskRequest.Change? {
            guard case .plan(let request) = PageRequest("plan 7 3 \(text)") else { return nil }
            #expect(request.version == 7 && request.row == 3)
            return request.change
        }
        #expect(plan("add run 0:30") == .edit(.line(.add, "run 0:30")))
        #expect(plan("total 5mi in 50:00") == .edit(.line(.total, "5mi in 50:00")))
        #expect(plan("cell-pace 4:30") == .edit(.cell(.value(.pace), "4:30")))
        #expect(plan("cell-name walk") == .edit(.cell(.name, "walk")))
        #expect(plan("lock pace") == .edit(.lock(.pace)))
        #expect(plan("unit pace") == .edit(.paceUnit))
        #expect(plan("start") == .start && plan("save") == .save)
        for act in PlanEditor.Act.allCases { #expect(plan("\(act)") == .edit(.act(act))) }
    }

    @Test("any other text is not a request", arguments: DeskRequestTests.strange)
    func others(text: String) { #expect(PageRequest(text) == nil, "\(text)") }

    static let strange = [
        "running", "running hide", "pace", "pace ", "pace distance", "pace distance ", "pace speed 10", "pace lock",
        "pace lock everything", "pace unit weight", "pace reset", "pace reset all", "pace restore", "pace restore km",
        "pace restore km min/km 10km", "pace restore km min/km 10km @ 0:00/km", "pace restore ly min/km 10km in 1:00",
        "plan", "plan show", "plan 1", "plan 1 2", "plan 1 2 ", "plan 1 2 erase", "plan 1 2 add", "plan 1 2 add ",
        "plan -1 2 delete", "plan 1 -2 delete", "plan 01 2 delete", "plan 1 2 delete now", "plan 1 2 start now",
        "plan 1 99999999999999999999 delete", "plan 1 1000000000 delete", "plan  1 2 delete", "plan 1 2 cell-weight 70",
        "plan 1 2 cell-pace", "plan 1 2 lock", "plan 1 2 lock everything", "plan 1 2 unit time", "plan x y delete",
    ]
}
