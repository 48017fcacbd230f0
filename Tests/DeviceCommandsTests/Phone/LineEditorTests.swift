import Testing

@testable import DeviceCommands

@Suite("A line that a person edits at the terminal")
struct LineEditorTests {
    /// Presses the keys behind these bytes, and gives what became of it.
    private func line(_ bytes: String, history: [String] = [], words: [String] = []) -> (
        LineEditor, LineEditor.Outcome?
    ) {
        var (editor, reader) = (LineEditor(history: history, words: words), TerminalKeyReader())
        var last: LineEditor.Outcome?
        for byte in bytes.utf8 { for key in reader.keys(from: [byte]) { last = editor.press(key) } }
        return (editor, last)
    }

    @Test(
        "O-M8: arrows and control keys move, insert and erase",
        arguments: [
            ("sgn\u{1B}[D\u{1B}[Di", "sign"), ("abc\u{7F}", "ab"), ("abc\u{1}x", "xabc"), ("abc\u{1}\u{1B}[3~", "bc"),
            ("abc\u{1}\u{5}d", "abcd"), ("sign-in anna\u{17}ben", "sign-in ben"), ("one two\u{15}", ""),
            ("one two\u{1}\u{6}\u{B}", "o"), ("a\u{1B}OHb", "ba"), ("ü€𝄞\u{7F}", "ü€"), ("a\u{1B}[15~b", "ab"),
            ("a\u{202E}b", "ab"), ("a\u{1B}xb", "ab"), ("\u{8}x\u{1B}[D\u{1B}[D\u{1B}[Cy", "xy"),
        ])
    func editing(bytes: String, text: String) {
        #expect(line(bytes).0.text == text)
    }

    @Test("O-M8: earlier lines come back, can be changed, and the one that was being written is not lost")
    func history() {
        let before = ["accounts", "sign-in anna"]
        #expect(line("\u{1B}[A", history: before).0.text == "sign-in anna")
        #expect(line("\u{1B}[A\u{1B}[A\u{1B}[A", history: before).0.text == "accounts")
        #expect(line("dr\u{1B}[A\u{1B}[B", history: before).0.text == "dr")
        #expect(line("\u{10}\u{17}ben", history: before).0.text == "sign-in ben")
        #expect(line("x\u{1B}[B", history: before).1 == .nothing)
    }

    @Test("O-M8: Tab completes a command, as far as it is the only one, and names the others")
    func completion() {
        let words = ConsoleCommand.allCases.map(\.rawValue)
        #expect(line("s\t", words: words).0.text == "sign-in ")
        #expect(line("ch\t", words: words).0.text == "che" || line("chan\t", words: words).0.text == "change-p")
        #expect(line("a\t", words: words).1 == .candidates(["accounts", "authenticators", "answer"]))
        #expect(line("zz\t", words: words).1 == .nothing)
        #expect(line("sign-in a\t", words: words).1 == .nothing)
    }

    @Test("O-M8: a line ends by Enter, Ctrl-C, or Ctrl-D where nothing is written")
    func ends() {
        #expect(line("quit\r").1 == .submitted)
        #expect(line("quit\u{3}").1 == .interrupted)
        #expect(line("\u{4}").1 == .ended)
        #expect(line("a\u{4}").1 == .nothing)
        #expect(line("a\u{1}\u{4}").0.text.isEmpty)
    }

    @Test("O-M8: of a line that is too long for the terminal the part around the cursor is shown")
    func window() {
        let (editor, _) = line(String(repeating: "a", count: 50) + "z")
        let view = editor.view(columns: 20)
        #expect(view.text.hasSuffix("z") && view.text.count <= 19 && view.cursor == view.text.count)
        let (start, _) = line(String(repeating: "a", count: 50) + "\u{1}b")
        #expect(start.view(columns: 20).text.hasPrefix("b") && start.view(columns: 20).cursor == 1)
        #expect(line("abc").0.view(columns: 20) == ("abc", 3))
    }

    @Test("O-M8: sequences that are cut in two are put together, and endless ones are dropped")
    func sequences() {
        var reader = TerminalKeyReader()
        #expect(reader.keys(from: [0x1B]).isEmpty)
        #expect(reader.keys(from: [UInt8(ascii: "[")]).isEmpty)
        #expect(reader.keys(from: [UInt8(ascii: "A")]) == [.up])
        #expect(reader.keys(from: Array("€".utf8.prefix(2))).isEmpty)
        #expect(reader.keys(from: Array("€".utf8.dropFirst(2))) == [.text("€")])
        #expect(
            reader.keys(from: [0x1B, UInt8(ascii: "[")] + [UInt8](repeating: UInt8(ascii: "1"), count: 64)).isEmpty)
        #expect(reader.keys(from: [UInt8(ascii: "x")]) == [.text("x")])
        #expect(reader.keys(from: [0xFF, UInt8(ascii: "y")]) == [.text("y")])
    }
}
