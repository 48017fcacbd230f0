import CommandSupport
import DemoCommands
import Foundation
import Testing

/// A server that is held where it is (SIGSTOP): the kernel still takes connections, and no answer comes.
@Suite("A server that is stopped in the middle of an operation", .serialized)
struct StoppedServerTests {
    /// Seconds: few for a server that says nothing, many for one that answers.
    private static let patience = "10"
    private static let words = "the time was up; the server or the network is slow or stuck"

    private func hold(_ server: ChildProcess) { kill(server.identifier, SIGSTOP) }
    private func resume(_ server: ChildProcess) { kill(server.identifier, SIGCONT) }

    @Test(
        "O-M10: a phone whose server is stopped between request and answer gives up and says so; the next try works",
        .enabled(if: TerminalSession.isPossible, "there is no /usr/bin/script (bsdutils) here"))
    func inTheMiddle() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        let session = try TerminalSession(
            phone.program,
            ["device", "interactive", "--device", phone.folder.path(), "--network-timeout", Self.patience])
        try await session.answer("> ", "sign-in")
        // The request has come when the phone asks for the PIN.
        try await session.expect("PIN: ")
        hold(server)
        try session.type(Installation.pin + "\n")
        try await session.expect(Self.words)
        resume(server)
        try await session.answer("> ", "sign-in")
        try await session.answer("PIN: ", Installation.pin)
        try await session.expect("anna is signed in")
        try await session.answer("> ", "quit")
        #expect(session.ending() == 0)
    }

    @Test(
        "O-M10: who set ten seconds gives up while who set ten minutes waits, and is answered when the server goes on")
    func asLongAsSet() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        let (hasty, first) = try await installation.registered("anna")
        let (patient, second) = try await installation.registered("bert")
        #expect(first.isDone && second.isDone, "\(first.message) \(second.message)")
        hold(server)
        let waiting = try patient.start(
            "authenticate", installation.authentication(of: "bert") + ["--network-timeout", "600"])
        defer { waiting.kill() }
        // Twice: if the numbers went unheeded, the one that waits would have given up before the second time ends.
        for _ in 1...2 {
            let gaveUp = try await hasty.run(
                "authenticate", installation.authentication(of: "anna") + ["--network-timeout", Self.patience])
            #expect(gaveUp.code == 2 && gaveUp.error == "NetworkError", "\(gaveUp.error ?? "none")")
            #expect(gaveUp.message.contains(Self.words), "\(gaveUp.message)")
        }
        #expect(waiting.isRunning)
        resume(server)
        let answered = try CommandOutcome(await waiting.ending())
        #expect(answered.isDone, "\(answered.message)")
        let again = try await installation.authenticate(hasty, "anna")
        #expect(again.isDone, "\(again.message)")
    }
}
