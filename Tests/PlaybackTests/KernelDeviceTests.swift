import Playback
import Testing

@Suite("Devices of the kernel")
struct KernelDeviceTests {
    @Test("the kernel's list gives the devices that play, and nothing else") func list() {
        let list = """
            00-00: ALC287 Analog : ALC287 Analog : playback 1 : capture 1
            00-03: HDMI 0 : HDMI 0 : playback 1
            01-00: USB Audio : USB Audio : capture 1
            nonsense
            : : playback
            """
        let devices = KernelDevice.all(in: list)
        #expect(devices.map(\.name) == ["hw:0,0", "hw:0,3"])
        #expect(devices.map(\.title) == ["ALC287 Analog", "HDMI 0"])
        #expect(KernelDevice.all(in: "").isEmpty)
    }
}
