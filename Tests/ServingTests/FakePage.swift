internal import Scores
internal import Screens

/// Modules of the page that touch its elements and its network, run without a browser: the elements remember what is written into
/// them, and time passes only when a test says so.
enum FakePage {
    /// Runs a script, which may load modules with `load` and has these at hand:
    /// - `text(id)`, what an element says, and `find(id)`, the element
    /// - `sockets`, the connections that the page has opened, with what it has `sent`; `open(welcome)` opens the newest, and
    ///   `hear(message)` sends the page a message over it
    /// - `pass(seconds)`, which lets time pass, with all timers
    /// - `input.given`, what the test gives, and `input.texts` and `input.words`, the texts of the page.
    static func run(_ script: String, given: String = "null") throws -> [[Substring]] {
        func object(_ words: [(name: String, text: String)]) -> JSON {
            .fields(words.map { ($0.name, .text($0.text)) })
        }
        let (texts, words) = (object(PageWords.music).line, object(PageWords.running).line)
        return try PageScript.run(
            head + script, input: #"{"texts": \#(texts), "words": \#(words), "given": \#(given)}"#)
    }

    private static let head = """
        const elements = new Map();
        const listeners = new Map();
        const addEventListener = (name, listener) => listeners.set(name, [...(listeners.get(name) ?? []), listener]);
        const fire = (name, event = {}) => (listeners.get(name) ?? []).forEach((listener) => listener(event));
        class Element {
          textContent = "";
          value = "";
          hidden = false;
          dataset = {};
          children = [];
          attributes = new Map();
          inside = new Map();
          classes = new Set();
          constructor(name = "div") {
            this.tagName = name.toUpperCase();
            this.style = { setProperty: (key, value) => this.attributes.set(key, value), removeProperty: () => {} };
            const classes = this.classes;
            this.classList = {
              add: (each) => classes.add(each), remove: (each) => classes.delete(each), contains: (each) => classes.has(each),
              toggle: (each, isOn = !classes.has(each)) => (isOn ? classes.add(each) : classes.delete(each)),
            };
          }
          setAttribute(key, value) { this.attributes.set(key, value); }
          getAttribute(key) { return this.attributes.get(key) ?? null; }
          removeAttribute(key) { this.attributes.delete(key); }
          toggleAttribute(key, isOn) { isOn ? this.setAttribute(key, "") : this.removeAttribute(key); }
          append(...more) { this.children.push(...more); }
          replaceChildren(...more) { this.children = more; }
          querySelector(name) { return this.inside.get(name) ?? this.inside.set(name, new Element()).get(name); }
          querySelectorAll() { return []; }
          get lastChild() { return this.querySelector("last"); }
          addEventListener() {}
          dispatchEvent() {}
          cloneNode() { return new Element(); }
          click() { clicked.push(Object.fromEntries(this.attributes)); }
        }
        const clicked = [];
        const find = (id) => elements.get(id) ?? elements.set(id, new Element()).get(id);
        const text = (id) => find(id).textContent || "-";
        const stored = new Map();
        const storage = {
          getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => stored.set(key, `${text}`),
          removeItem: (key) => stored.delete(key),
        };
        const sockets = [];
        let now = 1000;
        let timers = [];
        class Socket {
          static OPEN = 1;
          constructor() {
            Object.assign(this, { readyState: 0, sent: [] });
            sockets.push(this);
          }
          send(text) {
            this.sent.push(text);
            // A network that answers at once; a broken one swallows everything.
            if (isBroken) return;
            if (/^clock -?\\d+$/.test(text)) hear({ clock: Number(text.split(" ")[1]), at: now / 1000 + 50 }, this);
          }
          close() {
            this.readyState = 3;
          }
        }
        let isBroken = false;
        const hear = (message, socket = sockets.at(-1)) => socket.onmessage({ data: JSON.stringify(message) });
        const welcome = { welcome: "control", words: {}, texts: input.texts, keys: [], questions: { place: { name: "", asks: "" } }, language: "en" };
        find("question").value = "place";
        function open() {
          const socket = sockets.at(-1);
          socket.readyState = 1;
          socket.onopen();
          hear(welcome);
        }
        function pass(seconds) {
          const end = now + seconds * 1000;
          while (true) {
            const due = timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
            if (!due) break;
            now = Math.max(now, due.at);
            if (due.every) due.at += due.every;
            else timers = timers.filter((each) => each !== due);
            due.act();
          }
          now = end;
        }
        let numbers = 0;
        const wait = (act, delay = 0, every = 0) => (timers.push({ id: (numbers += 1), at: now + delay, act, every }), numbers);
        const cancel = (id) => (timers = timers.filter((each) => each.id !== id));
        const define = (name, value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
        const body = new Element();
        for (const [name, value] of Object.entries({
          document: {
            body, documentElement: new Element(), getElementById: find, createElement: (name) => new Element(name), visibilityState: "visible",
            addEventListener, querySelector: (name) => body.querySelector(name), querySelectorAll: () => [], activeElement: null,
          },
          window: globalThis, addEventListener, navigator: {}, dispatchEvent: () => {}, location: { protocol: "http:", host: "x", hash: "#secret", origin: "http://x" },
          localStorage: storage, sessionStorage: storage,
          WebSocket: Socket, performance: { now: () => now, getEntriesByType: () => [] }, setTimeout: wait, clearTimeout: cancel,
          setInterval: (act, every) => wait(act, every, every), clearInterval: cancel,
          requestAnimationFrame: (act) => wait(() => act(now), 16), matchMedia: () => ({ matches: false }),
          Option: class { constructor(text, value) { Object.assign(this, { text, value }); } },
        })) define(name, value);
        const load = (name) => import(`./${name}.js`);

        """
}
