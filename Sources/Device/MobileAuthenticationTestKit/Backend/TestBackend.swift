import Authenticators
import BackendAPI
import BackendTransport
import JOSE
import Locking
public import MobileAuthentication
import UAF

/// A server for tests of applications, in the same process: no network, no database, no other program.
///
/// It registers the keys of test phones, verifies what they sign, and asks for confirmations by QR code and by push message. It
/// refuses what `signet-server` refuses with its defaults: a registration without a login or an invitation, a text that was not
/// confirmed, a token or an answer that comes again. Keys on P-256 only. Failures of the network come from a
/// ``FaultyTransport`` in front of it.
///
/// ```swift
/// let backend = TestBackend()
/// let phone = try await TestPhone(backend.configuration, over: backend)
/// let user = ScriptedUser(pin: "482915", clock: phone.clock)
/// try await phone.client.operations.registration.username("anna")
///     .authorizationProvider(backend.login(as: "anna"))
///     .deviceInformation(DeviceInformation(name: "test phone", fcmRegistrationToken: "device-1"))
///     .authenticatorSelector(user).pinEnroller(user).perform()
///
/// let payment = backend.ask("anna", toConfirm: "Pay 20 CHF to Ben")
/// let message = try backend.pushMessages(for: payment)["device-1"] ?? ""
/// let payload = try phone.client.operations.outOfBandPayloadDecode.json(message).perform()
/// ```
public final class TestBackend: Sendable {
    private let backend = ScriptedBackend()
    private let number = Lock(0)

    /// A server with no users that knows the application of the phones with these traits, and every model of authenticator.
    ///
    /// A phone whose application name makes no facet is refused by ``TestPhone`` itself.
    public init(for traits: TestPhone.Traits = TestPhone.Traits()) {
        let facet = DeviceProfile(traits.profile).facetID(ofApplication: traits.application)?.text
        backend.script { state in
            state.asksForLogin = true
            state.logins = [:]
            state.facets = facet.map { [$0] } ?? []
            state.aaids = MetadataCatalog.product.statements.map(\.aaid.text)
        }
    }

    /// Configuration of a phone of this server.
    public var configuration: Configuration {
        guard let url = URL(string: ScriptedBackend.address) else { preconditionFailure("The address is a URL.") }
        return Configuration(baseUrl: url)
    }

    /// A login of a user, as a password or another system would give it, for registration and deregistration.
    public func login(as username: String) -> JwtAuthorizationProvider {
        let token = "login.\(nextNumber()).test"
        backend.script { $0.logins[token] = username }
        return JwtAuthorizationProvider(token)
    }

    /// Invites a user to register a phone.
    public func invite(_ username: String) -> TestOperation { begin(.registration, for: username) }

    /// Asks a user to sign in, or to confirm a text of at most 200 characters.
    public func ask(_ username: String, toConfirm text: String? = nil) -> TestOperation {
        begin(.authentication, for: username, text)
    }

    /// The push messages for an operation: the JSON text that arrives at each device of the user, by the token of its push
    /// service (``DeviceInformation/fcmRegistrationToken``).
    ///
    /// Each is encrypted to its device. Devices without a token, or whose user switched push messages off, get none. Throws an
    /// error of the encryption.
    public func pushMessages(for operation: TestOperation) throws -> [String: String] {
        var messages: [String: String] = [:]
        for record in backend.devices.records where record.username == operation.username {
            guard case .token(let token)? = record.destination else { continue }
            let envelope = OutOfBandEnvelope(
                .encrypted(try CompactJWE.seal(operation.content.body, to: record.encryptionKey, keyID: record.id)))
            messages[token] = String(decoding: envelope.body, as: UTF8.self)
        }
        return messages
    }

    /// State of an operation.
    public func outcome(of operation: TestOperation) -> TestOperation.Outcome {
        let (isRedeemed, outcome) = backend.script { state in
            (state.redeemed.contains(operation.content.token), state.outcomes[operation.content.token])
        }
        return switch outcome {
        case .succeeded(let username): .succeeded(username: username)
        case .refused(let status): .refused(status: Int(status.rawValue))
        case .ended: .ended
        case nil: isRedeemed ? .redeemed : .waiting
        }
    }

    /// AAIDs of the keys that a user has registered, oldest first.
    public func registrations(of username: String) -> [String] {
        backend.script { state in state.keys.filter { state.owners[$0] == username }.map(\.aaid.text) }
    }

    /// Removes a user's keys, as an administrator does; phones learn it when they sign in or synchronize.
    public func removeRegistrations(of username: String) {
        backend.script { state in
            let removed = state.keys.filter { state.owners[$0] == username }
            state.keys.removeAll(where: removed.contains)
            for index in state.devices.records.indices where state.devices.records[index].username == username {
                state.devices.records[index].credentials.removeAll(where: removed.contains)
            }
        }
    }

    private func begin(_ kind: OperationKind, for username: String, _ text: String? = nil) -> TestOperation {
        let operation = TestOperation(username: username, kind: kind, number: nextNumber())
        backend.script { state in
            state.operations[operation.content.token] = kind
            state.users[operation.content.token] = username
            state.texts[operation.content.token] = text
        }
        return operation
    }

    private func nextNumber() -> Int {
        number.withLock { number in
            number += 1
            return number
        }
    }
}

extension TestBackend: TestTransport {
    /// Answers a request of a phone.
    ///
    /// Throws a ``TestNetworkError``.
    public func answer(to request: TestRequest) async throws -> TestResponse {
        guard let method = BackendRequest.Method(rawValue: request.method) else { return TestResponse(status: 405) }
        let headers = HeaderFields(request.headers.map { HeaderFields.Field($0.name, $0.value) })
        let response: BackendResponse
        do {
            response = try await backend.response(
                to: BackendRequest(
                    method, request.url, headers: headers, body: request.body))
        } catch {
            throw TestNetworkError.noConnection
        }
        return TestResponse(
            status: response.status, headers: response.headers.fields.map { TestRequest.Header($0.name, $0.value) },
            body: response.body)
    }
}

/// An operation out of band that a ``TestBackend`` has begun.
public struct TestOperation: Sendable {
    /// State of an operation.
    @nonexhaustive
    public enum Outcome: Hashable, Sendable {
        /// No phone has redeemed its token.
        case waiting
        /// A phone has its request, and has not answered.
        case redeemed
        /// The user has registered, signed in or confirmed.
        case succeeded(username: String)
        /// The phone has reported that it ended without a signature: canceled, locked, timed out.
        case ended
        /// The server has refused the answer with this UAF status (FIDO UAF HTTP transport 1.1, 3.1).
        case refused(status: Int)
    }

    /// The user whom it is for.
    public let username: String
    let content: OutOfBandContent

    /// The text of its QR code, for ``OutOfBandPayloadDecode/base64UrlEncoded(_:)``.
    public var scannedText: String { OutOfBandEnvelope(.plain(content)).base64URL }

    init(username: String, kind: OperationKind, number: Int) {
        self.username = username
        content = OutOfBandContent(
            token: "token-\(number)", redeemURL: ScriptedBackend.address + "/token/redeem/" + kind.pathName)
    }
}
