import Testing

@testable import CommandSupport

@Suite("Foreign text is shown as what it is")
struct ForeignTextTests {
    private func lines(_ text: String) -> [String] { ForeignText(text.utf8).lines }

    @Test("Ordinary text stays as it is, line by line, behind a bar")
    func ordinary() {
        #expect(lines("Pay 12.50 € to Zoë?\nYes 🙂") == ["│ Pay 12.50 € to Zoë?", "│ Yes 🙂"])
        #expect(lines("") == ["│ "])
        #expect(lines("a\r\nb\rc\n") == ["│ a", "│ b", "│ c", "│ "])
    }

    @Test(
        "What would move the cursor, turn the direction, hide or imitate is spelled out",
        arguments: [
            ("a\u{1B}[2Jb", "│ a\\u{1B}[2Jb"), ("a\u{202E}b", "│ a\\u{202E}b"), ("a\u{2066}b", "│ a\\u{2066}b"),
            ("a\u{200B}b", "│ a\\u{200B}b"), ("a\u{7}b", "│ a\\u{7}b"), ("a\u{9B}b", "│ a\\u{9B}b"),
            ("a\u{2028}b", "│ a\\u{2028}b"), ("a\tb", "│ a\\u{9}b"), ("a\u{A0}b", "│ a\\u{A0}b"),
            ("a\u{FEFF}b", "│ a\\u{FEFF}b"), ("a\u{E000}b", "│ a\\u{E000}b"),
        ])
    func hostile(text: String, shown: String) {
        #expect(lines(text) == [shown])
    }

    @Test("A long line goes on behind a bar of its own, and no line is lost among ten thousand")
    func long() {
        let wrapped = lines(String(repeating: "x", count: 200))
        #expect(wrapped.map(\.count) == [74, 74, 58])
        #expect(lines(String(repeating: "\n", count: 9_999)).count == 10_000)
    }

    @Test("A word for a shell is one word, whatever is in it, and nothing of it is hidden")
    func words() {
        #expect(ShellWord.quoted("anna@example.com") == "anna@example.com")
        #expect(ShellWord.quoted("a;touch x") == "'a;touch x'" && ShellWord.quoted("o'neil") == "'o'\\''neil'")
        #expect(ShellWord.quoted("o'\\\u{202E}x") == "$'o\\'\\\\\\U0000202ex'" && ShellWord.quoted("") == "''")
    }

    @Test("Bytes that are no text are shown as such")
    func noText() {
        #expect(ForeignText([0x61, 0xFF, 0x62]).lines == ["│ a\u{FFFD}b"])
        #expect(ForeignText.name("an\nna") == "an\\u{A}na")
    }
}
