import Testing

@testable import DeviceCommands

@Suite("Words at the terminal of a phone")
struct ConsoleCommandTests {
    @Test("A command is its word, or a beginning that only it has")
    func words() {
        #expect(ConsoleCommand(word: "sign-in") == .signIn)
        #expect(ConsoleCommand(word: "s") == .signIn)
        #expect(ConsoleCommand(word: "reg") == .register)
        #expect(ConsoleCommand(word: "change-pa") == .changePassword)
        #expect(ConsoleCommand(word: "q") == .quit)
    }

    @Test("O-M8: a beginning that several commands have is answered with their names")
    func ambiguity() {
        #expect(ConsoleCommand.refusal(of: "a") == "a could be accounts, authenticators or answer.")
        #expect(ConsoleCommand.refusal(of: "change") == "change could be change-pin or change-password.")
        #expect(ConsoleCommand.refusal(of: "dance").hasPrefix("There is no dance here"))
        #expect(ConsoleCommand.refusal(of: "\u{1B}[2J").contains("\\u{1B}"))
    }

    @Test("A word that no or several commands begin with is none", arguments: ["", "x", "de", "change", "quitt"])
    func strangers(word: String) {
        #expect(ConsoleCommand(word: word) == nil)
    }
}
