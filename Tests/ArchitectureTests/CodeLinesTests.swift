import Testing

@Suite("The scanner finds the lines on which a word stands")
struct CodeLinesTests {
    private func numbers(_ text: String, _ words: String...) -> [Int] {
        CodeLines(text).lines(naming: words).map(\.number)
    }

    @Test("Each line with one of the words is found once, in its order, wherever in the line the word stands")
    func words() {
        let text = "one two one\nthree\nfour one\n  two\n"
        #expect(numbers(text, "one") == [1, 3])
        #expect(numbers(text, "two", "one") == [1, 3, 4])
        #expect(numbers(text, "hree\n") == [2])
        #expect(numbers(text, "five", "One").isEmpty)
        #expect(CodeLines(text).lines(naming: ["two"]).map { String($0.text) } == ["one two one", "  two"])
    }

    @Test(
        "Lines are those between line breaks, with the one behind the last",
        arguments: ["", "a", "\n", "a\n\nb", "ä\nb\n"])
    func lines(text: String) {
        let lines = CodeLines(text)
        let expected = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.count == expected.count)
        #expect(lines.all.map { String($0.text) } == expected)
        #expect(lines.all.map(\.number) == Array(1...expected.count))
    }

    @Test("A word at the very end is found, also without a line break behind it")
    func end() {
        #expect(numbers("a\nbc", "c") == [2])
        #expect(numbers("a\nbc\n", "c") == [2])
        #expect(CodeLines("a\nbc").has("x", "bc") && !CodeLines("a\nbc").has("x", "a b"))
    }
}
