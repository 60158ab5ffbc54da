// Prints every small change that can be made to some Swift files, one JSON object a line: `candidates FILE...`.
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

let encoder = JSONEncoder()
encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
for file in CommandLine.arguments.dropFirst() {
    let parsed = Parser.parse(source: try String(contentsOfFile: file, encoding: .utf8))
    // Operators of the sources' own are folded as if they bound alike: none of them is changed.
    let folded = OperatorTable.standardOperators.foldAll(parsed) { _ in }
    let finder = ChangeFinder(file, folded)
    finder.walk(folded)
    for change in finder.changes { print(String(decoding: try encoder.encode(change), as: UTF8.self)) }
}
