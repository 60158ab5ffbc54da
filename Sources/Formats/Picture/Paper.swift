extension Picture {
    /// The paper of the sheets, portrait. Its rows begin and end at the same distances from the edges of all papers.
    package enum Paper: String, CaseIterable, Sendable {
        case a4, letter

        /// The names of all, for help.
        package static let names = allCases.map(\.rawValue).joined(separator: ", ")

        /// The width and the height in millimeters.
        var millimeters: (width: Double, height: Double) {
            switch self {
            case .a4: (210, 297)
            case .letter: (215.9, 279.4)
            }
        }

        /// The width and the height in points.
        var width: Double { Self.points(millimeters.width) }
        var height: Double { Self.points(millimeters.height) }

        /// Where rows begin and end, and how wide they are.
        var left: Double { 58 }
        var right: Double { width - 36 }
        var rowWidth: Double { right - left }
        /// Where the texts of rows end, to the right of them.
        var textEdge: Double { width - 14 }
        var top: Double { 46 }
        var bottom: Double { height - 46 }

        /// How many rows fit on a sheet: the least height of one is 43, that of the title and the axis of time 68.
        var rowCount: Int { Int((bottom - top - 68) / 43) }

        private static func points(_ millimeters: Double) -> Double { (millimeters * 72_000 / 25.4).rounded() / 1000 }
    }
}
