internal import Foundation
internal import Glibc
internal import SimulatedCardWrappers

/// A clock for simulated cards, on the thread that sets it.
public protocol SimulatedCardClock: AnyObject {
    /// The time in nanoseconds, at least 0 and never decreasing. alsa-lib functions call it, so it must not call
    /// alsa-lib.
    var now: Int64 { get }
    /// Lets time pass until a time, which may be past already. alsa-lib functions call it, so it must not call
    /// alsa-lib.
    func sleep(until nanoseconds: Int64)
}

/// A clock that stands still unless it is advanced.
public final class SimulatedClock: SimulatedCardClock {
    /// The time in nanoseconds.
    public private(set) var now: Int64

    /// Creates a clock that shows this time, 0 or later.
    public init(now: Int64 = 0) { self.now = now }

    /// Advances to a time, unless it is past already.
    public func sleep(until nanoseconds: Int64) { now = max(now, nanoseconds) }

    /// Advances by this many nanoseconds.
    public func advance(by nanoseconds: Int64) { now += nanoseconds }
}

extension SimulatedCard {
    /// Makes the simulated cards that this thread opens and uses follow a clock until `body` returns. Open them
    /// non-blocking. Their descriptors never become ready: use `deadline` instead of polling.
    public static func withClock<Result, Failure: Error>(
        _ clock: any SimulatedCardClock, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let threads = Thread.current.threadDictionary
        let outer = threads[clockKey] as? Box
        let box = Box(clock)
        threads[clockKey] = box
        set(box)
        defer {
            threads[clockKey] = outer
            set(outer)
        }
        return try body()
    }

    /// When a poll of the open card would return, in nanoseconds of the card's clock. A time at or before now means at
    /// once; nil means never, or that the card is not open. Call `snd_pcm_poll_descriptors` first, which updates it as
    /// on a real card; afterwards, set `revents` to POLLIN and call `snd_pcm_poll_descriptors_revents`.
    public var deadline: Int64? {
        let deadline = id.withCString { Plugin.shared.deadline($0) }
        return deadline == .max ? nil : deadline
    }

    /// Makes all calls return that hang on this card, now and from now on.
    public func release() { id.withCString { Plugin.shared.release($0) } }

    /// How far CLOCK_REALTIME is ahead of every simulated clock, in nanoseconds.
    public static let realtimeAhead = simulated_card_realtime_ns

    private static let clockKey = "barline.simulated-card.clock"

    /// The plugin calls the clock's functions only while the dictionary of the thread holds the box.
    private static func set(_ box: Box?) {
        guard let box else { return Plugin.shared.setClock(nil) }
        var clock = simulated_card_clock(
            context: Unmanaged.passUnretained(box).toOpaque(),
            now_ns: { Box.of($0)?.clock.now ?? 0 },
            sleep_until: { Box.of($0)?.clock.sleep(until: $1) })
        Plugin.shared.setClock(&clock)
    }

    private final class Box {
        let clock: any SimulatedCardClock

        init(_ clock: any SimulatedCardClock) { self.clock = clock }

        static func of(_ context: UnsafeMutableRawPointer?) -> Box? {
            context.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue() }
        }
    }
}

/// The functions of the plugin that alsa-lib has loaded: the same path gives the same library.
private struct Plugin {
    let setClock: @convention(c) (UnsafePointer<simulated_card_clock>?) -> Void
    let deadline: @convention(c) (UnsafePointer<CChar>?) -> Int64
    let release: @convention(c) (UnsafePointer<CChar>?) -> Void

    static let shared: Plugin = {
        let library = dlopen(SimulatedCard.library, RTLD_NOW)
        guard let setClock = dlsym(library, "simulated_card_set_clock"),
            let deadline = dlsym(library, "simulated_card_deadline"),
            let release = dlsym(library, "simulated_card_release")
        else { fatalError("\(SimulatedCard.library) is not the simulated card's plugin: build it first") }
        return Plugin(
            setClock: unsafeBitCast(setClock, to: (@convention(c) (UnsafePointer<simulated_card_clock>?) -> Void).self),
            deadline: unsafeBitCast(deadline, to: (@convention(c) (UnsafePointer<CChar>?) -> Int64).self),
            release: unsafeBitCast(release, to: (@convention(c) (UnsafePointer<CChar>?) -> Void).self))
    }()
}
