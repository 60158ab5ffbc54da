extension String {
    /// The text at the left of a field of so many characters.
    func padding(to width: Int) -> String { self + String(repeating: " ", count: max(width - count, 0)) }
}
