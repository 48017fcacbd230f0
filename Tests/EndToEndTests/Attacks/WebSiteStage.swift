import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import Testing

/// Server as a process with the pages, the relying-party API and a client `shop`, reached over TLS as strangers reach it.
struct WebSiteStage {
    static let redirect = "https://shop.example/back"
    /// Keys by their names: what each may do, as the configuration writes it.
    private static let keys = [
        "full": "scopes: [enroll, \"users:read\"]", "twin": "scopes: [enroll]", "old": "scopes: [dispatch, status]",
        "slow": "scopes: [\"users:read\"], requests-per-second: 1, burst: 2",
    ]

    let installation: Installation
    private let process: ChildProcess
    private let transport: any HTTPTransport

    /// Starts the server; `settings` are further lines of its configuration.
    init(settings: String = "") async throws {
        installation = try Installation()
        var keys: [String] = []
        for (name, rights) in Self.keys.sorted(by: { $0.key < $1.key }) {
            let file = installation.scratch.url.appending(path: "\(name).key")
            try PrivateFile(path: file.path()).write(Self.accessKey(name))
            keys.append("    - { name: \(name), key-file: \(file.path()), \(rights) }")
        }
        try installation.server.configure(
            """
            fido-uaf:
              dispatchers:
                - { type: link, base-url: "signet://open" }
                - { type: png-qr-code }
            openid:
              enabled: true
            relying-party-api:
              enabled: true
            out-of-band:
              access-keys:
            \(keys.joined(separator: "\n"))

            """ + settings)
        process = try await installation.server.start()
        transport = try installation.server.transport()
        let outcome = try await installation.server.administer(
            "client add", ["-m", "a test", "--name", "Shop", "--redirect", Self.redirect, "--public"], names: ["shop"])
        try #require(outcome.isDone, "\(outcome.message)")
    }

    /// Ends the server.
    func end() { process.kill() }

    /// Stops the server in order, and waits for its end.
    func stop() async -> ChildProcess.Ending {
        process.stop()
        return await process.ending()
    }

    /// Text of an access key.
    static func accessKey(_ name: String) -> String {
        name + String(repeating: "k", count: 40)
    }

    // MARK: - Requests

    func get(_ path: String, _ headers: HeaderFields = []) async throws -> BackendResponse {
        try await send(.get, path, headers, "")
    }

    func post(_ path: String, form: String, _ headers: HeaderFields = []) async throws -> BackendResponse {
        var headers = headers
        headers.append("Content-Type", "application/x-www-form-urlencoded")
        return try await send(.post, path, headers, form)
    }

    /// Posts to the relying-party API with an access key.
    func call(_ path: String, _ body: String, key: String, idempotencyKey: String) async throws -> BackendResponse {
        try await send(
            .post, path,
            [
                .init("Authorization", "Bearer \(Self.accessKey(key))"), .init("Content-Type", "application/json"),
                .init("Idempotency-Key", idempotencyKey),
            ], body)
    }

    private func send(
        _ method: BackendRequest.Method, _ path: String, _ headers: HeaderFields, _ body: String
    ) async throws -> BackendResponse {
        var headers = headers
        headers.append("Accept", "*/*")
        return try await transport.response(
            to: BackendRequest(
                method, installation.server.address + path, headers: headers, body: Array(body.utf8)))
    }

    // MARK: - Sign-in

    /// Sign-in page that a browser has opened.
    struct OpenPage {
        /// Path of the page.
        let path: String
        /// Cookie of its browser, as it is sent.
        let cookie: HeaderFields

        /// Name of the session.
        var session: String { String(path.split(separator: "/").last ?? "") }
    }

    /// Opens a sign-in page in a new browser.
    func openPage() async throws -> OpenPage {
        let challenge = String(repeating: "A", count: 43)
        let address = Self.redirect.replacing(":", with: "%3A").replacing("/", with: "%2F")
        let answer = try await get(
            "/oauth2/authorize?response_type=code&client_id=shop&redirect_uri=\(address)&scope=openid&state=s"
                + "&code_challenge=\(challenge)&code_challenge_method=S256")
        try #require(answer.status == 303, "\(String(decoding: answer.body, as: UTF8.self))")
        let path = try #require(answer.headers.values(of: "Location").first)
        let field = try #require(answer.headers.values(of: "Set-Cookie").first)
        let cookie = HeaderFields([.init("Cookie", String(field.prefix { $0 != ";" }))])
        return OpenPage(path: path, cookie: cookie)
    }
}

extension BackendResponse {
    /// Body as a text.
    var text: String { String(decoding: body, as: UTF8.self) }

    /// Value of the hidden field `form_token` of a page.
    var formToken: String? {
        text.components(separatedBy: "name=\"form_token\" value=\"").dropFirst().first
            .map { String($0.prefix { $0 != "\"" }) }
    }
}
