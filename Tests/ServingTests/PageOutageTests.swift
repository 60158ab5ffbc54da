internal import Testing

/// What the page says and does while the network is bad, gone, and back.
@Suite struct PageOutageTests {
    private static let connected = """
        const { ask, connect, live, on, player } = await load("connection");
        on("lost", () => {});
        connect();
        open();
        const timeline = { timeline: { first: 0, count: 2, total: 20, title: "" }, bars: [], brackets: [], hits: [] };
        const state = { state: { pausedAt: null, ended: "", zero: 0 }, beats: [], counts: [] };
        const play = () => (hear(timeline), hear(state));
        play();
        pass(1);
        const keys = () => sockets.flatMap(({ sent }) => sent).filter((text) => text.includes("key"));

        """

    @Test("a key has its time; the page says within two seconds that nobody answers it, until the network is back")
    func keys() throws {
        let found = try FakePage.run(
            Self.connected + """
                ask("key Space");
                console.log("sent", keys().map((key) => /^at \\d+ key Space$/.test(key)).join());
                const [, time] = keys()[0].split(" ");
                console.log("time", Math.abs(time / 1e6 - player.at(performance.now())) < 0.01);
                hear({ arrived: Number(time), inTime: 1 });
                pass(2.5);
                console.log("answered", text("note"));
                isBroken = true;
                ask("key Space");
                pass(1.9);
                console.log("waits", text("note"));
                pass(0.2);
                console.log("unheard", text("note"));
                isBroken = false;
                hear(state);
                console.log("back", text("note"));
                """)
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "sent true", "time true", "answered -", "waits -", "unheard no network: this is not sent", "back -",
            ])
    }

    @Test("a key that came too late is told so, and one whose answer was slow is not called unsent")
    func late() throws {
        let found = try FakePage.run(
            Self.connected + """
                const answer = (n, inTime) => hear({ arrived: Number(keys()[n].split(" ")[1]), inTime });
                ask("key Space");
                pass(2.5);
                console.log("unheard", text("note"));
                answer(0, 0);
                console.log("late", text("note"));
                ask("key Space");
                pass(2.5);
                answer(1, 1);
                console.log("slow", text("note"));
                """)
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "unheard no network: this is not sent", "late the network was too slow: this was not carried out",
                "slow -",
            ])
    }

    @Test("without a network, a key is refused at once; what the page says of that ends with the outage")
    func refused() throws {
        let found = try FakePage.run(
            Self.connected + """
                isBroken = true;
                pass(6);
                console.log(document.body.dataset.network, ask("key Space"), text("note"), keys().length);
                isBroken = false;
                pass(0.6);
                open();
                play();
                console.log(document.body.dataset.network, text("note"));
                """)
        #expect(
            found.map { $0.joined(separator: " ") } == ["gone false no network: this is not sent 0", "here -"])
    }

    @Test("the page tells of a change of the plan that nobody answers, or that was on its way as the network went")
    func plan() throws {
        let found = try FakePage.run(
            """
            const { PlanTable } = await load("plan");
            const sent = [];
            const table = new PlanTable((text, unheard) => sent.push({ text, unheard }));
            const lines = { add: {}, count: {}, pace: {}, length: {} };
            table.start(input.words, {}, lines);
            table.plan = { version: 7 };
            const field = find("field");
            table.edit("cell-time", "4:00", field, 0);
            table.edit("cell-pace", "5:00", field, 1);
            console.log("sent", sent.map(({ text }) => text).join());
            table.lose();
            console.log("lost", text("plan-message"));
            table.start(input.words, {}, lines);
            table.finish({ edited: 1, message: "" });
            table.edit("cell-time", "4:00", field, 0);
            table.edit("cell-pace", "5:00", field, 1);
            sent[1].unheard();
            console.log("unheard", text("plan-message"), sent[2].text);
            const alone = new PlanTable(() => false);
            alone.start(input.words, {}, lines);
            alone.plan = { version: 7 };
            alone.edit("cell-time", "4:00", field, 0);
            console.log(text("plan-message"));
            alone.start(input.words, {}, lines);
            console.log("here", text("plan-message"));
            """)
        let lost = "the network was lost: see whether your last change was made"
        #expect(
            found.map { $0.joined(separator: " ") } == [
                "sent plan 7 0 cell-time 4:00", "lost \(lost)", "unheard \(lost) plan 7 1 cell-pace 5:00",
                "no network: this is not sent", "here -",
            ])
    }
}
