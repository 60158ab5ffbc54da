internal import Foundation
internal import Glibc
internal import SimulatedCardWrappers

/// A clock that simulated cards live by, on the thread that asks for it.
public protocol SimulatedCardClock: AnyObject {
    /// The time in nanoseconds, from 0 on and never less than before. Called within alsa-lib: must not call it.
    var now: Int64 { get }
    /// Lets time pass until that moment, which may be gone already. Called within alsa-lib: must not call it.
    func sleep(until nanoseconds: Int64)
}

/// A clock that stands still unless it is advanced.
public final class SimulatedClock: SimulatedCardClock {
    /// The time in nanoseconds.
    public private(set) var now: Int64

    /// Shows a time of 0 or later.
    public init(now: Int64 = 0) { self.now = now }

    /// Lets time pass until that moment, unless it is gone already.
    public func sleep(until nanoseconds: Int64) { now = max(now, nanoseconds) }

    /// Lets so many nanoseconds pass.
    public func advance(by nanoseconds: Int64) { now += nanoseconds }
}

extension SimulatedCard {
    /// Has the simulated cards that this thread opens and uses live by a clock until `body` returns. They are to be opened
    /// non-blocking, and their descriptors are never ready: ask for the `deadline` instead of polling.
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

    /// When a poll of the open card would return, in nanoseconds of the card's clock: at or before now means at once, nil never
    /// or that it is not open. As with a real card it is brought up to date by `snd_pcm_poll_descriptors`. Then set
    /// `revents` to POLLIN and call `snd_pcm_poll_descriptors_revents`.
    public var deadline: Int64? {
        let deadline = id.withCString { Plugin.shared.deadline($0) }
        return deadline == .max ? nil : deadline
    }

    /// How far CLOCK_REALTIME is ahead of every simulated clock, in nanoseconds.
    public static let realtimeAhead = simulated_card_realtime_ns

    private static let clockKey = "barline.simulated-card.clock"

    /// The clock's functions are called while the dictionary of the thread holds the box.
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

/// The functions of the plugin, as alsa-lib loads it: by the same path it is the same library.
private struct Plugin {
    let setClock: @convention(c) (UnsafePointer<simulated_card_clock>?) -> Void
    let deadline: @convention(c) (UnsafePointer<CChar>?) -> Int64

    static let shared: Plugin = {
        let library = dlopen(SimulatedCard.library, RTLD_NOW)
        guard let setClock = dlsym(library, "simulated_card_set_clock"),
            let deadline = dlsym(library, "simulated_card_deadline")
        else { fatalError("\(SimulatedCard.library) is not the simulated card's plugin: build it first") }
        return Plugin(
            setClock: unsafeBitCast(setClock, to: (@convention(c) (UnsafePointer<simulated_card_clock>?) -> Void).self),
            deadline: unsafeBitCast(deadline, to: (@convention(c) (UnsafePointer<CChar>?) -> Int64).self))
    }()
}
