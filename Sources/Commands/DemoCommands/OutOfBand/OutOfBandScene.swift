import CommandSupport
import DeviceCommands
import Foundation
import Octets
import StrictJSON

/// Participants of the out-of-band demonstration: a phone, and a laptop whose application is represented by commands of
/// the server's administrator.
struct OutOfBandScene {
    static let user = "anna"

    let stage: DemoStage
    let sink: LocalPushSink
    let phone: PhoneProcess

    // MARK: - The laptop

    /// Begins an operation, as the application on the laptop would; `arguments` choose the operation's details and its
    /// dispatcher.
    func begin(_ operation: String, _ arguments: [String]) async throws -> BegunOperation {
        let outcome = try await stage.server.administer(
            "dispatch \(operation)", ["--reason", "a demonstration", "--user", Self.user] + arguments)
        guard outcome.isDone else { throw CommandFailure.local(outcome.error ?? "DispatchFailed", outcome.message) }
        return BegunOperation(outcome.result)
    }

    /// Begins an authentication that is dispatched by a push message.
    func push(_ arguments: [String] = []) async throws -> BegunOperation {
        guard let target = try await targets().first?.text("id") else {
            throw CommandFailure.local("DispatchFailed", "the server has no record of the phone")
        }
        return try await begin(
            "authenticate", ["--target", target, "--dispatcher", "firebase-cloud-messaging"] + arguments)
    }

    func status(of operation: BegunOperation) async throws -> JSONObject {
        try await stage.server.administer("dispatch status", ["--wait", "20"], names: [operation.sessionID]).result
    }

    // MARK: - The phone

    func run(_ command: String, _ arguments: [String] = [], step: String? = nil) async throws -> CommandOutcome {
        try await phone.run(command, arguments, record: step.map(stage.recording))
    }

    /// Approves with the PIN; without a message the phone queries the server for pending operations.
    func approve(
        _ message: URL?, digits: Sensitive<String>?, step: String
    ) async throws -> CommandOutcome {
        let digits = try digits.map { ["--digits-file", try file("digits", holding: $0)] } ?? []
        return try await run(
            "approve", [message?.path()].compactMap(\.self) + ["--pin-file", stage.pinFile.path()] + digits, step: step)
    }

    func open(_ link: Sensitive<String>, step: String) async throws -> CommandOutcome {
        try await run(
            "open", [try file("link", holding: link), "--pin-file", stage.pinFile.path()], step: step)
    }

    /// Writes a secret into a file, since all users of the machine can read arguments.
    private func file(_ name: String, holding secret: Sensitive<String>) throws -> String {
        let path = stage.file(name).path()
        try PrivateFile(path: path).write(secret.reveal())
        return path
    }

    /// Waits for the next push message; returns the file that holds it.
    func receive() async throws -> URL {
        let file = stage.file("push-message.json")
        let outcome = try await run("listen", ["--out", file.path()])
        guard outcome.isDone else { throw CommandFailure.local("NoMessage", outcome.message) }
        return file
    }

    // MARK: - The administrator

    func targets() async throws -> [JSONObject] {
        try await stage.server.administer("devices list", ["--user", Self.user]).result.objects("devices")
    }

    func credentials() async throws -> [JSONObject] {
        try await stage.server.administer("credentials list", ["--user", Self.user]).result.objects("credentials")
    }
}
