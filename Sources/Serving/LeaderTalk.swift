package import Scores
package import Screens
package import Timing

/// The conversation of a follower with its leader, whatever carries the messages. Times are the follower's
/// CLOCK_MONOTONIC in ns.
///
/// It asks for the leader's time in bursts, and keeps all that it knows while there is no network.
package struct LeaderTalk: Sendable {
    /// What is known of the leader.
    package struct Knowledge: Sendable {
        /// The number of the piece, its score, a file of Barline, the text of the plan that it is, empty for none, and the scale of
        /// a Scala file.
        package var piece: (number: Int, score: [UInt8], plan: String, scale: Tuning.Scale?)?
        /// The music of that piece.
        package var music: LeaderMusic?
        /// The leader's clock.
        package var clock = LeaderClock()
        /// Whether it has ever let this follower in.
        package var isWelcome = false
        /// Whether it has said that its program ends.
        package var hasLeft = false
        /// Since when there is no network; nil while there is.
        package var lostSince: Int64?
        /// When the network came back; nil if that was a while ago, or never.
        package var backSince: Int64?
        /// The leader's last message, and its time. It is nil until there is one.
        package var told: (text: String, at: Int64)?

        package init() {}

        /// Whether enough is known to begin.
        package var isEnough: Bool { music != nil && clock.bursts >= LeaderTalk.firstBursts }
    }

    /// What is known now.
    package private(set) var known = Knowledge()
    private let secret: String
    /// What the leader is told of this follower at each burst.
    package var report: GuestReport
    /// The question that has not been answered yet, how many of the burst are still to be asked, and when to ask on.
    private var asked: Int64?
    private var left = 0
    private var next: Int64 = 0
    private var heard: Int64 = 0
    private var isConnected = false

    /// How many bursts a follower learns from before it begins.
    static let firstBursts = 3
    /// How many bursts follow each other soon, and the pauses after a burst, in ns.
    private static let (soonBursts, soon, later) = (12, Int64(100_000_000), Int64(2_000_000_000))
    /// After this time without a message, the network is taken as lost; an answer is not awaited longer than half of it.
    static let lostAfter: Int64 = 4_000_000_000
    /// How long the return of the network is worth telling.
    private static let news: Int64 = 10_000_000_000

    /// Begins with the secret of the leader's address, and with what the leader's list says of this follower.
    package init(secret: String, report: GuestReport = GuestReport()) { (self.secret, self.report) = (secret, report) }

    private mutating func open(at now: Int64) -> [String] {
        (isConnected, heard, asked, left, next) = (true, now, nil, LeaderClock.burst, now)
        known.clock.finish()
        return ["hello \(secret)", "follow score"]
    }

    /// The connection is gone, or could not be opened.
    package mutating func close(at now: Int64) {
        isConnected = false
        if known.lostSince == nil { known.lostSince = known.isWelcome ? max(heard, 1) : now }
        known.backSince = nil
    }

    /// Returns what to say at `now`, a greeting if the connection has just been opened; nil to give up the connection,
    /// because nothing comes any more.
    package mutating func due(at now: Int64) -> [String]? {
        guard isConnected else { return open(at: now) }
        if let back = known.backSince, now - back > LeaderTalk.news { known.backSince = nil }
        guard now - heard < LeaderTalk.lostAfter else { return nil }
        if let asked, now - asked > LeaderTalk.lostAfter / 2 {
            // The answer is lost.
            self.asked = nil
            endBurst(at: now)
        }
        guard asked == nil, now >= next else { return [] }
        var said: [String] = []
        if left == 0 {
            left = LeaderClock.burst
            if known.clock.bursts > 0 {
                report.clock = .seconds(min(known.clock.uncertainty(at: now), 1000))
                said = ["about " + report.message]
            }
        }
        left -= 1
        asked = now
        return said + ["clock \(now)"]
    }

    /// Takes a message that came at `now`; returns whether anything is newly known. Messages that are none are ignored.
    package mutating func take(_ text: [UInt8], at now: Int64) -> Bool {
        heard = now
        let wasLost = known.lostSince != nil
        guard let message = FollowerMessage(text) else { return false }
        if wasLost {
            known.lostSince = nil
            known.backSince = now
        }
        switch message {
        case .welcome:
            if !known.isWelcome { known.backSince = nil }
            known.isWelcome = true
        case .clock(let sent, let leader):
            guard sent == asked else { return wasLost }
            asked = nil
            let isWhole = known.clock.take(LeaderClock.Exchange(sent: sent, received: now, leader: leader))
            if isWhole || left == 0 { endBurst(at: now) }
            return isWhole || wasLost
        case .score(let number, let score, let plan, let scale):
            guard number != known.piece?.number else { return wasLost }
            known.piece = (number, score, plan, scale)
            known.music = nil
        case .music(let number, let music):
            guard number == known.piece?.number else { return wasLost }
            known.music = music
        case .told(let text, let time):
            guard time != known.told?.at else { return wasLost }
            known.told = (text, time)
        case .farewell: known.hasLeft = true
        }
        return true
    }

    private mutating func endBurst(at now: Int64) {
        known.clock.finish()
        left = 0
        next = now + (known.clock.bursts < LeaderTalk.soonBursts ? LeaderTalk.soon : LeaderTalk.later)
    }
}
