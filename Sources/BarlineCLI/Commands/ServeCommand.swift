internal import ArgumentParser

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Play a score, and show it on a page that phones, tablets and projectors open in a browser.",
        discussion: """
            Prints two addresses: one opens a page that shows and controls the music, the other a page that only watches. \
            They are for browsers on this machine; --lan lets the other devices of the local network open them, too. \
            Whoever knows an address can use it, until the program ends.

              barline serve sequenza-vii --lan
            """)

    @OptionGroup var play: PlayCommand

    func run() async throws {
        var play = play
        play.serve = true
        try await play.run(atTerminal: false)
    }
}
