import BackendAPI
import BackendTransport
import Crypto
import Foundation
import JOSE
import StrictJSON
import Synchronization
import Testing

@testable import MobileAuthentication

@Suite("The check of the application's version: what a server has signed now, and nothing else")
struct ApplicationVersionTests {
    private static let facet = "ios:bundle-id:com.example.app"
    private let server = VersionServer()

    /// Asks a server over a transport of the test.
    private func check(
        at address: String = "https://server.example"
    ) throws -> ApplicationVersionOperation {
        let url = try #require(URL(string: address))
        let server = server
        let operation = ApplicationVersionOperation(
            Configuration(baseUrl: url, deviceResourcePath: "/nevisfido/devices/"), clock: FixedClock()
        ) { () throws(InitializationError) -> any HTTPTransport in server }
        return operation.facet(Self.facet).version("5.1.0")
    }

    private func failure(_ change: (inout VersionServer.Answer) -> Void) async throws -> ApplicationVersionError {
        server.change(change)
        let operation = try check()
        do throws(ApplicationVersionError) {
            let wanted = try await operation.perform()
            Issue.record("answered with \(wanted)")
            throw .Unknown(cause: nil)
        } catch {
            return error
        }
    }

    @Test("The answer of the server is what the application gets", arguments: WantedApplicationVersion.Status.allCases)
    func answer(status: WantedApplicationVersion.Status) async throws {
        server.change { $0.replaced["status"] = status.rawValue }
        let wanted = try await check().perform()
        #expect(wanted.status == status && wanted.minimumVersion == "5.0" && wanted.latestVersion == "5.2")
        #expect(wanted.storeUrl?.absoluteString == "https://store.example/app")
        #expect(wanted.messages == ["en": "Please update."])
        let asked = server.addresses
        #expect(
            asked == [
                "https://server.example/nevisfido/app/version/?facet=ios%3Abundle-id%3Acom.example.app&version=5.1.0",
                "https://server.example/.well-known/jwks.json",
            ])
    }

    @Test("The closure is called once, and a second run is an error")
    func closures() async throws {
        let operation = try check()
        let statuses = AsyncStream<WantedApplicationVersion.Status>.makeStream()
        operation.onSuccess { _ = statuses.continuation.yield($0.status) }.execute()
        for await status in statuses.stream {
            #expect(status == .upToDate)
            break
        }
        let error = await #expect(throws: ApplicationVersionError.self) { _ = try await operation.perform() }
        #expect(error?.cause is OperationReuseError)
    }

    @Test("A signature of another key, an unsigned answer and an answer of another kind are invalid")
    func signatures() async throws {
        for change: (inout VersionServer.Answer) -> Void in [
            { $0.key = P256.Signing.PrivateKey() }, { $0.type = "JWT" }, { $0.token = "a.b.c" }, { $0.token = "" },
            { $0.token = "eyJhbGciOiJub25lIn0.e30." }, { $0.replaced["aud"] = "another" },
            { $0.keySet = Array("{}".utf8) },
        ] {
            server.change { $0 = VersionServer.Answer() }
            guard case .InvalidAnswer = try await failure(change) else {
                Issue.record("another error")
                return
            }
        }
    }

    @Test("An answer that a cache has kept for too long is invalid, and so is one of the future")
    func times() async throws {
        for (made, end) in [(-1_000, -100), (-900, 0), (120, 1_020)] as [(Int64, Int64)] {
            server.change { $0 = VersionServer.Answer() }
            let error = try await failure {
                $0.issuedAt = FixedClock.now + made
                $0.expiresAt = FixedClock.now + end
            }
            guard case .InvalidAnswer = error else {
                Issue.record("\(error)")
                return
            }
            #expect(!error.isRetryable && error.errorDescription?.isEmpty == false)
        }
        server.change { $0 = VersionServer.Answer() }
        server.change {
            $0.issuedAt = FixedClock.now - 899
            $0.expiresAt = FixedClock.now + 1
        }
        #expect(try await check().perform().status == .upToDate)
    }

    @Test("An answer about another application or version is invalid")
    func others() async throws {
        for (name, value) in [("facet", "ios:bundle-id:other"), ("version", "5.2.0"), ("status", "fine")] {
            server.change { $0 = VersionServer.Answer() }
            let error = try await failure { $0.replaced[name] = value }
            guard case .InvalidAnswer = error else {
                Issue.record("\(name): \(error)")
                return
            }
        }
    }

    @Test("A server that is gone, refuses or does not know the application leads to an error of its own")
    func unreachable() async throws {
        guard case .NetworkError(let cause) = try await failure({ $0.failure = .closedPort }) else {
            Issue.record("another error")
            return
        }
        #expect((cause as? URLError)?.code == .cannotConnectToHost)
        server.change { $0 = VersionServer.Answer() }
        guard case .NetworkError(let refusal) = try await failure({ $0.status = 503 }) else {
            Issue.record("another error")
            return
        }
        #expect((refusal as? HTTPStatusError)?.statusCode == 503)
        server.change { $0 = VersionServer.Answer() }
        guard case .UnknownApplication = try await failure({ $0.status = 404 }) else {
            Issue.record("another error")
            return
        }
    }

    @Test("Wrong use is told, and sends nothing")
    func wrongUse() async throws {
        let version = await #expect(throws: ApplicationVersionError.self) {
            try await check().version("five").perform()
        }
        #expect((version?.cause as? InvalidParameterError) != nil)
        let address = await #expect(throws: ApplicationVersionError.self) {
            try await check(at: "http://server.example").perform()
        }
        #expect(address?.cause is InsecureAddressError)
        #expect(server.addresses.isEmpty)
    }
}

