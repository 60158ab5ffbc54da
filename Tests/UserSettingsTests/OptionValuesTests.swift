internal import Testing
internal import UserSettings

@Suite struct OptionValuesTests {
    @Test("an option lies over the environment, the score and the file, whose values are there again without it")
    func over() throws {
        var settings = Settings()
        #expect(settings.take(environment: ["BARLINE_TAP_DELAY": "20", "BARLINE_DEVICE": "desk"]).isEmpty)
        var options = OptionValues()
        options[Setting.tapDelay] = 35
        #expect(
            settings.under(options)[Setting.tapDelay] == 35 && settings.under(options).given(Setting.tapDelay) == 35)
        #expect(settings.under(options)[Setting.device] == "desk" && settings[Setting.tapDelay] == 20)
        options[Setting.tapDelay] = nil
        #expect(settings.under(options)[Setting.tapDelay] == 20)
        #expect(
            Settings().under(options)[Setting.tapDelay] == 0 && Settings().under(options).given(Setting.tapDelay) == nil
        )
    }

    @Test("an option that leaves a setting open is not one that is missing")
    func open() {
        var settings = Settings()
        #expect(settings.take(environment: ["BARLINE_LTC_CHANNEL": "3"]).isEmpty)
        var options = OptionValues()
        #expect(options[Setting.ltcChannel] == .none && settings.under(options)[Setting.ltcChannel] == 3)
        options[Setting.ltcChannel] = .some(nil)
        #expect(options[Setting.ltcChannel] == .some(.none) && settings.under(options)[Setting.ltcChannel] == nil)
        options[Setting.ltcChannel] = 5
        #expect(settings.under(options)[Setting.ltcChannel] == 5)
    }
}
