internal import Scores
internal import Testing

@Suite struct TimeOfDayTextTests {
    @Test(
        "a time of day has hours and minutes, and an exact one may have seconds and up to three decimals",
        arguments: [
            ("7:00", 25_200_000, true), ("00:00", 0, true), ("23:59", 86_340_000, true), ("9:5", 32_700_000, false),
            ("20:15:00", 72_900_000, false), ("20:15:00.5", 72_900_500, false), ("20:15:1.25", 72_901_250, false),
            ("23:59:59.999", 86_399_999, false),
        ])
    func valid(text: String, milliseconds: Int, isOfMinutes: Bool) throws {
        let exact = try #require(TimeOfDay(exactText: text))
        #expect(exact.milliseconds == milliseconds)
        #expect(TimeOfDay(text: text) == (isOfMinutes ? exact : nil))
        #expect(!isOfMinutes || TimeOfDay(text: exact.text) == exact)
    }

    @Test(
        "a text with another field, sign, digit or number is no time of day",
        arguments: [
            "", ":", "7", "7:", ":00", "007:00", "24:00", "7:60", "7:000", "-7:00", "+7:00", "7:00 ", "7:00.5", "٧:00",
            "7:0.55", "7:00:", "7:00:60", "7:00:000", "7:00:00.", "7:00:00.1234", "7:00:00.+5", "7:00:00.5.5",
            "7:00:00:00",
        ])
    func invalid(text: String) {
        #expect(TimeOfDay(exactText: text) == nil)
        #expect(TimeOfDay(text: text) == nil)
    }
}
