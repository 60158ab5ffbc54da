import Scores
import Testing
import UserSettings

@Suite("Keys of the user")
struct KeyBindingsTests {
    @Test("the standard keys have one action each, and every key has a word that reads back")
    func standard() throws {
        let keys = KeyAction.allCases.flatMap(\.standardKeys)
        #expect(Set(keys).count == keys.count)
        for action in KeyAction.allCases {
            for key in action.standardKeys {
                #expect(KeyBindings.standard.action(of: key) == action)
                #expect(Key(word: key.word) == key, "\(key)")
                #expect(!key.name.isEmpty)
            }
        }
        #expect(try KeyBindings(text: "standard") == .standard)
    }

    @Test("keys that are listed replace those of the action, and the others stay")
    func changed() throws {
        let keys = try KeyBindings(text: "pause F5 page-down,next-bar PageUp right, previous-line up, a4-up none")
        #expect(keys.keys(of: .pause) == [.function(5), .pageDown])
        #expect(keys.action(of: .character(" ")) == nil)
        #expect(keys.action(of: .pageUp) == .nextBar && keys.action(of: .right) == .nextBar)
        #expect(keys.keys(of: .a4Up) == [] && keys.action(of: .character("b")) == nil)
        #expect(keys.keys(of: .quit) == KeyAction.quit.standardKeys)
    }

    @Test("upper and lower case are different characters, and a comma has a word")
    func characters() throws {
        let keys = try KeyBindings(text: "loop-bar É, earlier comma ;")
        #expect(keys.action(of: .character("É")) == .loopBar)
        #expect(keys.action(of: .character("é")) == nil)
        #expect(keys.keys(of: .earlier) == [.character(","), .character(";")])
    }

    @Test(
        "the error about an invalid list says what is valid",
        arguments: [
            (
                "pause b",
                "the key 'b' of pause has the action a4-up already; list a4-up with another key, too, or write 'a4-up none'"
            ),
            (
                "next-bar space",
                "the key 'space' of next-bar has the action pause already; list pause with another key, too, or write 'pause none'"
            ),
            ("pause f5, next-bar f5", "the key 'f5' has two actions: pause and next-bar"),
            ("pause f5, pause f6", "the action 'pause' is listed twice"),
            ("paus f5", "'paus' is not an action of a key; did you mean 'pause'?"),
            ("pause", "the action 'pause' has no key; write 'pause none' if that is meant"),
            ("pause f5,", "an action is missing before or after a comma; the key ',' is called comma"),
            ("", "a value is missing, for example pause b, a4-up none"),
        ])
    func faults(text: String, message: String) {
        let error = #expect(throws: TextError.self) { try KeyBindings(text: text) }
        #expect(error.map { "\($0)" } == message)
    }

    @Test("a key that does not exist is refused", arguments: ["f13", "f0", "f05x", "none", "ctrl-x", "pageup2", "ab"])
    func unknown(word: String) {
        let error = #expect(throws: TextError.self) { try KeyBindings(text: "pause \(word) f5") }
        #expect(error.map { "\($0)".contains("is not a key") } == true)
    }

    @Test("no list of keys, however it is made, gives a key two actions")
    func random() throws {
        var random = SystemRandomNumberGenerator()
        var taken = 0
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let action = KeyAction.allCases.randomElement(using: &random)?.rawValue ?? ""
                let keys = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                    ["f1", "f2", "x", "b", "space", "none", "comma", "é"].randomElement(using: &random) ?? ""
                }
                return action + " " + keys.joined(separator: " ")
            }.joined(separator: ", ")
            guard let keys = try? KeyBindings(text: text) else { continue }
            taken += 1
            let all = KeyAction.allCases.flatMap { keys.keys(of: $0) }
            #expect(Set(all).count == all.count, "\(text)")
            for action in KeyAction.allCases {
                #expect(keys.keys(of: action).allSatisfy { keys.action(of: $0) == action }, "\(text)")
            }
        }
        #expect(taken > 100)
    }
}
