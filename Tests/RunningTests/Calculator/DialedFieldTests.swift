import Running
import Testing

struct DialedFieldTests {
    @Test("a field is as wide as its value needs, and no digit turns below zero")
    func limits() {
        let fields: [(DialedField, Int64, String)] = [
            (.time(for: 5), 5, "000:00:05"), (.time(for: 3_599_999), 3_599_999, "999:59:59"),
            (.time(for: 3_600_000), 3_600_000, "1000:00:00"), (.pace(for: 5999), 5999, "99:59"),
            (.pace(for: 6000), 6000, "100:00"), (.pace(for: 1_609_344), 1_609_344, "26822:24"),
            (.decimal(2, 2, for: 9999), 9999, "99.99"), (.decimal(2, 2, for: 36_000), 36_000, "360.00"),
            (.decimal(7, 0, for: 99_999_999), 99_999_999, "99999999"), (.decimal(7, 0), 0, "0000000"),
        ]
        for (field, units, text) in fields {
            #expect(field.text(units, cursor: nil, marks: ("", "")) == text)
            let last = field.count - 1
            #expect(field.turned(last, by: -1, in: 0) == nil && field.turned(0, by: 1, in: 0) == field.weights[0])
        }
        #expect(DialedField.decimal(4, 3, for: .max).count == 17)
    }

    @Test("the digit at the cursor is marked")
    func cursor() { #expect(DialedField.pace().text(350, cursor: 1, marks: ("[", "]")) == "0[5]:50") }
}
