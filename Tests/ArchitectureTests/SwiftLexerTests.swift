import Testing

@Suite("The scanner separates code from comments and literals")
struct SwiftLexerTests {
    @Test("Comments become blanks and are kept with their line")
    func comments() {
        let (code, comments) = SwiftLexer.separate("a // one\nb /* two /* nested */\n */ c\n")
        #expect(code == "a       \nb \(String(repeating: " ", count: 19))\n    c\n")
        #expect(comments.map(\.line) == [1, 2])
        #expect(comments.first?.text == "// one")
    }

    @Test(
        "The text of a literal becomes blanks",
        arguments: [
            (#"f("try! // x")"#, #"f("         ")"#),
            (#"f("a\"b!")"#, #"f("     ")"#),
            ("f(#\"a\"b\\n\"#)", "f(#\"     \"#)"),
            ("let x = \"\"\"\n  let y!\n  \"\"\" + z", "let x = \"\"\"\n        \n  \"\"\" + z"),
        ])
    func literals(source: String, expected: String) {
        #expect(SwiftLexer.separate(source).code == expected)
    }

    @Test("Interpolated code stays, also with literals and parentheses inside")
    func interpolation() {
        let code = SwiftLexer.separate(#"x("a\(f("b", (1)) + y!)c")"#).code
        #expect(code == #"x("  (f(" ", (1)) + y!) ")"#)
    }

    @Test("A text that ends inside a literal or a comment is read to its end", arguments: ["\"abc", "/* x", "\"\\(a"])
    func unfinished(source: String) {
        #expect(SwiftLexer.separate(source).code.utf8.count == source.utf8.count)
    }
}
