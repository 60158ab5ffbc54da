// Plays many random commands on every kind of card: `oracle COMMANDS [SEED [EACH]]`, with 20 in each play, or `EACH`. Starts
// without commands: `oracle starts COUNT [SEED]`. Plays that begin at a time of day, and followers of a leader with random
// commands: the same after `at` or `follow`. One play of many hours: `oracle hours HOURS`. Repeats one play, start or follower:
// `oracle play SEED "CARD" POLICY [EACH]`, and the same with `start`, `timed` or `following`. Prints a line for each play that
// differs from the oracle; the exit status is 1 if there was one.
import Foundation
import Listening
import Logging

let arguments = CommandLine.arguments.dropFirst()
let isRepeat = ["play", "start", "timed", "following"].contains(arguments.first) && arguments.count >= 4
let numbers = arguments.compactMap { UInt64($0) }
let perPlay = numbers.dropFirst(isRepeat ? 1 : 2).first.map { Int($0) } ?? 20

// Logs are on only with BARLINE_LOG, to examine one play.
let level = ProcessInfo.processInfo.environment["BARLINE_LOG"].flatMap { Logger.Level(rawValue: $0) }
LoggingSystem.bootstrap { label in
    guard let level else { return SwiftLogNoOpLogHandler() }
    var handler = StreamLogHandler.standardOutput(label: label)
    handler.logLevel = level
    return handler
}

func cards(seed: UInt64) -> [OraclePlay.Card] {
    OraclePlay.Card.orderly + OraclePlay.Card.awkward + OraclePlay.Card.busy(seed: seed) + OraclePlay.Card.faulty
        + OraclePlay.Card.slewed + OraclePlay.Card.failing + OraclePlay.Card.hanging + OraclePlay.Card.dense
        + OraclePlay.Card.silent(seed: seed)
}

func say(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

if isRepeat, arguments.first != "following", let seed = UInt64(arguments[2]) {
    for card in cards(seed: seed) where card.name == arguments[3] && "\(card.policy)" == arguments[4] {
        let play = OraclePlay(
            seed: seed, on: card, commands: arguments.first == "start" ? 0 : perPlay,
            isTimed: arguments.first == "timed")
        for line in try play.account() { print(line) }
    }
    exit(0)
}

if isRepeat, let seed = UInt64(arguments[2]) {
    for card in cards(seed: seed) where card.name == arguments[3] && "\(card.policy)" == arguments[4] {
        for line in try OracleFollowing(seed: seed, on: card, commands: perPlay).account() { print(line) }
    }
    exit(0)
}

if arguments.first == "hours" {
    let hours = arguments.dropFirst().first.flatMap { Double($0) } ?? 6
    let play = try Hours.run(hours)
    func us(_ seconds: Double) -> String { String(format: "%.1f us", seconds * 1e6) }
    for line in play.wrong { print(line) }
    if play.wrongCount > play.wrong.count { print("and \(play.wrongCount - play.wrong.count) more") }
    print(
        """
        \(hours) hours: \(play.heard) boundaries heard, \(play.lost) lost; \(us(play.worst.calm)) off at most, \
        \(us(play.worst.slewed)) while the clock was slewed; drift \(us(play.drift)); the log \(us(play.worstLog)) off; \
        \(play.grown.bytes / 1024) KiB and \(play.grown.descriptors) descriptors gained
        """)
    let isSteady = abs(play.drift) < 50e-6 && play.grown.bytes <= 1 << 20 && play.grown.descriptors <= 0
    exit(play.wrong.isEmpty && isSteady ? 0 : 1)
}

let isTerminal = isatty(2) != 0
var (plays, failures) = (0, 0)

/// Plays each seed on each of these cards until `isEnough` returns true.
@MainActor func play(
    _ cards: (UInt64) -> [OraclePlay.Card], from first: UInt64, until isEnough: () -> Bool,
    _ wrong: (UInt64, OraclePlay.Card) throws -> [String]
) throws {
    var seed = first
    while !isEnough() {
        for card in cards(seed) where !isEnough() {
            let wrong = try wrong(seed, card)
            plays += 1
            if !wrong.isEmpty {
                failures += 1
                let first = wrong.prefix(5).joined(separator: "; ")
                let more = wrong.count > 5 ? "; and \(wrong.count - 5) more" : ""
                print("seed \(seed), a card that \(card.name), \(card.policy): \(first)\(more)")
            }
            if isTerminal { say("\r\(plays) plays, \(failures) of them wrong ") }
        }
        seed += 1
    }
    if isTerminal { say("\n") }
}

let isStarts = arguments.first == "starts"
let isFollowing = arguments.first == "follow"
let isTimed = arguments.first == "at"
let count = numbers.first.map { Int($0) } ?? (isStarts ? 1000 : 10_000)
let first = numbers.dropFirst().first ?? 1
if isStarts {
    // Left out: cards that run dry on a slow machine and so lose clicks. With rewinding, a slow machine has enough
    // written ahead.
    let slow = OraclePlay.Card.busy(seed: 1).filter {
        !$0.isFaulty || $0.policy == .rewind && $0.machine.stalls.isEmpty
    }
    let kind = OraclePlay.Card.orderly + OraclePlay.Card.awkward + slow
    let unkind = OraclePlay.Card.failing + OraclePlay.Card.hanging + OraclePlay.Card.dense
    try play({ _ in kind + unkind }, from: first) {
        plays >= count
    } _: { seed, card in
        try OraclePlay(seed: seed, on: card, commands: 0).run()
    }
    print("\(plays) starts from seed \(first) on, \(failures) of them not as they must be")
} else {
    try play({ cards(seed: $0) }, from: first) {
        plays * perPlay >= count
    } _: { seed, card in
        try isFollowing
            ? OracleFollowing(seed: seed, on: card, commands: perPlay).run()
            : OraclePlay(seed: seed, on: card, commands: perPlay, isTimed: isTimed).run()
    }
    print(
        "\(plays * perPlay) commands in \(plays) plays from seed \(first) on, \(failures) of them not as they must be")
}
exit(failures == 0 ? 0 : 1)
