import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import Testing

@Suite("A running server takes up what its operator changes", .serialized)
struct ReloadTests {
    @Test(
        "On SIGHUP another list of facets is published, and a file with a mistake changes nothing",
        .timeLimit(.minutes(10)))
    func hangup() async throws {
        let installation = try Installation()
        let process = try await installation.server.start()
        let transport = try installation.server.transport()
        let facets = BackendRequest(.get, installation.server.address + "/nevisfido/uaf/1.1/facets")
        let file = installation.server.folder.appending(path: "server.yml")
        let text = try String(contentsOf: file, encoding: .utf8)

        try Data((text + "fido-uaf: { facets: [\"ios:bundle-id:changed\"] }\n").utf8).write(to: file, options: .atomic)
        kill(process.identifier, SIGHUP)
        while try await !transport.response(to: facets).names("ios:bundle-id:changed") {}

        try Data((text + "fido-uaf: { facets: [\"ios:bundle-id:other\"").utf8).write(to: file, options: .atomic)
        kill(process.identifier, SIGHUP)
        while !process.complaints.contains("not reloaded") { _ = try await transport.response(to: facets) }
        #expect(process.complaints.contains("server.yml:"))
        #expect(try await transport.response(to: facets).names("ios:bundle-id:changed"))

        process.stop()
        #expect(await process.ending().code == 0)
    }

    @Test(
        "SRV-22: rights are taken away and given on SIGHUP, and no request of others fails",
        .timeLimit(.minutes(10)))
    func rights() async throws {
        let installation = try Installation()
        let server = installation.server
        let guest = installation.scratch.url.appending(path: "guest.key")
        try PrivateFile(path: guest.path()).write(Self.guestKey)
        let portal = try ServerPair.accessKeySetting(in: installation.scratch.url)
        let guestKey = "    - { name: guest, key-file: \(guest.path()) }\n"
        let keys = portal.replacing("[{", with: "\n    - {").replacing("}]", with: "}")
        func settings(isGuestIn: Bool) -> String {
            let shop = #"{ id: shop, name: Shop, public: true, redirect-addresses: ["https://shop.example/back"] }"#
            let codes = isGuestIn ? ", { type: png-qr-code }" : ""
            return keys + (isGuestIn ? guestKey : "")
                + "fido-uaf: { dispatchers: [{ type: link, base-url: \"signet://open\" }\(codes)] }\n"
                + "openid: { enabled: true, clients: [\(isGuestIn ? shop : "")] }\n"
        }
        try server.configure(settings(isGuestIn: true))
        let process = try await server.start()
        defer { process.kill() }
        let load = RollingLoad(address: server.address) { try server.transport() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask { try await load.ask() }
                group.addTask { try await load.wait() }
            }
            #expect(try await rights(at: server) == Rights(key: 200, client: 400, dispatchers: [.link, .pngQRCode]))
            for round in 1...3 {
                try server.configure(settings(isGuestIn: false))
                try await reload(process, round: 2 * round - 1)
                #expect(try await rights(at: server) == Rights(key: 401, client: 401, dispatchers: [.link]))
                try server.configure(settings(isGuestIn: true))
                try await reload(process, round: 2 * round)
                #expect(try await rights(at: server).key == 200)
            }
            load.end()
            try await group.waitForAll()
        }
        #expect(load.failures.isEmpty, "of \(load.answerCount) requests")
        #expect(load.answerCount > 10)
    }

    private static let guestKey = "guest-key-0123456789-0123456789-0123456789"

    /// What the server grants now: statuses of requests with a key, as a client, and the dispatchers that it names.
    private struct Rights: Equatable {
        let key: Int
        let client: Int
        let dispatchers: [DispatcherName]
    }

    private func rights(at server: LocalServer) async throws -> Rights {
        let transport = try server.transport()
        let status = BackendRequest(
            .post, server.address + Endpoint.serviceRoot + Endpoint.status.path,
            headers: [
                .init("Content-Type", "application/json"), .init("Accept", "application/json"),
                .init("Authorization", "Bearer \(Self.guestKey)"),
            ], body: StatusRequest(sessionID: "unknown").body)
        let code = BackendRequest(
            .post, server.address + "/oauth2/token",
            headers: [.init("Content-Type", "application/x-www-form-urlencoded")],
            body: Array(
                "grant_type=authorization_code&code=none&redirect_uri=https://shop.example/back&client_id=shop".utf8))
        let keySet = BackendRequest(.get, server.address + Endpoint.keySet.path)
        return Rights(
            key: try await transport.response(to: status).status, client: try await transport.response(to: code).status,
            dispatchers: try KeySetDocument(body: try await transport.response(to: keySet).body).dispatchers ?? [])
    }

    /// Orders a reload, and waits until it is done for the time of this number.
    private func reload(_ process: ChildProcess, round: Int) async throws {
        kill(process.identifier, SIGHUP)
        while process.complaints.split(separator: "\n").count(where: { $0.contains("reloaded") }) < round {
            #expect(!process.complaints.contains("not reloaded"))
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

extension BackendResponse {
    fileprivate func names(_ facet: String) -> Bool { String(decoding: body, as: UTF8.self).contains(facet) }
}
