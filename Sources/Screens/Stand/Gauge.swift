/// A progress bar that grows in eighths of a column.
enum Gauge {
    /// A bar that is `width` columns wide and filled to a share of 0 ... 1.
    static func text(_ share: Double, _ width: Int) -> String {
        let width = max(width, 1)
        let eighths = Int((min(max(share, 0), 1) * Double(width * 8)).rounded(.down))
        let part = eighths % 8
        let partial = part == 0 ? "" : String(UnicodeScalar(0x2590 - UInt32(part)).map(Character.init) ?? " ")
        let full = String(repeating: "█", count: eighths / 8) + partial
        return full + String(repeating: "·", count: width - full.count)
    }
}
