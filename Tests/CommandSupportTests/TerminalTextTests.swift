import Testing

@testable import CommandSupport

@Suite("What a command prints has the lines of the program, and nothing that a terminal obeys")
struct TerminalTextTests {
    /// Names that colour, write the clipboard, set the title, turn the direction, or make a line of their own.
    static let hostile = [
        "\u{1B}[31m", "\u{1B}]52;c;ZXZl\u{7}", "\u{9B}2K", "\u{202E}anna", "\nanna  trusted", "a\tb", "\r",
    ]

    private func isObeyed(_ scalar: Unicode.Scalar) -> Bool { scalar != "\n" && !ForeignText.isVisible(scalar) }

    @Test("A value between the words is spelled, whatever its type and however deep it stands", arguments: hostile)
    func values(name: String) {
        #expect("\("anna") is here\nand \(7)" as TerminalText == "anna is here\nand 7")
        let user: TerminalText = "user \(name)"
        let given: TerminalText = "\(GivenName(argument: name)) and \(Substring(name))"
        let texts: [TerminalText] = [
            user, given, "it is \(user)", TerminalText([user]), TerminalText(lines: [name]),
            TextTable(head: ["USER"], rows: [[name]]).text,
        ]
        for text in texts {
            #expect(!text.description.unicodeScalars.contains(where: isObeyed), "\(text)")
            #expect(text.description.contains("\\u{"), "\(text)")
        }
        #expect(texts.map { $0.description.split(separator: "\n").count } == [1, 1, 1, 1, 1, 2])
    }

    @Test("A tab stands only between cells, and a line break only between lines", arguments: hostile)
    func rows(name: String) {
        let text = TerminalText(rows: [[name, "active"], [name, "locked"]]).description
        #expect(text.split(separator: "\n").map { $0.split(separator: "\t").count } == [2, 2])
    }

    @Test("The words of the program cannot move the cursor either, and only a QR code has colours")
    func words() {
        #expect("\u{1B}[2Ja\n\tb" as TerminalText == TerminalText(asItIs: "\\u{1B}[2Ja\n\tb"))
        let code = ShownCode(text: "code").drawing
        #expect("Scan:\n\(code)" as TerminalText == TerminalText(asItIs: "Scan:\n" + code.description))
    }

    @Test("A value for a program stays as it is where no terminal is")
    func piped() { #expect(TerminalText(value: "\u{1B}a\n").description == "\u{1B}a\n") }
}
