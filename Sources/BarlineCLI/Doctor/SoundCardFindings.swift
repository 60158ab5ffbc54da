internal import Glibc
internal import Playback
internal import Timing

extension Finding {
    /// The devices that can be opened, and those that cannot and why. `device` is the one that `play` would use.
    static func soundCards(_ device: String) -> [Finding] {
        var findings: [Finding] = []
        let hardware = KernelDevice.all()
        if hardware.isEmpty { findings.append(.note("sound card", "the kernel knows no sound card that plays")) }
        switch opening(device) {
        case .success(let words): findings.append(.good("device '\(device)'", words))
        case .failure(let error):
            findings.append(
                .problem("device '\(device)'", error.description, advice: advice(error, hardware.isEmpty)))
        }
        for other in hardware where other.name != device {
            let subject = "device '\(other.name)'"
            switch opening(other.name) {
            case .success(let words): findings.append(.good(subject, "\(other.title): \(words)"))
            case .failure(let error):
                // Another program may well use a card that Barline is not to use.
                let advice = error.errno == EBUSY ? nil : advice(error, false)
                findings.append(.note(subject, "\(other.title): \(error)", advice: advice))
            }
        }
        let others = Card.devices().map(\.name).filter { name in
            name != device && !hardware.contains { $0.name == name }
        }
        if !others.isEmpty { findings.append(.good("other devices", others.joined(separator: ", "))) }
        return findings
    }

    /// How a device opens: its rate, channels and policy; or why it does not.
    private static func opening(_ device: String) -> Result<String, CardError> {
        Result { () throws(CardError) in
            let card = try Card(device, Card.Request(SoundFormat()))
            let commands =
                card.policy == .rewind ? "commands are heard at once" : "commands are heard within its buffer"
            return "opens with \(card.rate) Hz and \(card.channels) channels; \(commands)"
        }
    }

    private static func advice(_ error: CardError, _ hasNoCard: Bool) -> String {
        switch error.errno {
        case EBUSY, EAGAIN: "close the other program; `fuser -v /dev/snd/*` names it"
        case EACCES, EPERM: "`sudo adduser $USER audio`, then log in again"
        case _ where hasNoCard:
            "connect or enable a sound card, or start a sound server; until then, Barline counts silently"
        case ENOENT, ENODEV, ENXIO:
            "choose one of the devices below: `barline play SCORE --device NAME`, or `barline config device NAME`"
        case EINVAL: "choose another device, or a rate that it can play: `--rate 44100`"
        default: "choose another device with `--device`; `journalctl -b` may say what is wrong with this one"
        }
    }
}
