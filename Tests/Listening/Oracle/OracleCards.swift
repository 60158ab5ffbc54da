internal import Playback
internal import SimulatedCardSupport

extension OraclePlay.Card {
    /// Well-behaved cards, with both policies.
    package static let orderly: [Self] = [Playback.Card.Policy.rewind, .small].flatMap { policy in
        [
            Self("fine", ["skew_ppm": 300, "jitter_us": 50], policy),
            Self("coarse", ["skew_ppm": -250, "step_frames": 48, "jitter_us": 200], policy, tolerance: 1.8e-3),
        ]
    }

    /// Cards with the quirks of real ones, none of which loses a click.
    package static let awkward: [Self] = [
        Self("refuses to rewind", ["rewinds": "none", "skew_ppm": 100], .rewind),
        Self("rewinds less than it says", ["rewinds": 300, "skew_ppm": 100], .rewind),
        Self("is not ready before it starts", ["again_before_start": 5, "refuses_start": 3], .rewind),
        Self("is not ready before it starts", ["again_before_start": 5, "refuses_start": 3], .small),
        Self("stamps by another clock", ["monotonic_stamps": false, "skew_ppm": -80], .rewind),
        Self("stamps by another clock", ["monotonic_stamps": false, "skew_ppm": -80], .small),
        Self(
            "has one long period", ["period_min": 8192, "period_max": 8192, "buffer_max": 16384], .small,
            tolerance: 2e-3),
        Self("moves by periods", ["batch": true, "skew_ppm": 50], .rewind, tolerance: 15e-3),
        Self("moves by periods, as hardware", ["batch": true, "poses_as_hardware": true], .auto, tolerance: 15e-3),
        Self("moves by 6 to 10 ms", ["step_frames": 288, "step_spread": 192], .rewind, tolerance: 15e-3),
        Self("moves by 6 to 10 ms", ["step_frames": 288, "step_spread": 192], .small, tolerance: 15e-3),
        Self(
            "is hardware that fetches ahead", ["poses_as_hardware": true, "prefetch_frames": 32, "skew_ppm": 150],
            .auto,
            tolerance: 2e-3),
        Self("forgets that it has rewound", ["rewindable": false, "skew_ppm": 40], .small),
    ]

    /// Cards on machines that are slow or stop a thread now and then.
    package static func busy(seed: UInt64) -> [Self] {
        /// A machine on which a thread, or the whole program, stands still for some seconds now and then.
        func standing(_ thread: SimulatedMachine.Thread?, _ machine: SimulatedMachine? = nil) -> SimulatedMachine {
            var machine = machine ?? SimulatedMachine(seed: seed, preemption: 200)
            machine.stalls = SimulatedMachine.stalls(2...9, perSecond: 0.15, until: 200, thread: thread, seed: seed)
            return machine
        }
        return [Playback.Card.Policy.rewind, .small].flatMap { policy in
            [
                Self(
                    "on a slow machine", ["skew_ppm": 200], policy, tolerance: 5e-3, machine: .slow(seed: seed),
                    isFaulty: true),
                Self(
                    "whose conductor is held up", ["skew_ppm": -200], policy,
                    machine: SimulatedMachine(
                        seed: seed, preemption: 200,
                        stalls: SimulatedMachine.stalls(
                            0.03...0.9, perSecond: 1, until: 200, thread: .control, seed: seed))),
                Self(
                    "whose audio thread is held up", ["skew_ppm": 60], policy,
                    machine: SimulatedMachine(
                        seed: seed,
                        stalls: SimulatedMachine.stalls(
                            0.03...0.17, perSecond: 3, until: 200, thread: .audio, seed: seed)),
                    isFaulty: true),
                Self(
                    "whose program is stopped for some seconds", ["skew_ppm": 120], policy, machine: standing(nil),
                    isFaulty: true),
                Self(
                    "whose conductor is held up for some seconds", ["skew_ppm": -150], policy, tolerance: 2e-3,
                    machine: standing(.control), isFaulty: true),
                Self(
                    "whose audio thread is held up for some seconds", ["skew_ppm": 150], policy,
                    machine: standing(.audio), isFaulty: true),
                Self(
                    "on a slow machine that is stopped for some seconds", ["skew_ppm": 120], policy, tolerance: 5e-3,
                    machine: standing(nil, .slow(seed: seed)), isFaulty: true),
            ]
        }
    }

    /// Cards with faults that lose clicks, which the log must report.
    package static let faulty: [Self] = [Playback.Card.Policy.rewind, .small].flatMap { policy in
        [
            Self("runs dry", ["skew_ppm": 30, "xrun_at": [900.01, 3300.01, 9100.01]], policy, isFaulty: true),
            Self(
                "goes away", ["skew_ppm": -30, "disconnect_at": [2500.01], "return_after": [1300]], policy,
                isFaulty: true),
            Self(
                "slips",
                [
                    "jump_at": [4000.01, 9000.01], "jump_frames": [2048, 700], "stall_at": [6000.01], "stall_for": [80],
                ],
                policy, isFaulty: true),
        ]
    }

    /// How far a click may be heard from its time while CLOCK_MONOTONIC is slewed, or the card's own rate changes, in s.
    private enum Bound {
        /// What the pointer's jitter of 50 us adds, and its steps of a millisecond.
        static let (fine, coarse) = (50e-6, 1.8e-3)
        /// A slew, or a change, by 100 ppm.
        static let hundred = (fine: 150e-6 + fine, coarse: 400e-6 + coarse)
        /// A slew by 500 ppm, and one as NTP corrects 5 ms.
        static let fiveHundred = 1.2e-3 + fine
        static let offset = 300e-6 + fine
    }

