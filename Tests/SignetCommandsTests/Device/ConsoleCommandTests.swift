import Testing

@testable import SignetCommands

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

    @Test("A word that no or several commands begin with is none", arguments: ["", "x", "de", "change", "quitt"])
    func strangers(word: String) {
        #expect(ConsoleCommand(word: word) == nil)
    }
}
