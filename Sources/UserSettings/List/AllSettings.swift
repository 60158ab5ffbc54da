extension Setting {
    /// All settings, in the order in which they are listed.
    package static let all: [Setting] =
        [drone.setting] + ofDrone.map(\.setting) + [
            a4.setting, tuning.setting, keyboardMap.setting, tonic.setting, instrument.setting, temperature.setting,
        ] + [
            clickLevel.setting, oneSound.setting, lineSound.setting, beats.setting, subdivide.setting, grid.setting,
            warnLastBar.setting, halfTime.setting, minuteLeft.setting, endSignal.setting, countdown.setting,
            countdownTo.setting, holdEnd.setting, speak.setting, language.setting, speechLevel.setting,
        ] + [
            speed.setting, countIn.setting, countInOnJumps.setting, wait.setting, device.setting, latency.setting,
        ] + [
            flash.setting, flashColor.setting, flashLineColor.setting, digits.setting, color.setting,
            plain.setting, keys.setting, notify.setting, practiceLog.setting,
        ]
}
