import Glibc
import Playback
import SimulatedCardSupport
import Testing

@Suite("Card")
struct CardTests {
    @Test("each reason why a device does not open has its own message")
    func reasons() {
        let words = [
            (ENOENT, "there is no sound device 'x'; `barline devices` lists the available ones"),
            (EBUSY, "the sound device 'x' is busy: another program uses it"),
            (EACCES, "the sound device 'x' cannot be used without permission: is this user in the group 'audio'?"),
            (ENOTSUP, "the sound device 'x' cannot play this rate, number of channels or format"),
            (EINVAL, "the sound device 'x' cannot be opened: Invalid argument"),
            (EIO, "the sound device 'x' cannot be opened: Input/output error"),
        ]
        for (code, text) in words { #expect(CardError(device: "x", errno: code).description == text) }
    }

    @Test("a card can be read before it is started")
    func unstarted() throws {
        SimulatedCard.configureThisProcess()
        let card = try Card("null")
        let reading = card.reading()
        #expect(reading.nextFrame == reading.heardFrame && !reading.hasEnded && reading.silence == nil)
        #expect(card.reach(within: .seconds(1)) == reading.nextFrame)
    }

    @Test("a device that does not exist is an error that names it")
    func missing() {
        #expect {
            _ = try Card("no such device")
        } throws: { error in
            (error as? CardError)?.device == "no such device"
        }
    }
}
