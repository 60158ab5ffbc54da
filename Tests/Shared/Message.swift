/// The message that a failing body throws.
package func message(_ body: () throws -> some Any) -> String {
    do {
        return "no error but \(try body())"
    } catch {
        return "\(error)"
    }
}
