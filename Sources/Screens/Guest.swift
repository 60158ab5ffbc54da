internal import Languages
package import Scores

/// A page or a follower that is connected, as the leader sees it.
package struct Guest: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case page, follower
    }

    package var kind: Kind
    /// Its number, from 1, in the order in which all have come.
    package var number: Int
    /// Whether it may control the music.
    package var mayControl: Bool
    /// When its last message came, CLOCK_MONOTONIC in ns.
    package var contact: Int64
    /// What it has told of itself; nil before that.
    package var report: GuestReport?

    package init(_ kind: Kind, number: Int, mayControl: Bool, contact: Int64, report: GuestReport? = nil) {
        (self.kind, self.number, self.mayControl) = (kind, number, mayControl)
        (self.contact, self.report) = (contact, report)
    }

    /// Without a message for so long, in ns, it has lost the network, or sleeps: then it says something each second.
    package static let silence: Int64 = 4_000_000_000

    /// `page 3, oboe   clock 0.12 ms   2 clicks lost   no contact for 12 s`.
    package func text(at now: Int64) -> String {
        let name = kind == .page ? localized("page \(number)") : localized("follower \(number)")
        var words = [report.map { $0.voice.isEmpty ? name : "\(name), \($0.voice)" } ?? name]
        if kind == .page, mayControl { words.append(localized("controls")) }
        if let report {
            words.append(localized("clock \((report.clock * 1000).seconds(decimals: 2)) ms"))
            if report.lost > 0 { words.append(Wording.lost(clicks: UInt64(clamping: report.lost))) }
        }
        if now - contact > Guest.silence {
            words.append(localized("no contact for \(Int((now - contact) / 1_000_000_000)) s"))
        }
        return words.joined(separator: "   ")
    }

    /// The same for programs: times in seconds, null for what it has not told yet.
    package func json(at now: Int64) -> JSON {
        .object([
            "kind": .text(kind.rawValue), "number": .number(number), "controls": .bool(mayControl),
            "voice": .text(report?.voice ?? ""), "clock_s": .seconds(report?.clock, decimals: 6),
            "lost": report.map { .number($0.lost) } ?? .null,
            "silent_s": .seconds(.nanoseconds(max(now - contact, 0)), decimals: 3),
        ])
    }
}

/// What a page or a follower reports to its leader every few seconds.
package struct GuestReport: Sendable, Equatable {
    /// How well it knows the leader's clock: the standard deviation.
    package var clock: Duration
    /// How many clicks it could not sound in time.
    package var lost: Int
    /// The voice that it shows or plays; empty for all.
    package var voice: String

    package init(clock: Duration = .zero, lost: Int = 0, voice: String = "") {
        (self.clock, self.lost, self.voice) = (clock, lost, voice.printable)
        while self.voice.utf8.count > GuestReport.longestVoice { self.voice.removeLast() }
    }

    /// The longest name of a voice, in bytes: a message has at most 256.
    private static let longestVoice = 160

    /// Reads a report such as `150 2 oboe`: the clock in µs, the clicks that were lost, and a voice, which may be missing.
    /// Nil for any other text.
    package init?(message: String) {
        let words = message.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count >= 2, let clock = Int(words[0]), let lost = Int(words[1]),
            (0...1_000_000_000).contains(clock), (0...1_000_000_000).contains(lost)
        else { return nil }
        self.init(clock: .microseconds(clock), lost: lost, voice: words.count > 2 ? String(words[2]) : "")
    }

    /// The message, as a page sends it too.
    package var message: String {
        let microseconds = Int((clock / .microseconds(1)).rounded())
        return "\(min(max(microseconds, 0), 1_000_000_000)) \(lost)" + (voice.isEmpty ? "" : " \(voice)")
    }
}

/// An address that lets others in.
package struct Invitation: Sendable, Equatable {
    /// What the address is for, such as `only watch`, or a voice.
    package var title: String
    package var address: String
    /// The rows of its QR code, of block characters whose dark modules are blanks; empty if there can be none.
    package var code: [String]

    package init(_ title: String, _ address: String, code: [String] = []) {
        (self.title, self.address, self.code) = (title, address, code)
    }
}
