internal import ArgumentParser
internal import Languages

/// Options for music under a rendering.
struct BackingOptions: ParsableArguments {
    @Option(
        name: .customLong("over"), parsing: .upToNextOption,
        help: .localized(
            "Music to render the cues over: sound files and folders, one after the other.", valueName: "music"))
    var names: [String] = []
}
