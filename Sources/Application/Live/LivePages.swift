internal import Formats
internal import Languages
internal import Playback
internal import Running
internal import Scores
internal import Screens
internal import Serving
internal import Session
internal import Timing

/// The pages in browsers that watch and control the performances of this program, one after the other.
final class LivePages: Sendable {
    private let server: PageServer
    private let stand = Stand()
    private let addresses: [String]
    private let isInNetwork: Bool
    /// The scores that pages choose, and the files that they have made.
    let shelf: LiveShelf

    /// Opens the server; scores that pages choose are played as `playing` wants it. Errors: a message with the exit code, if
    /// there is no library or port.
    ///
    /// `canWait` says whether intervals of a plan can last until the lap button.
    init(_ request: ServeRequest, _ playing: PlayRequest, canWait: Bool) throws {
        var choice = try request.settings()
        choice.settings.choices = try playing.stand.choices()
        server = try Failure.exitOnError(.noDevice) { try PageServer(choice.settings) }
        isInNetwork = request.lan
        let port = server.port
        addresses = choice.shown.map { "http://\($0):\(port)" }
        shelf = LiveShelf(playing, canWait: canWait) { [weak server] in server?.tell($0, $1) }
        server.offer(shelf)
        server.startPlans { [shelf] plan in shelf.start(plan) }
    }

    /// Directs requests to this performance from now on; returns the screen that shows it on the pages.
    func conduct(_ conductor: Conductor, _ words: any PieceWords, _ hearing: LiveHearing?) -> PageScreen {
        server.listen { [stand] request, status in
            do throws(TextError) {
                for command in try request.commands(on: stand, status, at: monotonicNanoseconds()) {
                    if command == .stop { StandardStream.end() }
                    conductor.send(command)
                }
                return nil
            } catch {
                return "\(error)"
            }
        }
        return PageScreen(server, words, tuner: { hearing?.tuner }) { [shelf] in
            shelf.giveBack()
            // On a busy machine, the threads of the music before still end.
            ControlLoop.shared.after(.seconds(2)) { shelf.giveBack() }
        }
    }

    /// Gives followers the score that begins, as this performance tunes it, and the plan that it is.
    func share(_ score: Score, _ performance: Performance, _ plan: Plan?) {
        var score = score
        (score.a4, score.tuning) = (performance.a4, performance.tuning)
        // The files of a scale are on this machine alone.
        var scale: Tuning.Scale?
        if case .scala = score.tuning.scale {
            (scale, score.tuning.scale) = (score.tuning.scale, .temperament(.equal))
        }
        let played = PlayedScore(score, passage: performance.passage, speed: .asWritten)
        guard let writing = try? Format.yaml.write(played) else { return }
        server.share(writing.bytes, plan: plan?.text ?? "", scale: scale)
    }

    /// Prints the addresses with their secrets, for the player alone.
    func announce() {
        let lines = addresses.map { address in
            localized(
                """
                control:    \(address + server.path(mayControl: true))
                only watch: \(address + server.path(mayControl: false))
                """) + "\n"
        }
        StandardError.write(lines.joined())
        if isInNetwork, StandardError.isTerminal { announceCode() }
    }

    /// Prints an address for each player of an ensemble, which shows the own voice everywhere.
    func announce(voices: [String]) {
        guard voices.count > 1, let address = addresses.first else { return }
        for voice in voices {
            let own = address + server.path(mayControl: false, voice: voice)
            StandardError.write("\(voice): \(own)".printable + "\n")
            if isInNetwork, StandardError.isTerminal, let code = code(own) { StandardError.write(code) }
        }
    }

    /// Everyone who is connected.
    var guests: [Guest] { server.guests }

    /// The addresses for the stand: those of the first network, and of each voice.
    func invitations(voices: [String]) -> [Invitation] {
        guard let address = addresses.first else { return [] }
        func invitation(_ title: String, _ path: String) -> Invitation {
            Invitation(title, address + path, code: QRCode(address + path)?.rows ?? [])
        }
        return [
            invitation(localized("only watch"), server.path(mayControl: false)),
            invitation(localized("control"), server.path(mayControl: true)),
        ]
            + (voices.count > 1 ? voices : [])
            .map { invitation($0, server.path(mayControl: false, voice: $0)) }
    }

    /// An address as a QR code; nil if there can be none.
    private func code(_ address: String) -> String? {
        guard Environment[.terminal] != "dumb" else { return nil }
        return QRCode(address)?.text(hasColor: StandardError.hasColor)
    }

    /// Prints the first address as a QR code for the phones of the network.
    private func announceCode() {
        guard let address = addresses.first, Environment[.terminal] != "dumb" else { return }
        guard let code = code(address + server.path(mayControl: true)) else {
            return Failure.say(localized("note: there is no QR code; `apt install \(QRCode.package)` adds it"))
        }
        StandardError.write(localized("to control, photograph this with a phone:") + "\n" + code)
    }

    /// The first address that controls, for a line on the screen.
    var shortAnnouncement: String {
        addresses.first.map { localized("page: \($0 + server.path(mayControl: true))") } ?? ""
    }

    /// Ends the server.
    func end() {
        server.end()
        shelf.end()
    }
}
