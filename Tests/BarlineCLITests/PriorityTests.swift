internal import Foundation
internal import Glibc
internal import Shared
internal import Testing

/// Real-time priority where the system gives it to no user: Barline asks RealtimeKit. Here a stand-in records the
/// requests.
@Suite struct PriorityTests {
    /// The stand-in: owns RealtimeKit's name on the bus, writes each request to a file, and grants it if `answer` is
    /// "yes".
    private static let kit = """
        import sys
        from jeepney import MessageType, new_error, new_method_return
        from jeepney.bus_messages import message_bus
        from jeepney.io.blocking import open_dbus_connection

        answer, path = sys.argv[1:]
        bus = open_dbus_connection()
        bus.send_and_get_reply(message_bus.RequestName("org.freedesktop.RealtimeKit1"))
        print(file=open(path, "w"))
        while True:
            message = bus.receive()
            if message.header.message_type != MessageType.method_call:
                continue
            limits = next(line for line in open(f"/proc/{message.body[0]}/limits") if "realtime timeout" in line)
            print(*message.body, *limits.split()[3:5], file=open(path, "a"))
            if answer == "yes":
                bus.send(new_method_return(message))
            else:
                bus.send(new_error(message, "org.freedesktop.DBus.Error.AccessDenied"))
        """

    /// Runs a program without the right to real-time priority.
    private static var wrapper: [String] {
        let drops = getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-sys_nice"] : []
        return drops + ["/usr/bin/prlimit", "--rtprio=0"]
    }

    @Test(
        "if the system refuses real-time priority, Barline asks RealtimeKit, and the music plays whatever that says",
        arguments: [
            ("yes", "real-time priority by RealtimeKit"), ("no", "RealtimeKit=Permission denied"),
            (nil, "RealtimeKit=No such file or directory"),
        ] as [(String?, String)])
    func realtimeKitIsAsked(answer: String?, said: String) async throws {
        let scratch = try Scratch()
        try scratch.write("kit.py", PriorityTests.kit)
        try scratch.write("long.yaml", "bars: [600]\n")
        let desktop = try await Desktop.make(hasDaemon: false)
        let asked = scratch.folder + "/asked"
        var kit: Child?
        defer { kit?.end() }
        if let answer {
            kit = try Child([try Python.path(), scratch.folder + "/kit.py", answer, asked], desktop.environment)
            try await Slots.run {
                try wait(for: "RealtimeKit") { FileManager.default.fileExists(atPath: asked) }
            }
        }
        let bus = answer == nil ? "unix:path=/nowhere" : desktop.environment["DBUS_SESSION_BUS_ADDRESS"]
        let outcome = try await Program.run(
            ["play", "long.yaml", "--device", "null"], in: scratch,
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": try #require(bus), "BARLINE_LOG": "debug"],
            wrapper: PriorityTests.wrapper
        ) { running in
            if running.text.contains(said), running.text.contains(" 1.1 ") { running.sendOnce(SIGINT) }
        }
        #expect(outcome.code == 0 && outcome.errors.contains(said), "\(outcome.errors)")
        #expect(outcome.errors.contains("no real-time priority") == (answer != "yes"))
        guard answer != nil else { return }
        let words = try String(contentsOfFile: asked, encoding: .utf8).split(whereSeparator: \.isWhitespace)
        // The thread, the priority, and the soft and hard limits in µs for running without a pause at real-time
        // priority.
        #expect(words.count == 4 && words.dropFirst() == ["10", "100000", "200000"])
    }
}
