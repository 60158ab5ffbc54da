internal import Testing

/// What a browser gets for the files of the page, by the network or from what it has kept.
@Suite struct ServiceWorkerTests {
    /// Asks for a file while the network answers as `network` says, with or without a kept copy; `late` says that it is not
    /// there after the worker's patience.
    private static let worker = """
        let wait = () => {};
        globalThis.setTimeout = (action) => ((wait = action), 1);
        globalThis.clearTimeout = () => {};
        globalThis.location = { origin: "https://stand" };
        globalThis.Response = { error: () => "an error" };
        const listeners = {};
        globalThis.self = { addEventListener: (name, action) => (listeners[name] = action), clients: {} };
        await import("./serviceworker.js");
        const rest = () => new Promise((done) => setImmediate(done));
        for (const [network, kept, late] of input) {
            let answer, refuse;
            globalThis.caches = { match: async () => kept ?? undefined };
            globalThis.fetch = (request, { signal } = {}) =>
                new Promise((resolve, reject) => {
                    [answer, refuse] = [resolve, reject];
                    signal?.addEventListener("abort", () => reject(new Error("aborted")));
                });
            let got;
            listeners.fetch({
                request: { method: "GET", url: "https://stand/music.js" },
                respondWith: (response) => response.then((value) => (got = value)),
            });
            if (late) wait();
            await rest();
            if (network === "away") refuse(new Error(network));
            else answer(network);
            await rest();
            console.log(got);
        }
        """

    @Test(
        "the network comes first; what is kept comes if it is away or slow, and without that a slow network is waited for",
        arguments: [
            ("new", "kept", false, "new"), ("new", "kept", true, "kept"), ("new", nil, true, "new"),
            ("away", "kept", false, "kept"), ("away", "kept", true, "kept"), ("away", nil, false, "an error"),
            ("away", nil, true, "an error"),
        ] as [(String, String?, Bool, String)])
    func answers(network: String, kept: String?, late: Bool, expected: String) throws {
        let found = try PageScript.run(
            Self.worker, input: "[[\"\(network)\", \(kept.map { "\"\($0)\"" } ?? "null"), \(late)]]")
        #expect(found.map { $0.joined(separator: " ") } == [expected])
    }
}
