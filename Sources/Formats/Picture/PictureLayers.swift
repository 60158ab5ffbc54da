extension Picture {
    /// The shapes of a sheet, grouped by style. Each style is written once, which makes files ten times smaller.
    ///
    /// Areas are below lines, lines below signs and texts; within each group the order stays.
    struct Layers {
        /// Consecutive areas of one ink.
        var areas: [(ink: Ink, boxes: [Box])] = []
        var lines: [(style: Stroke, lines: [(from: Point, to: Point)])] = []
        var fermatas: [(Point, width: Double, ink: Ink)] = []
        var texts: [(style: Lettering, texts: [(String, Point)])] = []

        struct Box {
            var corner: Point
            var width, height: Double
        }

        struct Stroke: Hashable {
            var width: Double
            var ink: Ink
        }

        init(_ sheet: [Shape]) {
            var strokes: [Stroke: Int] = [:]
            var letterings: [Lettering: Int] = [:]
            for shape in sheet {
                switch shape {
                case .area(let corner, let width, let height, let ink):
                    if areas.last?.ink != ink { areas.append((ink, [])) }
                    areas[areas.count - 1].boxes.append(Box(corner: corner, width: width, height: height))
                case .line(let from, let to, let width, let ink):
                    let stroke = Stroke(width: width, ink: ink)
                    let place = strokes[stroke] ?? lines.count
                    if place == lines.count { lines.append((stroke, [])) }
                    strokes[stroke] = place
                    lines[place].lines.append((from, to))
                case .fermata(let base, let width, let ink):
                    fermatas.append((base, width, ink))
                case .text(let text, let point, let lettering):
                    let place = letterings[lettering] ?? texts.count
                    if place == texts.count { texts.append((lettering, [])) }
                    letterings[lettering] = place
                    texts[place].texts.append((text, point))
                }
            }
        }
    }
}
