import BackendAPI
import HTTPTypes
import HummingbirdTesting
import Logging
import NIOCore
import Octets
import OpenID
import ServerAdministration
import ServerCore
import SignInPages
import StrictJSON
import Synchronization
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

@Suite("SDK-15: secrets stay out of the log at trace level, the metrics, the audit and every refusal")
struct SecretCanaryTests {
    private static let key = "portal-canary-0123456789-0123456789-0123456789"

    @Test("More than 64 secrets, sound and wrong, in every place of every route that takes one")
    func canaries() async throws {
        let log = WrittenLog()
        let server = try await ServerFixture.open(logger: log.logger) { settings in
            if let name = AccessKeyName("portal"), var key = AccessKey(name: name, key: Self.key) {
                key.rights.scopes = Set(AccessKeyScope.allCases)
                settings.outOfBand.accessKeys = [key]
            }
            settings.conformance = true
        }
        let planted = try await server.test { client in
            try await strangers(client) + flows(client, server)
        }
        try await look(for: planted, in: log, on: server)
    }

    @Test("The routes of administration keep keys, secrets of clients, and what bodies and queries hold")
    func administration() async throws {
        let log = WrittenLog()
        let stage = try await AdministrationFixture(logger: log.logger)
        var planted = Planted(secrets: [AdministrationFixture.text("admin:operator")])
        for operation in AdministrationOperation.allCases {
            let endpoint = operation.endpoint
            let named = endpoint.path(naming: "AAAAAAAAAAAAAAAAAAAAAA")
            let path = String(named.dropFirst(AdministrationOperation.root.count))
            for isKnown in [false, true] {
                var request = AdministrationFixture.Request(reason: "canary")
                request.version = "\"AAAAAAAAAAAAAAAAAAAAAA\""
                request.type = endpoint.requestTypes.first?.essence ?? request.type
                for form in [#"{"id":"a","name":{"secret":"SECRET"}}"#, "{\"SECRET", "username,email\nanna,SECRET"] {
                    request.body =
                        endpoint.requestTypes.isEmpty ? nil : form.replacing("SECRET", with: planted.secret("body"))
                    let key = isKnown ? "admin:operator" : planted.secret("key")
                    let query = ["user", "search", "after"].map { "\($0)=" + planted.secret("query") }
                    planted.note(
                        try await stage.send(
                            endpoint.method.httpMethod, path + "?" + query.joined(separator: "&"), as: key, request))
                }
            }
        }
        let address = planted.secret("address") + "@example.com"
        let changed = try await stage.change(
            .patch, "/users/" + (try await stage.userID()), as: "admin:operator",
            #"{"attributes":{"email":"\#(address)"}}"#)
        #expect(changed.status == .ok)
        let password = planted.secret("password")
        let set = try await stage.send(
            .post, "/passwords/" + (try await stage.userID()), as: "admin:operator",
            AdministrationFixture.Request(body: #"{"password":"\#(password)"}"#, reason: "canary"))
        #expect(set.status == .noContent)
        let client = #"{"id":"shop","name":"Shop","proof":"secret","redirectAddresses":["https://shop.example/"]}"#
        let added = try await stage.send(
            .post, "/clients", as: "admin:operator", AdministrationFixture.Request(body: client, reason: "canary"))
        planted.secrets.append(try added.object.string("secret"))
        try await look(for: planted, in: log, on: stage.server)
    }

    @Test(
        "Recovery codes stay on the page that shows them, wherever they are typed, with the cookie and a system's code"
    )
    func recovery() async throws {
        let log = WrittenLog()
        let portal = try #require(AccessKeyName("portal").flatMap { AccessKey(name: $0, key: Self.key) })
        var keys = [portal]
        keys[0].rights.scopes = [.recover]
        let site = try await SiteFixture(logger: log.logger, keys: keys)
        var planted = Planted(secrets: [Self.key])
        planted.secrets += try await shownCodes(site)
        let vouched = try await site.call(.post, "/api/v1/users/recover", #"{"username":"anna"}"#, key: Self.key)
        planted.secrets.append(try vouched.text("recoveryCode"))
        // Each from a name of its own, else all but five are refused unread.
        for number in 0..<60 {
            let wrong = RecoveryCode(from: SystemRandomSource()).text
            planted.secrets += [wrong, wrong.lowercased().replacing("-", with: "")]
            let name = number.isMultiple(of: 2) ? "name-\(number)" : wrong
            planted.note(try await type(wrong.lowercased().replacing("-", with: ""), of: name, site))
        }
        site.server.clock.advance(by: .seconds(901))
        for code in [planted.secrets[1], planted.secrets[1]] {
            let answer = try await type(code, of: "anna", site)
            planted.note(answer)
            guard let cookie = answer.headers[.setCookie] else { continue }
            planted.secrets.append(String(cookie.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }))
        }
        #expect(planted.secrets.count == 1 + RecoveryCode.count + 1 + 120 + 1, "the right code was taken, once")
        try await look(for: planted, in: log, on: site.server)
    }

    /// The codes that the page of the devices shows a user who makes them.
    private func shownCodes(_ site: SiteFixture) async throws -> [String] {
        let cookie = try await site.signedIn()
        let token = FormToken(cookie: Sensitive("cookie"), session: SignInPages.devicesClient)
        let fields = [("action", "codes"), ("form_token", token?.text ?? "")].map { (name: $0.0, value: $0.1) }
        let page = try await site.server.test { client in
            try await client.post(
                "/my-devices", FormPairs.encode(fields), type: "application/x-www-form-urlencoded", accept: "text/html",
                headers: [.cookie: cookie, .origin: "https://server.example"])
        }
        return String(buffer: page.body).matches(of: /<code>([2-9A-Z-]{19})<\/code>/).map { String($0.output.1) }
    }

    private func type(_ code: String, of name: String, _ site: SiteFixture) async throws -> TestResponse {
        try await site.send("/recover", ["action": "begin", "username": name, "code": code])
    }

    /// Looks for secrets in everything that a server has written.
    private func look(for planted: Planted, in log: WrittenLog, on server: ServerFixture) async throws {
        #expect(planted.secrets.count > 64)
        #expect(Set(planted.secrets).count == planted.secrets.count)
        let audit = try await server.services.audit.records(of: ServerSettings.canaryChain, limit: 10_000)
        let written = [
            "log": log.text, "metrics": server.metrics.text,
            "audit": audit.map { String(decoding: $0.event, as: UTF8.self) }.joined(separator: "\n"),
            "refusals": planted.refusals,
        ]
        for (place, text) in written {
            #expect(!text.isEmpty, "\(place) is looked at")
            for secret in planted.secrets { #expect(!text.contains(secret), "\(place) holds \(secret)") }
        }
        #expect(written["log"]?.contains(#""level":"trace""#) == true || written["log"]?.contains(#""debug""#) == true)
    }

    /// All lines of a log at its finest level.
    private final class WrittenLog: Sendable {
        private let lines = Mutex("")

        var text: String { lines.withLock { $0 } }

        var logger: Logger {
            Logger(label: "canary") { label in
                JSONLineLogHandler(label: label, level: .trace, timestamp: { "now" }) { line in
                    self.lines.withLock { $0 += String(decoding: line, as: UTF8.self) }
                }
            }
        }
    }

    /// Secrets that were sent, and the bodies of all refusals.
    private struct Planted: Sendable {
        var secrets: [String] = []
        var refusals = ""

        mutating func note(_ answer: TestResponse) {
            if answer.status.code >= 400 { refusals += String(buffer: answer.body) + "\n" }
        }

        /// A text that stands nowhere else and passes every reader of tokens.
        mutating func secret(_ kind: String) -> String {
            secrets.append("canary-\(kind)-\(secrets.count)-7f3a9c51d2")
            return secrets[secrets.count - 1]
        }

        static func + (one: Planted, other: Planted) -> Planted {
            Planted(secrets: one.secrets + other.secrets, refusals: one.refusals + other.refusals)
        }
    }

    /// Wrong secrets at every endpoint: in each header field that carries some, and in the body, readable or not.
    private func strangers(_ client: ServiceClient) async throws -> Planted {
        var planted = Planted()
        let signature = try #require(HTTPField.Name(Endpoint.deviceSignatureField))
        for endpoint in Endpoint.services where ![.liveness, .health, .metrics].contains(endpoint) {
            let path = (endpoint.roots.first ?? "") + endpoint.path(naming: "d")
            var headers = HTTPFields()
            headers[.contentType] = endpoint.clientTypes.content?.fieldValue
            headers[.authorization] = "Bearer " + planted.secret("bearer")
            headers[signature] = "e30." + planted.secret("signature") + ".AA"
            let body = Self.body(of: endpoint, planted.secret("body"))
            planted.note(try await send(client, endpoint, path, headers, body))
            headers[.authorization] = nil
            headers[.cookie] = "__Host-signet=" + planted.secret("cookie")
            planted.note(try await send(client, endpoint, path, headers, "{\"" + planted.secret("broken")))
        }
        return planted
    }

    /// Where a secret stands in a body of the endpoint.
    private static func body(of endpoint: Endpoint, _ secret: String) -> String {
        switch endpoint {
        case .passwordLogin: "isiwebuserid=anna&isiwebpasswd=\(secret)"
        case .attestationProof: #"{"enrolment":"RQAA","secret":"\#(secret)"}"#
        case .status: #"{"sessionId":"\#(secret)"}"#
        case .changeDevice, .changeDispatchTarget: "e30.\(secret).AA"
        case .createDispatchTarget: #"{"username":"anna","name":"p","target":"\#(secret)"}"#
        default:
            endpoint.path.hasPrefix("/token/redeem")
                ? #"{"token":"\#(secret)"}"#
                : #"{"uafResponse":"[{\"fcParams\":\"\#(secret)\"}]","op":"Auth","#
                    + #""context":"{\"token\":\"\#(secret)\"}"}"#
        }
    }

    private func send(
        _ client: ServiceClient, _ endpoint: Endpoint, _ path: String, _ headers: HTTPFields, _ body: String
    ) async throws -> TestResponse {
        try await client.client.execute(
            uri: path, method: endpoint.method.httpMethod, headers: headers,
            body: endpoint.requestTypes.isEmpty ? nil : ByteBuffer(string: body))
    }

    /// The true secrets of whole flows: password, session, access key, redeem token, push token, signed requests.
    private func flows(_ client: ServiceClient, _ server: ServerFixture) async throws -> Planted {
        var planted = Planted(secrets: [ServerFixture.password, Self.key])
        let headers: HTTPFields = [.authorization: "Bearer \(Self.key)"]
        let request = DispatchRequest(GetUAFRequest(AuthenticationContext()), dispatcher: .link)
        let answer = try await client.post(
            "/nevisfido/token/dispatch/authentication", request.body, type: "application/json",
            accept: "application/json", headers: headers)
        let token = try answer.text("token")
        planted.secrets.append(token)
        for path in ["registration", "authentication", "authentication"] {
            planted.note(
                try await client.post(
                    "/nevisfido/token/redeem/" + path, RedeemRequest(token: token).body, type: "application/json"))
        }
        return planted + (try await device(client, server))
    }

    /// Secrets of a device: a session that makes its target, the push token, and requests that it signs.
    private func device(_ client: ServiceClient, _ server: ServerFixture) async throws -> Planted {
        var planted = Planted()
        let cookie = try await client.logIn()
        planted.secrets.append(String(cookie.drop { $0 != "=" }.dropFirst()))
        let device = try SyntheticDevice()
        let push = "canary-push-token-7f3a9c51d2"
        planted.secrets.append(push)
        let created = try await client.post(
            "/nevisfido/token/dispatch/targets", DispatchTargetCreation(try device.target(pushToken: push)).body,
            type: "application/json", accept: "application/json",
            headers: [.cookie: cookie, .origin: "https://server.example"])
        planted.note(created)
        let service = "/nevisfido" + Endpoint.deviceCredentials.path(naming: device.id.text)
        let claims = DeviceClaims(
            dispatchTargetID: (try? created.text("id")) ?? "none", requestID: "r",
            creationTime: server.clock.now().milliseconds, audience: "https://server.example" + service, method: .get)
        let signature = try #require(HTTPField.Name(Endpoint.deviceSignatureField))
        let signed = try device.signed(DeviceRequest(claims))
        planted.secrets.append(signed)
        for _ in 0..<2 {
            planted.note(
                try await client.client.execute(
                    uri: service, method: .get, headers: [signature: signed, .accept: "application/jose"]))
        }
        return planted
    }
}

extension ServerSettings {
    /// The chain of records that the fixture writes.
    fileprivate static let canaryChain = "test"
}
