import Glibc
import Screens
import Testing

@Suite("The size of a terminal")
struct TerminalSizeTests {
    @Test("however large a terminal says it is, the picture is of a size for which there is memory")
    func size() async {
        await #expect(processExitsWith: .success) {
            let keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY)
            // TIOCSPTLCK and TIOCGPTPEER, which Swift does not import.
            var isLocked: Int32 = 0
            try #require(ioctl(keyboard, 0x4004_5431, &isLocked) == 0)
            let line = ioctl(keyboard, 0x5441, O_RDWR | O_NOCTTY)
            try #require(dup2(line, 1) == 1)
            func shown(_ columns: UInt16, _ rows: UInt16) throws -> [Int] {
                var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
                try #require(ioctl(line, UInt(TIOCSWINSZ), &size) == 0)
                return [Terminal.size.columns, Terminal.size.rows]
            }
            try #require(try shown(132, 50) == [132, 50])
            try #require(try shown(999, 65535) == [999, 1000])
            try #require(try shown(65535, 999) == [1000, 999])
            try #require(try shown(0, 50) == [80, 24])
        }
    }
}
