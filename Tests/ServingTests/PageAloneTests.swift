internal import Testing

/// What a page shows while it is alone, and what it has kept from before.
@Suite struct PageAloneTests {
    private static func lines(_ script: String) throws -> [String] {
        try FakePage.run(script).map { $0.joined(separator: " ") }
    }

    @Test("a page that was lost in a pause says that it is alone, and since when: the music may have gone on")
    func paused() throws {
        let found = try Self.lines(
            """
            const { showLamp } = await load("lamp");
            const { live } = await load("live");
            Object.assign(live, { texts: input.texts, words: { paused: "PAUSED", end: "END" }, aloneSince: new Date(2026, 0, 1, 14, 46) });
            for (const [network, kind] of [["here", "paused"], ["gone", "paused"], ["gone", "playing"], ["gone", "end"]]) {
              body.dataset.network = network;
              showLamp(kind);
              console.log(body.dataset.lamp, "|", text("state"), "|", text("lamp-more"));
            }
            """)
        #expect(
            found == [
                "paused | PAUSED | -", "alone | alone | PAUSED, no network since 14:46:00",
                "alone | alone | no network since 14:46:00", "end | END | -",
            ])
    }

    @Test(
        "what a page shows when it is opened without a network is what it knew last, and not what it supposed while it was alone"
    )
    func kept() throws {
        let found = try Self.lines(
            """
            const { welcome: keepFrom } = await load("offline");
            body.dataset.network = "here";
            find("place").textContent = "bar 1";
            keepFrom();
            pass(6);
            const [known, time] = [stored.get("shown"), Date.now()];
            body.dataset.network = "gone";
            find("place").textContent = "bar 3";
            pass(20);
            fire("pagehide");
            console.log(JSON.parse(known).texts.place, stored.get("shown") === known, JSON.parse(known).time <= time);
            """)
        #expect(found == ["bar 1 true true"])
    }

    @Test("who is connected and what a microphone hears are not shown as they were before the network was lost")
    func heard() throws {
        let found = try Self.lines(
            """
            const { tell } = await load("live");
            await load("guests");
            await load("heard");
            tell("guests", { guests: ["page 1", "page 2"] });
            tell("pitch", { pitch: { note: "A4 +12 ¢", beats: 3 } });
            pass(0.5);
            const turned = () => find("strobe-note").attributes.get("--shift");
            console.log(find("guest-list").children.length, text("pitch-note"), turned() !== undefined);
            tell("lost");
            const before = turned();
            pass(0.5);
            console.log(find("guest-list").children.length, text("pitch-note"), turned() === before);
            """)
        #expect(found == ["2 A4 +12 ¢ true", "0 - true"])
    }

    @Test("a file that was being made or sent as the network was lost is told, and leaves no progress behind")
    func files() throws {
        let found = try Self.lines(
            """
            const { tell, live } = await load("live");
            await load("connection").then(({ connect }) => connect());
            await load("shelf");
            open();
            body.dataset.network = "here";
            pass(1);
            tell("making", { making: "Long.mp3", percent: 56 });
            find("own").files = [{ name: "one.yaml", size: 5 }];
            find("own").onchange();
            console.log(find("making").hidden, sockets[0].sent.some((text) => text.endsWith(" drop one.yaml")), text("problems"));
            isBroken = true;
            pass(2.1);
            console.log("unheard", text("problems"));
            pass(4);
            console.log("lost", find("making").hidden, text("problems"));
            """)
        #expect(
            found == [
                "false true -", "unheard one.yaml could not be sent",
                "lost true Long.mp3 was not finished: the network was lost",
            ])
    }

    @Test("a file is called downloaded once Barline has sent it, and not before")
    func downloads() throws {
        let found = try Self.lines(
            """
            const { tell, live } = await load("live");
            await load("shelf");
            live.texts = input.texts;
            tell("made", { made: "a.csv", ticket: "1" });
            console.log("made", text("told"), clicked.length);
            tell("fetching", { fetching: "a.csv" });
            pass(60);
            console.log("begun", text("told"), text("problems"));
            tell("fetched", { fetched: "a.csv", isWhole: 1 });
            console.log("whole", text("told"), text("problems"));
            tell("made", { made: "a.csv", ticket: "2" });
            pass(11);
            console.log("refused", text("told"), text("problems"));
            tell("fetched", { fetched: "a.csv", isWhole: 0 });
            console.log("broken", text("told"), text("problems"));
            """)
        let failed = "- a.csv could not be downloaded: make it again"
        #expect(
            found == [
                "made a.csv is ready 1", "begun a.csv is ready -", "whole a.csv is downloaded -", "refused \(failed)",
                "broken \(failed)",
            ])
    }

    @Test("music that goes on beyond the bars that a page knows is not shown as standing in the last of them")
    func unknown() throws {
        let found = try Self.lines(
            """
            const { Music } = await load("music");
            const bars = [0, 2].map((start) => ({ start, duration: 2, written: start, length: 2, holds: [] }));
            const state = { zero: 0, time: 0, position: 0, speed: 1, pausedAt: null, held: null, countsTo: null, begins: null, ended: "" };
            for (const [count, total] of [[9, 18], [null, null], [2, null]]) {
              const music = new Music({ first: 0, count, total }, bars, state, []);
              console.log([3.9, 4.1].map((now) => `${music.moment(now).kind} ${music.moment(now).bar?.n ?? "none"} ${music.moment(now).isSilent ?? false}`).join());
            }
            """)
        #expect(
            found == [
                "playing 1 false,playing none true", "playing 1 false,playing none true",
                "playing 1 false,playing 1 false",
            ])
    }
}
