import CommandSupport
import DemoCommands
import Foundation
import Testing

@Suite(
    "A phone in the hands of a person", .serialized,
    .enabled(if: TerminalSession.isPossible, "there is no /usr/bin/script (bsdutils) here"))
struct InteractivePhoneTests {
    private static let pin = "572914"
    private static let newPin = "730528"
    private static let password = "correct horse"

    @Test("A person registers, mistypes, signs in, changes his mind and his PIN, and deletes his keys")
    func life() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await installation.phone("phone")
        let session = try TerminalSession(phone.program, ["device", "interactive", "--device", phone.folder.path()])

        try await register(at: session)
        try await session.answer("> ", "sign-in")
        try await session.answer("PIN: ", Self.newPin)
        try await session.expect("The last PIN was wrong; 4 attempts are left.")
        let shown = try await session.expect("PIN: ")
        #expect(!shown.contains(Self.newPin))
        try session.type(Self.pin + "\n")
        try await session.expect("anna is signed in (token).")

        try await session.answer("> ", "sign-in")
        try await session.expect("PIN: ")
        try session.type(TerminalSession.interruption)
        try await session.expect("canceled")

        try await session.answer("> ", "change-pin anna")
        try await session.answer("Old PIN: ", Self.pin)
        try await session.answer("New PIN: ", Self.newPin)
        try await session.answer("The same again: ", Self.newPin)
        try await session.expect("anna has a new PIN on this phone.")

        try await session.answer("> ", "delete")
        try await session.answer("[y/N] ", "y")
        try await session.expect("This phone has no keys of anna any more.")
        try await session.answer("> ", "quit")
        try await session.expect("The phone is off.")
        #expect(session.ending() == 0)
    }

    /// Registers with a PIN, after one of the wrong form and a slip.
    private func register(at session: TerminalSession) async throws {
        try await session.answer("> ", "accounts")
        try await session.answer("No user is registered on this phone.\r\n\r\n> ", "register anna")
        try await session.answer("at the server (empty for none): ", Installation.password)
        try await session.answer("Which authenticator?", "1")
        try await session.answer("New PIN: ", "12")
        try await session.answer("The same again: ", "12")
        try await session.expect("6 digits")
        try await session.answer("New PIN: ", Self.pin)
        try await session.answer("The same again: ", Self.newPin)
        try await session.expect("The two differ.")
        try await session.answer("New PIN: ", Self.pin)
        try await session.answer("The same again: ", Self.pin)
        try await session.expect("anna is registered on this phone.")
    }

    @Test("A second authenticator is allowed by signing in with the first, and each is chosen by its number")
    func second() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        let session = try TerminalSession(phone.program, ["device", "interactive", "--device", phone.folder.path()])
        try await session.answer("> ", "register anna")
        try await session.answer("at the server (empty for none): ", "")
        try await session.expect("Sign in first")
        try await session.answer("PIN: ", Installation.pin)
        // The server takes no second PIN, so there is nothing to choose.
        try await session.answer("New password: ", Self.password)
        try await session.answer("The same again: ", Self.password)
        try await session.expect("anna is registered on this phone.")
        try await session.answer("> ", "sign-in anna")
        try await session.answer("password (F1D0#1005)", "2")
        try await session.answer("Password: ", Self.password)
        try await session.expect("anna is signed in")
        try await session.answer("> ", "dance")
        try await session.expect("There is no dance here")
        try await session.expect("> ")
        try session.type(TerminalSession.interruption)
        try await session.expect("quit leaves")
        try await session.answer("> ", "q")
        #expect(session.ending() == 0)
    }

    @Test("O-M8: lines are mended, letters are explained, codes are drawn, and losses told in its own words")
    func lines() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        let phone = try await installation.phone("phone")
        let session = try TerminalSession(phone.program, ["device", "interactive", "--device", phone.folder.path()])
        try await session.answer("> ", "a")
        try await session.expect("a could be accounts, authenticators or answer.")
        try await session.answer("> ", "acx\u{7F}counts")
        try await session.expect("No user is registered on this phone.")
        try await session.answer("> ", "s absent")
        try await session.expect("The user is not registered on this device.")
        try await session.expect("accounts names who is registered")
        try await session.answer("> ", "draw signet://open?x=1")
        try await session.expect("█")
        try await session.expect("> ")
        try session.type(TerminalSession.end)
        try await session.expect("The phone is off.")
        #expect(session.ending() == 0)
    }

    @Test("O-M8: a push message rings, the line that was begun is kept, and answer takes the message")
    func push() async throws {
        let scratch = try TemporaryFolder(named: "signet-push")
        let programs = try Installation.builtPrograms()
        let sink = try await LocalPushSink(program: programs.pushSink, folder: scratch.url.appending(path: "push-sink"))
        defer { sink.process.stop() }
        let installation = try Installation(settings: "fido-uaf:\n  dispatchers:\n    - \(sink.dispatcher)\n")
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        let phone = try await installation.phone(
            "phone", ["--push-sink", sink.address, "--push-ca", sink.authorityFile.path()])
        #expect(try await installation.register(phone, "anna").isDone)
        let session = try TerminalSession(phone.program, ["device", "interactive", "--device", phone.folder.path()])
        try await session.expect("> ")
        try session.type("ans")
        let targets = try await installation.server.administer("devices list", ["--user", "anna"])
        let target = try #require(targets.result.objects("devices").first?.text("id"))
        let asked = try await installation.server.administer(
            "dispatch authenticate",
            [
                "--user", "anna", "--target", target, "--dispatcher", "firebase-cloud-messaging", "--channel-linking",
                "none", "--reason", "a test",
            ])
        #expect(asked.isDone, "\(asked.message)")
        try await session.expect("\u{7}A push message has come")
        try await session.answer("> ", "wer")
        try await session.answer("(empty: the push message): ", "")
        try await session.answer("tell the server] ", "y")
        try await session.answer("PIN: ", Installation.pin)
        try await session.expect("onfirmed")
        try await session.answer("> ", "quit")
        #expect(session.ending() == 0)
    }
}
