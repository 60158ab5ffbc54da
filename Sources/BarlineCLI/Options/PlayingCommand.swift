internal import Application
internal import ArgumentParser
internal import UserSettings

/// A command that plays scores. Each has these options itself: the parser takes four times as long per level of groups.
protocol PlayingCommand: PlainCommand {
    var performanceOptions: PerformanceOptions { get }
    var deviceOptions: DeviceOptions { get }
    var clockOptions: ClockOptions { get }
    var standOptions: StandOptions { get }
    var practiceOptions: PracticeOptions { get }
    var notifyOptions: NotifyOptions { get }
    var setListOptions: SetListOptions { get }
    var recordOptions: RecordOptions { get }
    var timecodeOptions: TimecodeOptions { get }
    var cableOptions: CableOptions { get }
}

extension PlayingCommand {
    /// The same for the application.
    func request(_ score: String?, _ pages: ServeOptions?, atTerminal: Bool) throws -> PlayRequest {
        try OptionText.checkInputs([score] + setListOptions.next)
        var request = PlayRequest(score)
        (request.next, request.resume) = (setListOptions.next, setListOptions.resume)
        request[Setting.wait] = setListOptions.wait.map(Optional.some)
        request[Setting.notify] = notifyOptions.notify
        (request.performance, request.practice) = (try performanceOptions.request(), practiceOptions.request)
        request.performance[Setting.countInOnJumps] = setListOptions.countInOnJumps
        (request.device, request.timecode) = (deviceOptions.request, timecodeOptions.request)
        (request.cables, request.clock) = (cableOptions.request, try clockOptions.request())
        (request.stand, request.record) = (standOptions.request, recordOptions.request)
        (request.pages, request.atTerminal) = (pages?.request, atTerminal)
        return request
    }
}
