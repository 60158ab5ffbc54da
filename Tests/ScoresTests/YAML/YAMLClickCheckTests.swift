import SampleScores
import Scores
import Testing

@Suite("Keys for clicks and holds that would have no effect")
struct YAMLClickCheckTests {
    @Test(
        "a hold after the end of its bar is an error that says how long the bar is",
        arguments: [
            (
                "bars: [{meter: 4/4, hold: 5 at beat 2.5}]",
                "1:27: error: a hold is at a whole beat, from 1 to 1000, for example beat 3"
            ),
            (
                "bars: [{meter: 4/4, hold: 5 at beat 600}]",
                "1:27: error: the hold is at beat 600, but the bar has 4 beats"
            ),
            ("bars: [{meter: 1/4, hold: 5 at beat 2}]", "1:27: error: the hold is at beat 2, but the bar has 1 beat"),
            (
                "bars: [{meter: 4/4, hold: [5 at beat 4, {length: 1, at: beat 5}]}]",
                "1:41: error: the hold is at beat 5, but the bar has 4 beats"
            ),
            (
                "bars: [{meter: 2/4, beats: [1/4, 1/8, 1/8], hold: 1 at beat 4}]",
                "1:51: error: the hold is at beat 4, but the bar has 3 beats"
            ),
            (
                "bars: [{duration: 2, beats: Xx, hold: 5 at beat 3}]",
                "1:39: error: the hold is at beat 3, but the bar has 2 beats"
            ),
            (
                "bars: [{duration: 2, grid: 4 parts, hold: 5 at beat 5}]",
                "1:43: error: the hold is at beat 5, but the bar has 4 beats"
            ),
            (
                "bars: [{duration: 2, hold: 5 at beat 1}]",
                "1:28: error: the hold is at beat 1, but this bar of seconds has no beats; write after how many seconds it is, for example 5 at 1.5"
            ),
            ("bars: [{duration: 2, hold: [1, 5 at 2.5]}]", "1:32: error: the hold is at 2.5 s, but the bar lasts 2 s"),
            (
                "tempo: 120\nbars: [{meter: 4/4, hold: 5 at 2.5}]",
                "2:8: error: a hold is at 2.5 s, but with its tempo this bar lasts 2.000 s"
            ),
        ])
    func holds(text: String, expected: String) {
        #expect(rendered(text).hasPrefix("x.yaml:\(expected)\n"), "\(rendered(text))")
    }

    @Test(
        "a hold within its bar is not an error",
        arguments: [
            "bars: [{meter: 4/4, hold: 5 at beat 4}]", "bars: [{duration: 2, hold: 5 at 2}]",
            "tempo: 120\nbars: [{meter: 4/4, hold: 5 at 2}]", "bars: [{meter: 4/4, speed: 200%, hold: 5 at 3.5}]",
            "bars: [{meter: 2.5/4, hold: 5 at beat 3}]", "bars: [{meter: 3/4, hold: [until cue at beat 1, 5]}]",
            "bars: [{duration: 2, grid: 4 parts, hold: 5 at beat 4}]",
        ])
    func valid(text: String) throws { _ = try score(text) }

    @Test(
        "a key that would be ignored is reported",
        arguments: [
            (
                "bars: [{meter: 4/4, beats: on, grid: 4 parts}]",
                "1:38: error: a bar has 'beats' or 'grid', not both"
            ),
            ("bars: [{duration: 4, beats: Xx, grid: seconds}]", "1:39: error: a bar has 'beats' or 'grid', not both"),
            (
                "bars: [{duration: 4, beats: on}]",
                "1:29: error: a bar of seconds has no beats of its own; write a letter for each, such as Xxx, or grid: 3 parts"
            ),
            (
                "bars: [{meter: 4/4, subdivide: 2, grid: 4 parts}]",
                "1:41: error: 'subdivide' divides beats, and 'grid' takes their place: use one of them"
            ),
            (
                "bars: [{duration: 4, subdivide: 2}]",
                "1:33: error: 'subdivide' divides beats, which this bar of seconds does not have; write beats: Xxx or grid: 4 parts"
            ),
            (
                "grid: 4 parts\nbars: [4/4]",
                "1:7: warning: the grid has no effect: it is for bars of seconds, and all bars have a meter; write subdivide: 2, or give a bar its own grid"
            ),
            (
                "subdivide: 2\nbars: [3]",
                "1:12: warning: 'subdivide' has no effect: it is for bars with a meter, and the score has none; write grid: 4 parts"
            ), ("subdivide: 17\nbars: [4/4]", "1:12: error: a beat is divided into 1 to 16 parts, for example 2"),
            ("subdivide: 0\nbars: [4/4]", "1:12: error: a beat is divided into 1 to 16 parts, for example 2"),
        ])
    func ignored(text: String, expected: String) {
        #expect(rendered(text).hasPrefix("x.yaml:\(expected)\n"), "\(rendered(text))")
    }

    @Test(
        "a key has an effect if it has one in any voice", arguments: ["4/4", "4"], ["grid: seconds", "subdivide: 2"])
    func voices(first: String, key: String) {
        let second = first == "4" ? "4/4" : "4"
        #expect(rendered("\(key)\nvoices: {a: {bars: [\(first)]}, b: {bars: [\(second)]}}") == "")
    }

    @Test("a score's parts of beats turn the beats on, and read back from what is written")
    func subdivide() throws {
        #expect(try score("subdivide: 2\nbars: [4/4]").beats)
        #expect(try !score("subdivide: 1\nbars: [4/4]").beats)
        for text in ["subdivide: 3", "beats: off\nsubdivide: 3"] {
            #expect(try score("\(text)\nbars: [4/4]").yaml == "\(text)\nbars: [4/4]\n")
        }
    }

    @Test("a score's grid gives no warning if a fragment has a bar of seconds, or if the score has brackets")
    func grid() throws {
        _ = try score("grid: clock\nfragments: {f: [3]}\nlines: [[4/4], {use: f}]")
        _ = try score("grid: clock\nbrackets: [{start: 0, end: 5}]")
    }
}
