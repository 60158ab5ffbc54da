/// The description of the error that a body throws.
package func message(_ body: () throws -> some Any) -> String {
    do {
        return "no error but \(try body())"
    } catch {
        return "\(error)"
    }
}
