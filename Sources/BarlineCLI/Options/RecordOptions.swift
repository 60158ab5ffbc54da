internal import Application
internal import ArgumentParser
internal import Languages
internal import UserSettings

/// Options for recording while music plays.
struct RecordOptions: ParsableArguments {
    @Option(
        help: .localized(
            "Record the player to this .flac or .wav file, which `barline listen` then reads without a search.",
            valueName: "file"), completion: .file(extensions: ["flac", "wav"]))
    var record: String?

    @Flag(
        help: .localized(
            "Listen to the player: show how early or late each bar begins, and how far each note is out of tune."))
    var listen = false

    @Option(help: .localized("The microphone: an ALSA device, see `barline devices --inputs`.", valueName: "name"))
    var input: String?

    /// The same for the application.
    var request: RecordRequest {
        var request = RecordRequest()
        (request.record, request.listen) = (record, listen)
        request[Setting.input] = input
        return request
    }
}
