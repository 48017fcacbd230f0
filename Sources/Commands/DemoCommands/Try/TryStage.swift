import CommandSupport
import DeviceCommands
import Foundation
import Octets
import StrictJSON

/// Parts of a trial: server, push sink, phone page and shop, in one folder with which a later trial goes on.
struct TryStage {
    static let user = "anna"

    let folder: URL
    let ports: TryPorts
    /// Folder for the exchanges of the phone, masked; nil for none.
    let record: String?
    let programs: Programs
    let files: TryFiles
    let processes: TryProcesses
    /// Host of the phone page of this start: the server has it in its links before the page runs.
    private let phoneHost = PhonePageCommand.freshHost

    /// Addresses of a trial that runs, and how far an earlier one has come.
    struct Scene: Sendable {
        let shop: String
        /// Address of the phone with the secret that lets in once.
        let phone: Sensitive<String>
        let issuer: String
        /// Whether the phone was registered in an earlier trial.
        let isRegistered: Bool
    }

    /// Starts everything in order; throws ``CommandFailure``.
    func start() async throws -> Scene {
        let sink = try await LocalPushSink(
            program: try programs.pushSink, folder: folder.appending(path: "push-sink"), port: ports[.pushSink]
        ) { processes.add($0, named: "signet-push-sink") }
        processes.keep(sink)
        let server = try LocalServer(
            program: programs.server, folder: folder.appending(path: "server"), settings: settings(sink),
            port: ports[.server], managementPort: ports[.management])
        _ = try await server.start { processes.add($0, named: "signet-server") }
        let isRegistered = try await isRegistered()
        if isRegistered { try await subscribe(to: sink) }
        let invitation = isRegistered ? nil : try await invite(at: server)
        try await addShop(at: server)
        let phone = try await startPhone(of: server, sink, invitation)
        try await startShop(of: server)
        return Scene(
            shop: "http://localhost:\(ports[.shop])/", phone: phone, issuer: server.address,
            isRegistered: isRegistered)
    }

    /// Links lead to the phone page of this machine: the button and the code of a sign-in page reach it.
    private func settings(_ sink: LocalPushSink) -> String {
        """
        fido-uaf:
          dispatchers:
            - \(sink.dispatcher)
            - { type: link, base-url: "\(phoneOrigin)/open", allow-loopback: true }
            - { type: png-qr-code }
        out-of-band:
          registration-token-lifetime: 10m
        openid:
          enabled: true
        relying-party-api:
          enabled: true

        """
    }

    private func isRegistered() async throws -> Bool {
        guard FileManager.default.fileExists(atPath: phoneFolder.appending(path: "phone.json").path()) else {
            return false
        }
        let listed = try await phone.run("list", [])
        guard listed.isDone else {
            throw CommandFailure.local("PhoneFailed", "the phone of this folder does not work: \(listed.message)")
        }
        return !listed.result.objects("accounts").isEmpty
    }

    /// Gives the phone a new subscription for push messages: the sink keeps none from one start to the next.
    private func subscribe(to sink: LocalPushSink) async throws {
        let outcome = try await phone.run(
            "info change", ["--push-sink", sink.address, "--push-ca", sink.authorityFile.path()])
        guard outcome.isDone else {
            throw CommandFailure.local(
                "PhoneFailed", "the phone of this folder cannot be reached by push messages: \(outcome.message)")
        }
    }

    /// Adds the person, unless an earlier trial has, and invites their phone.
    private func invite(at server: LocalServer) async throws -> URL {
        let added = try await server.administer("users add", ["--reason", "a trial"], names: [Self.user])
        guard added.isDone || added.error == "nameTaken" else {
            throw CommandFailure.local("ServerFailed", "the user could not be added: \(added.message)")
        }
        let outcome = try await server.administer(
            "dispatch register", ["--reason", "a trial", "--user", Self.user, "--dispatcher", "link"])
        guard outcome.isDone, let link = outcome.result.text("link") else {
            throw CommandFailure.local("InvitationFailed", "the phone could not be invited: \(outcome.message)")
        }
        let file = folder.appending(path: "invitation")
        try PrivateFile(path: file.path()).write(link)
        return file
    }

    /// Adds the shop as a client, or tells the server its address once more, because its port may be another one.
    private func addShop(at server: LocalServer) async throws {
        let redirect = ["--reason", "a trial", "--redirect", "http://localhost:\(ports[.shop])/callback"]
        let isKnown = FileManager.default.fileExists(atPath: secretFile.path())
        let outcome =
            if isKnown {
                try await server.administer("client set", redirect, names: ["shop"])
            } else {
                try await server.administer(
                    "client add",
                    redirect + [
                        "--name", "Example Shop", "--secret-file", secretFile.path(), "--ciba", "poll",
                        "--confirmation",
                    ], names: ["shop"])
            }
        guard outcome.isDone else {
            throw CommandFailure.local("ClientFailed", "the shop could not be added: \(outcome.message)")
        }
    }

    private func startPhone(
        of server: LocalServer, _ sink: LocalPushSink, _ invitation: URL?
    ) async throws -> Sensitive<String> {
        let ready = ReadyFile(url: folder.appending(path: "phone-ready.json"), process: "the phone")
        ready.clear()
        // A private file, since other accounts see arguments, and might be first at that address.
        let host = folder.appending(path: "phone-host")
        try PrivateFile(path: host.path()).write(phoneHost)
        var arguments = [
            "phone", "--folder", phoneFolder.path(), "--vault", "software", "--server", server.address, "--ca",
            server.authorityFile.path(), "--host-file", host.path(), "--port", String(ports[.phone]), "--ready-file",
            ready.url.path(),
            "--push-sink", sink.address, "--push-ca", sink.authorityFile.path(),
        ]
        if let invitation { arguments += ["--link-file", invitation.path()] }
        if let record { arguments += ["--record", record] }
        let process = try ChildProcess(programs.phone, arguments, folder: folder, name: "phone")
        processes.add(process, named: "signet phone")
        let announcement = try await ready.announcement(of: process)
        return Sensitive(try announcement.string("address"))
    }

    private func startShop(of server: LocalServer) async throws {
        let ready = ReadyFile(url: folder.appending(path: "shop-ready.json"), process: "the shop")
        ready.clear()
        let receipts = folder.appending(path: "receipts")
        try FileManager.default.createDirectory(at: receipts, withIntermediateDirectories: true)
        let process = try ChildProcess(
            files.python, ["-B", files.shop.path()],
            environment: [
                "ISSUER": server.address, "CLIENT_ID": "shop", "CLIENT_SECRET_FILE": secretFile.path(),
                "CA_FILE": server.authorityFile.path(), "PORT": String(ports[.shop]), "ATTACKS": "1",
                "PHONE": "\(phoneOrigin)/", "PERSON": Self.user, "RECEIPTS": receipts.path(),
                "SIGNET": programs.phone.path(), "READY_FILE": ready.url.path(),
            ], folder: folder, name: "shop")
        processes.add(process, named: "the shop")
        _ = try await ready.announcement(of: process)
    }

    private var phoneOrigin: String { "http://\(phoneHost):\(ports[.phone])" }
    private var phone: PhoneProcess {
        PhoneProcess(program: programs.phone, folder: phoneFolder, logs: folder)
    }
    private var phoneFolder: URL { folder.appending(path: "phone") }
    private var secretFile: URL { folder.appending(path: "shop-secret") }
}