/// A time that stands still.
private struct FixedClock: CivilClock {
    static let now: Int64 = 1_800_000_000

    var secondsSince1970: Int64 { Self.now }
}

/// Server that signs what the test says.
private final class VersionServer: HTTPTransport {
    struct Answer {
        var key: P256.Signing.PrivateKey?
        var type = ApplicationVersionStatement.type
        var claims: JSONObject = [
            "facet": .string("ios:bundle-id:com.example.app"), "version": .string("5.1.0"),
            "status": .string("upToDate"), "minimumVersion": .string("5.0"), "latestVersion": .string("5.2"),
            "storeUrl": .string("https://store.example/app"), "message": .object(["en": .string("Please update.")]),
        ]
        /// Claims with other values.
        var replaced: [String: String] = [:]
        var issuedAt = FixedClock.now
        var expiresAt = FixedClock.now + 900
        /// What is sent in place of a signed answer.
        var token: String?
        var keySet: [UInt8]?
        var status = 200
        var failure: BackendTransportError?
    }

    private let key = P256.Signing.PrivateKey()
    private let state = Mutex((answer: Answer(), addresses: [String]()))

    func change(_ change: (inout Answer) -> Void) { state.withLock { change(&$0.answer) } }

    var addresses: [String] { state.withLock { $0.addresses } }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let answer = state.withLock { state in
            state.addresses.append(request.url)
            return state.answer
        }
        if let failure = answer.failure { throw failure }
        guard let body = try? request.url.contains("jwks") ? answer.keySet ?? keySet() : token(answer) else {
            throw .malformedResponse
        }
        return BackendResponse(status: answer.status, headers: [], body: body)
    }

    private func keySet() throws -> [UInt8] {
        let point = Array(key.publicKey.rawRepresentation)
        let jwk = try JWK(verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: "one")
        return try JWKS([jwk]).json
    }

    private func token(_ answer: Answer) throws -> [UInt8] {
        if let token = answer.token { return Array(token.utf8) }
        var members: [JSONObject.Member] = answer.claims.members.filter { answer.replaced[$0.name] == nil }
        members += answer.replaced.map { JSONObject.Member($0.key, .string($0.value)) }
        members += [
            JSONObject.Member("iss", .string("https://server.example")),
            JSONObject.Member("iat", .integer(answer.issuedAt)), JSONObject.Member("exp", .integer(answer.expiresAt)),
        ]
        if !members.contains(where: { $0.name == "aud" }) {
            members.append(JSONObject.Member("aud", .string(ApplicationVersionStatement.type)))
        }
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .es256, keyID: "one", type: answer.type),
            payload: JSONWriter.write(.object(JSONObject(distinct: members))))
        let signature = try (answer.key ?? key).signature(for: unsigned.signingInput)
        return Array(unsigned.signed(with: Array(signature.rawRepresentation)).utf8)
    }
}
