import Glibc
import Scores
import Screens
import Testing

/// A terminal that interprets the output of a canvas: positions, inks, clearing; a wide character takes two cells.
private struct Screenful: Equatable {
    struct Cell: Equatable {
        var text: Character? = " "
        var ink = "0"
    }

    var cells: [[Cell]]
    private var (row, column, ink) = (0, 0, "0")

    init(columns: Int, rows: Int) {
        cells = Array(repeating: Array(repeating: Cell(), count: columns), count: rows)
    }

    static func == (a: Screenful, b: Screenful) -> Bool { a.cells == b.cells }

    mutating func obey(_ text: String) {
        var rest = text[...]
        while let first = rest.popFirst() {
            guard first == "\u{1B}" else {
                cells[row][column] = Cell(text: first, ink: ink)
                if first.columns == 2 { cells[row][column + 1] = Cell(text: nil, ink: ink) }
                column += first.columns
                continue
            }
            rest.removeFirst()
            let parameters = rest.prefix { !$0.isLetter }
            rest = rest.dropFirst(parameters.count)
            switch rest.popFirst() {
            case "m": ink = String(parameters)
            case "J": cells = cells.map { $0.map { _ in Cell() } }
            default:
                let place = parameters.split(separator: ";").compactMap { Int($0) }
                (row, column) = (place[0] - 1, place[1] - 1)
            }
        }
    }
}

@Suite("Canvas")
struct CanvasTests {
    private static func random(_ random: inout Seeded, columns: Int, rows: Int) -> Canvas {
        let inks = [Ink(), .bold, .dim, Ink(isReversed: true)]
        let texts = ["a", "bar 7", "日本", "é", "🎵x", "━━●──", " "]
        var canvas = Canvas(columns: columns, rows: rows)
        for _ in 0..<random.int(0...12) {
            canvas.put(
                texts[random.int(0...texts.count - 1)], row: random.int(-1...rows), column: random.int(-3...columns),
                ink: inks[random.int(0...3)])
        }
        if random.int(1...4) == 1 {
            canvas.fill(Color(red: 1, green: 200, blue: 3), edgeOnly: random.int(0...1) == 0)
        }
        return canvas
    }

    @Test(
        "the written changes turn the old picture into the new one",
        arguments: [ColorDepth.full, .indexed, .none])
    func changes(depth: ColorDepth) {
        var random = Seeded(state: 6)
        for _ in 0..<200 {
            let (columns, rows) = (random.int(1...30), random.int(1...8))
            var canvas = CanvasTests.random(&random, columns: columns, rows: rows)
            var changed = Screenful(columns: columns, rows: rows)
            changed.obey(canvas.changes(from: nil, colors: depth))
            for _ in 0..<5 {
                let next = CanvasTests.random(&random, columns: columns, rows: rows)
                changed.obey(next.changes(from: canvas, colors: depth))
                var whole = Screenful(columns: columns, rows: rows)
                whole.obey(next.changes(from: nil, colors: depth))
                #expect(changed == whole)
                #expect(next.changes(from: next, colors: depth) == "")
                canvas = next
            }
        }
    }

    @Test("a picture that something has written across is whole again once every row has been renewed")
    func mends() {
        var random = Seeded(state: 8)
        for _ in 0..<50 {
            let (columns, rows) = (random.int(2...30), random.int(1...8))
            let canvas = CanvasTests.random(&random, columns: columns, rows: rows)
            var whole = Screenful(columns: columns, rows: rows)
            whole.obey(canvas.changes(from: nil, colors: .full))
            var damaged = whole
            for row in 0..<rows { damaged.obey("\u{1B}[\(row + 1);\(random.int(1...columns))Hx") }
            for row in 0..<rows { damaged.obey(canvas.changes(from: canvas, colors: .full, renewing: row)) }
            #expect(damaged == whole)
        }
    }

    @Test("a changed digit rewrites only its own cells")
    func little() {
        var (old, new) = (Canvas(columns: 80, rows: 24), Canvas(columns: 80, rows: 24))
        old.put("1.4 s of 3.0", row: 3, column: 10)
        new.put("1.3 s of 3.0", row: 3, column: 10)
        #expect(new.changes(from: old, colors: .full) == "\u{1B}[4;13H\u{1B}[0m3")
    }

    @Test("text outside the picture is not drawn, nor half of a wide character")
    func outside() {
        var canvas = Canvas(columns: 5, rows: 2)
        canvas.put("abcdefgh", row: 0, column: -2)
        canvas.put("日本語", row: 1, column: 0)
        canvas.put("x", row: 7, column: 0)
        #expect(canvas.text == ["cdefg", "日本"])
        canvas.put("-", row: 1, column: 1)
        #expect(canvas.text == ["cdefg", " -本"])
    }

    @Test("a terminal without colors flashes in reverse video")
    func reverse() {
        var canvas = Canvas(columns: 1, rows: 1)
        canvas.fill(Color(red: 255, green: 0, blue: 0), edgeOnly: false)
        #expect(canvas.changes(from: nil, colors: .none).contains("\u{1B}[0;7m "))
        #expect(canvas.changes(from: nil, colors: .indexed).contains("48;5;196m"))
        #expect(canvas.changes(from: nil, colors: .full).contains("48;2;255;0;0m"))
    }

    @Test("text on a lit background is black or white, with enough contrast")
    func contrast() {
        for name in Color.names {
            var ink = Ink.dim
            ink.light(name.color, name.color.text)
            func luminance(_ color: Color) -> Double {
                let parts = [color.red, color.green, color.blue].map { value -> Double in
                    let c = Double(value) / 255
                    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)
                }
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
            }
            let (a, b) = (
                luminance(ink.color ?? Color(red: 0, green: 0, blue: 0)), luminance(name.color)
            )
            // WCAG 2: 4.5 is enough for any text.
            #expect((max(a, b) + 0.05) / (min(a, b) + 0.05) >= 4.5, "\(name.name)")
        }
    }
}
