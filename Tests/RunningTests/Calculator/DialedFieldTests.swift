import Testing

@testable import Running

struct DialedFieldTests {
    @Test("a field goes up to the highest value of each digit, and no digit turns beyond the limits")
    func limits() {
        let fields: [(DialedField, Int64)] = [
            (.time, 999 * 3600 + 59 * 60 + 59), (.pace, 99 * 60 + 59), (.decimal(2, 2), 9999),
            (.decimal(7, 0), 9_999_999),
        ]
        for (field, limit) in fields {
            #expect(field.limit == limit)
            let last = field.count - 1
            #expect(field.turned(last, by: 1, in: limit) == nil && field.turned(last, by: 1, in: limit - 1) == limit)
            #expect(field.turned(last, by: -1, in: 0) == nil && field.turned(0, by: 1, in: 0) == field.weights[0])
        }
    }

    @Test("a digit that is too high is refused: tens of minutes and seconds end at 5")
    func typed() {
        #expect(DialedField.pace.typed(6, at: 2, in: 300) == nil)
        #expect(DialedField.pace.typed(5, at: 2, in: 300) == 350)
        #expect(DialedField.pace.text(350, cursor: 1, marks: ("[", "]")) == "0[5]:50")
    }
}