    /// Cards whose rate is known, while CLOCK_MONOTONIC is slewed as NTP does it, or the crystal changes.
    package static let slewed: [Self] = [Playback.Card.Policy.rewind, .small].flatMap { policy in
        let fine: [String: SimulatedCard.Value] = ["skew_ppm": 300, "jitter_us": 50]
        let coarse: [String: SimulatedCard.Value] = ["skew_ppm": -250, "step_frames": 48, "jitter_us": 200]
        func card(
            _ name: String, _ card: [String: SimulatedCard.Value], _ slew: [String: SimulatedCard.Value],
            tolerance: Double
        ) -> Self {
            Self(name, card.merging(slew) { $1 }, policy, tolerance: tolerance, isKnown: true)
        }
        let hundred: [String: SimulatedCard.Value] = ["slew_at": 4000, "slew_ppm": 100, "slew_for": 30_000]
        return [
            card("is slewed by 100 ppm", fine, hundred, tolerance: Bound.hundred.fine),
            card("has coarse steps and is slewed by 100 ppm", coarse, hundred, tolerance: Bound.hundred.coarse),
            card(
                "is slewed by 500 ppm", fine, ["slew_at": 4000, "slew_ppm": -500, "slew_for": 60_000],
                tolerance: Bound.fiveHundred),
            card(
                "is slewed there and back", fine,
                ["slew_at": [3000, 7000], "slew_ppm": [500, -500], "slew_for": 4000],
                tolerance: Bound.fiveHundred),
            card(
                "is slewed as NTP removes an offset", fine, ["offset_at": [3000, 9000], "offset_us": [5000, -5000]],
                tolerance: Bound.offset),
            card(
                "changes its own rate", fine, ["skew_at": [4000, 12_000], "skew_by_ppm": [100, -100]],
                tolerance: Bound.hundred.fine),
        ]
    }

    /// Cards whose calls fail: at first, now and then, or when they are opened anew.
    package static let failing: [Self] = [Playback.Card.Policy.rewind, .small].flatMap { policy in
        [
            Self(
                "fails at first",
                [
                    "fail": ["write", "start", "status", "avail"], "fail_errno": ["EIO", "EPIPE", "ENODEV", "EIO"],
                    "fail_from": [2, 1], "fail_count": [1, 2, 3, 1],
                ], policy, isFaulty: true),
            Self(
                "fails now and then",
                [
                    "fail": ["write", "status", "avail", "rewind", "write", "status", "rewind", "avail"],
                    "fail_errno": ["EIO", "EPIPE", "ENODEV", "EPIPE", "EPIPE", "ENODEV", "ENODEV", "EIO"],
                    "fail_at": [2000, 3500, 5000, 6500, 8000, 9500, 11_000, 12_500], "fail_count": 1,
                ], policy, isFaulty: true),
            Self(
                "cannot be opened anew at first",
                [
                    "disconnect_at": [2500.01, 6500.01, 10_500.01], "return_after": 200,
                    "fail": ["open", "set-up", "prepare", "start"], "fail_at": [2500, 2500, 6500, 10_500],
                    "fail_errno": ["EBUSY", "EINVAL", "EIO", "ENODEV"], "fail_count": 2,
                ], policy, isFaulty: true),
        ]
    }

    /// The longest time for which calls of these cards hang, one after the other, in s.
    static let longestHang = 3.0
    /// Cards in whose calls the audio thread hangs for a while.
    package static let hanging: [Self] = [Playback.Card.Policy.rewind, .small].flatMap { policy in
        [
            Self(
                "hangs now and then",
                [
                    "hang": ["start", "write", "status", "avail", "rewind", "write", "status"],
                    "hang_at": [0, 2000, 4000, 6000, 8000, 10_000, 13_000],
                    "hang_for": [300, 200, 900, 400, 300, 2500, 1500],
                ], policy, isFaulty: true),
            Self(
                "hangs when it has failed",
                [
                    "xrun_at": [2000.01, 5000.01], "disconnect_at": [8000.01, 11_000.01], "return_after": 100,
                    "hang": ["drop", "prepare", "close", "open", "set-up"],
                    "hang_at": [2000, 5000, 8000, 8000, 11_000], "hang_for": [400, 1200, 700, 300, 900],
                ], policy, isFaulty: true),
        ]
    }

    /// Fifteen voices with short bars: the events of the first seconds do not fit into the queue.
    package static let dense: [Self] = [Playback.Card.Policy.rewind, .small].map {
        Self("has to play fifteen voices", ["skew_ppm": 100], $0, voices: 15)
    }

    /// Without a card, on machines that are fine, slow, or stop the program for some seconds.
    package static func silent(seed: UInt64) -> [Self] {
        func without(_ name: String, _ machine: SimulatedMachine) -> Self {
            // Messages print the name in a sentence: "a card that is none, on a slow machine".
            var card = Self("is none, \(name)", [:], .auto, machine: machine)
            card.isSilent = true
            return card
        }
        let stalls = SimulatedMachine.stalls(2...9, perSecond: 0.15, until: 200, thread: nil, seed: seed)
        let short = SimulatedMachine.stalls(0.03...0.9, perSecond: 1, until: 200, thread: nil, seed: seed)
        return [
            without("on a fine machine", .idle), without("on a slow machine", .slow(seed: seed)),
            without("and the program is held up", SimulatedMachine(seed: seed, stalls: short)),
            without("and the program is stopped for some seconds", SimulatedMachine(seed: seed, stalls: stalls)),
        ]
    }
}
