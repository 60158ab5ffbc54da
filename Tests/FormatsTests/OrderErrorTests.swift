import SampleScores
import Testing

/// What the reader says of orders and jumps that nothing can play.
struct OrderErrorTests {
    @Test("the first jump after 10 000 others is an error at its place") func jumps() {
        /// Each line is played a thousand times more, by a jump to its label.
        func text(_ lines: Int) -> String {
            let lines = (0..<lines).map {
                "- [{duration: 1, label: A\($0)}, {duration: 1, go-to: {to: A\($0), times: 1-1000}}]\n"
            }
            return "lines:\n" + lines.joined()
        }
        #expect(rendered(text(10)).isEmpty)
        #expect(
            rendered(text(11)).firstLine == "x.yaml:12:31: error: more than 10 000 jumps are taken")
    }

    @Test("an order of sections that nothing can play is an error at its name, whether the score chooses it or not")
    func orders() {
        func text(_ count: Int, _ rest: String = "") -> String {
            let order = Array(repeating: "A", count: count).joined(separator: ", ")
            return "sections: [{label: A, bars: [24 h]}]\norders: {y: [A], x: [\(order)]}\n" + rest
        }
        let expected = "x.yaml:2:18: error: this order would last more than 100 000 h"
        #expect(rendered(text(4166)).isEmpty)
        #expect(rendered(text(4167)).firstLine == expected)
        #expect(rendered(text(4167, "order: y")).firstLine == expected)
    }

    @Test("a jump that makes the piece last too long is an error at its place") func long() {
        let text = """
            lines:
            - {repeat: 400, bars: [24 h]}
            - [{duration: 1, go-to: {to: start, times: 1-10}}]
            """
        #expect(
            rendered(text).firstLine
                == "x.yaml:3:4: error: with this jump, the piece would last more than 100 000 h")
    }
}
