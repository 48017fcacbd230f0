import CommandSupport
import Foundation
import Octets
import StrictJSON

/// Parts of a trial: server, push sink where there is one, phone page and shop, in one folder.
struct TryStage {
    /// Name of the person who tries it.
    static let user = "anna"

    let folder: URL
    let shopPort: Int
    let phonePort: Int
    /// Folder for the exchanges of the phone, masked; nil for none.
    let record: String?
    let programs: Programs
    let shop: TryShopFile
    let processes: TryProcesses

    /// Addresses for the person.
    struct Addresses: Sendable {
        let shop: String
        /// Address of the phone with the secret that lets in once.
        let phone: Sensitive<String>
    }

    /// Starts everything in order; `tell` hears what is worth a line.
    ///
    /// Throws ``CommandFailure``.
    func start(telling tell: (String) -> Void) async throws -> Addresses {
        let sink = try await startSink(telling: tell)
        let server = try LocalServer(
            program: programs.server, folder: folder.appending(path: "server"), settings: settings(sink))
        _ = try await server.start { processes.add($0, named: "signet-server") }
        let invitation = try await enrol(at: server)
        try await addClient(at: server)
        let phone = try await startPhone(of: server, sink, invitation)
        try await startShop(of: server)
        return Addresses(shop: "http://localhost:\(shopPort)/", phone: phone)
    }

    private func startSink(telling tell: (String) -> Void) async throws -> LocalPushSink? {
        guard let program = try? programs.pushSink else {
            tell("signet-push-sink is not installed: codes and links only, no push messages.")
            return nil
        }
        let sink = try await LocalPushSink(program: program, folder: folder.appending(path: "push-sink")) {
            processes.add($0, named: "signet-push-sink")
        }
        processes.keep(sink)
        return sink
    }

    private func settings(_ sink: LocalPushSink?) -> String {
        let push = sink.map { "    - \($0.dispatcher)\n" } ?? ""
        return """
            fido-uaf:
              dispatchers:
            \(push)    - { type: link, base-url: "signet://open" }
                - { type: png-qr-code }
            openid:
              enabled: true
            relying-party-api:
              enabled: true

            """
    }

    /// Adds the person and invites their phone; nil for a folder in which the phone exists already.
    private func enrol(at server: LocalServer) async throws -> URL? {
        guard !FileManager.default.fileExists(atPath: phoneFolder.appending(path: "phone.json").path()) else {
            return nil
        }
        try await server.addUser(Self.user, password: UUID().uuidString)
        let outcome = try await server.administer(
            "dispatch register", ["--user", Self.user, "--server", server.address, "--dispatcher", "link"])
        guard outcome.isDone, let link = outcome.result.text("link") else {
            throw CommandFailure.local("InvitationFailed", "the phone could not be invited: \(outcome.message)")
        }
        let file = folder.appending(path: "invitation")
        try PrivateFile(path: file.path()).write(link)
        return file
    }

    private func addClient(at server: LocalServer) async throws {
        guard !FileManager.default.fileExists(atPath: secretFile.path()) else { return }
        let outcome = try await server.administer(
            "client add",
            [
                "--name", "Example Shop", "--redirect", "http://localhost:\(shopPort)/callback", "--secret-file",
                secretFile.path(), "--ciba", "poll", "--confirmation",
            ], names: ["shop"])
        guard outcome.isDone else {
            throw CommandFailure.local("ClientFailed", "the shop could not be added: \(outcome.message)")
        }
    }

    private func startPhone(
        of server: LocalServer, _ sink: LocalPushSink?, _ invitation: URL?
    ) async throws -> Sensitive<String> {
        let ready = ReadyFile(url: folder.appending(path: "phone-ready.json"))
        ready.clear()
        var arguments = [
            "phone", "--folder", phoneFolder.path(), "--vault", "software", "--server", server.address, "--ca",
            server.authorityFile.path(), "--port", String(phonePort), "--ready-file", ready.url.path(),
        ]
        if let invitation { arguments += ["--link-file", invitation.path()] }
        if let sink { arguments += ["--push-sink", sink.address, "--push-ca", sink.authorityFile.path()] }
        if let record { arguments += ["--record", record] }
        let process = try ChildProcess(programs.phone, arguments, folder: folder, name: "phone")
        processes.add(process, named: "signet phone")
        let announcement = try await ready.announcement(of: process)
        return Sensitive(try announcement.string("address"))
    }

    private func startShop(of server: LocalServer) async throws {
        let ready = ReadyFile(url: folder.appending(path: "shop-ready.json"))
        ready.clear()
        let receipts = folder.appending(path: "receipts")
        try FileManager.default.createDirectory(at: receipts, withIntermediateDirectories: true)
        let process = try ChildProcess(
            shop.python, ["-B", shop.program.path()],
            environment: [
                "ISSUER": server.address, "CLIENT_ID": "shop", "CLIENT_SECRET_FILE": secretFile.path(),
                "CA_FILE": server.authorityFile.path(), "PORT": String(shopPort), "ATTACKS": "1",
                "PHONE": "http://127.0.0.1:\(phonePort)/", "RECEIPTS": receipts.path(), "READY_FILE": ready.url.path(),
            ], folder: folder, name: "shop")
        processes.add(process, named: "the shop")
        _ = try await ready.announcement(of: process)
    }

    private var phoneFolder: URL { folder.appending(path: "phone") }
    private var secretFile: URL { folder.appending(path: "shop-secret") }
}
