internal import ArgumentParser
internal import Dispatch
internal import Playback
internal import Screen
internal import Timing

#if canImport(Glibc)
    internal import Glibc
#endif

/// A live performance at a terminal or in a pipe: conductor, screen, keys and signals around one output.
enum LivePlay {
    static func run(
        _ performance: Performance, output: sending any Output, sound: Status.Sound, flashes: Bool
    ) async throws {
        let conductor = Conductor(performance, output: output, sound: sound)
        let terminal = Terminal()
        let isStand = Terminal.isInteractive && Environment.values["TERM"] != "dumb"
        if isStand { terminal.hold() }
        defer { terminal.release() }
        let sources = signals(conductor) + (isStand ? [keys(conductor)] : [])
        defer { sources.forEach { $0.cancel() } }

        let running = Task<Void, any Error> { try await conductor.run() }
        if isStand {
            var screen = StandScreen(terminal, flashes: flashes, color: Terminal.hasColor(1))
            await watch(conductor.statuses, on: &screen)
        } else {
            var screen = LineScreen { terminal.write($0) }
            await watch(conductor.statuses, on: &screen)
        }
        if case .failure(let error) = await running.result {
            throw Failure.exit(.noDevice, "\(error)")
        }
    }

    /// Ctrl-C and its like end the music with a fade; a second one ends the program.
    private static func signals(_ conductor: Conductor) -> [any DispatchSourceProtocol] {
        signal(SIGPIPE, SIG_IGN)
        return Signals.handle { number in
            signal(number, SIG_DFL)
            Task { await conductor.perform(.stop) }
        }
    }

    private static func keys(_ conductor: Conductor) -> any DispatchSourceProtocol {
        let (commands, presses) = AsyncStream<Command>.makeStream()
        Task { for await command in commands { await conductor.perform(command) } }
        let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .global())
        // Only the source's own handler, one call at a time, touches the reader.
        nonisolated(unsafe) var keys = Keys()
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(0, &bytes, bytes.count)
            guard count > 0 else {
                // The terminal has gone away.
                presses.yield(.stop)
                source.cancel()
                return
            }
            for command in keys.commands(for: bytes[..<count]) { presses.yield(command) }
        }
        source.resume()
        return source
    }
}
