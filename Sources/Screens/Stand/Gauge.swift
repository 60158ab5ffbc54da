/// A bar that fills, in eighths of a column.
enum Gauge {
    /// So much of it, 0 ... 1, over some columns.
    static func text(_ share: Double, _ width: Int) -> String {
        let width = max(width, 1)
        let eighths = Int((min(max(share, 0), 1) * Double(width * 8)).rounded(.down))
        let part = eighths % 8
        let partial = part == 0 ? "" : String(UnicodeScalar(0x2590 - UInt32(part)).map(Character.init) ?? " ")
        let full = String(repeating: "█", count: eighths / 8) + partial
        return full + String(repeating: "·", count: width - full.count)
    }
}
