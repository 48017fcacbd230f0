import BackendAPI
import Crypto
import JOSE
import StrictJSON
import TestSupport
import UAF

/// Screen and phone of one user: operations begin on the screen and are answered on the phone.
///
/// Each has a connection of its own. The phone costs only its signatures and one key agreement: there is no PIN and no
/// key derivation.
struct OutOfBandPair: LoadSubject {
    /// Longest wait of the screen for one answer, which is shorter than the patience of its connection.
    private static let statusWaitMilliseconds: Int64 = 3_000

    private let username: UserName
    private let origin: String
    private let network: PhoneNetwork
    private let client: SyntheticClient
    private let device: SyntheticDevice
    private var authenticator: SyntheticAuthenticator
    private var target = ""
    private var connections: (screen: PhoneConnection, phone: PhoneConnection)?

    /// Pair of a user, with new keys that the server at `origin` does not know yet.
    init(user: String, at origin: String, on network: PhoneNetwork) throws {
        guard let username = UserName(user), let facet = FacetID("ios:bundle-id:org.signet.demo") else {
            throw BenchmarkFailure.badConstant
        }
        self.username = username
        self.origin = origin
        self.network = network
        client = SyntheticClient(facet: facet)
        device = try SyntheticDevice("org.signet.demo#\(user)")
        authenticator = try SyntheticAuthenticator()
        authenticator.counters = Counters(signatures: 1, registrations: 1)
    }

    // MARK: - Registration

    /// Opens both connections, and registers the phone with a device record.
    mutating func prepare() async throws {
        let phone = try await openConnections().phone
        let asked = GetUAFRequest(RegistrationContext(username: username))
        let answer = try ReturnUAFRequest(body: try await phone.post(asked.body, to: .registrationRequest))
        guard case .registration(let request) = try Self.request(answer, "registration") else {
            throw BenchmarkFailure.noRequest(step: "registration")
        }
        let message = try client.answer(request, with: [authenticator])
        let context = ResponseContext(dispatchTarget: try proposal(with: message))
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self), context: context)
        let verdict = try ServerResponse(body: try await phone.post(response.body, to: .registrationResponse))
        guard verdict.statusCode == .ok, let target = verdict.dispatchTarget?.id else {
            throw BenchmarkFailure.refused(step: "registration", verdict.statusCode)
        }
        self.target = target
    }

    private func proposal(with message: [UInt8]) throws -> DispatchTargetProposal {
        let fcParams = try JSONParser.parse(message).asArray { value throws(JSONTypeError) in
            try value.asObject().string("fcParams")
        }
        let target = try device.target()
        let proof = DispatchTargetProof(
            of: target, challengeHash: Array(SHA256.hash(data: Array((fcParams.first ?? "").utf8))),
            audience: origin + Endpoint.serviceRoot + Endpoint.registrationResponse.path)
        return .new(target, proof: try device.signed(proof))
    }

    // MARK: - One round

    /// One operation: the screen dispatches by link, encrypted for the phone; the phone decrypts, redeems and responds;
    /// the screen queries the status.
    mutating func work() async throws { try await work(isWaiting: false) }

    /// The same; a screen that is waiting asks for the status before the phone responds, and is answered afterwards.
    mutating func work(isWaiting: Bool) async throws {
        let (screen, phone) = try await openConnections()
        let (token, session) = try await dispatched(over: screen)
        let status: SessionStatus.Status
        if isWaiting {
            async let awaited = Self.finalStatus(of: session, over: screen)
            try await respond(token, over: phone)
            status = try await awaited
        } else {
            try await respond(token, over: phone)
            status = try await Self.status(StatusRequest(sessionID: session), over: screen)
        }
        guard status == .succeeded else { throw BenchmarkFailure.otherStatus(status.rawValue) }
    }

    /// Redeems the token and answers the request, on the phone.
    private mutating func respond(_ token: String, over phone: PhoneConnection) async throws {
        let redemption = RedeemRequest(token: token)
        let answer = try ReturnUAFRequest(
            body: try await phone.post(redemption.body, to: .redeemToken(.authentication)))
        guard case .authentication(let request) = try Self.request(answer, "redeem") else {
            throw BenchmarkFailure.noRequest(step: "redeem")
        }
        authenticator.counters = Counters(signatures: authenticator.counters.signatures + 1, registrations: 1)
        try await phone.send(try client.answer(request, with: [authenticator]), to: .authenticationResponse)
    }

    /// Waits for the end of the operation, on the screen.
    private static func finalStatus(
        of session: String, over screen: PhoneConnection
    ) async throws -> SessionStatus.Status {
        var status = SessionStatus.Status.tokenCreated
        // Cancelled when the phone fails: the status would stay as it is until the operation expires.
        while !status.isFinal, !Task.isCancelled {
            status = try await self.status(
                StatusRequest(sessionID: session, after: status, wait: statusWaitMilliseconds), over: screen)
        }
        return status
    }

    private static func status(
        _ request: StatusRequest, over screen: PhoneConnection
    ) async throws -> SessionStatus.Status {
        try SessionStatus(body: try await screen.post(request.body, to: .status)).status
    }

    private mutating func openConnections() async throws -> (screen: PhoneConnection, phone: PhoneConnection) {
        if let connections, connections.screen.isOpen, connections.phone.isOpen { return connections }
        connections?.screen.drop()
        connections?.phone.drop()
        let phone = try await network.connect()
        let opened = (screen: try await network.connect(accessKey: BenchmarkServer.accessKey), phone: phone)
        connections = opened
        return opened
    }

    /// Dispatches, and decrypts the payload of the link as the phone does.
    private func dispatched(over screen: PhoneConnection) async throws -> (token: String, session: String) {
        let request = DispatchRequest(
            GetUAFRequest(AuthenticationContext(username: username)), dispatcher: .link, dispatchTargetID: target)
        let answer = try DispatchAnswer(body: try await screen.post(request.body, to: .dispatchToken(.authentication)))
        let marker = OutOfBandEnvelope.linkParameter + "="
        guard let session = answer.sessionID, let link = answer.dispatcherInformation?.response,
            let range = link.firstRange(of: marker)
        else { throw BenchmarkFailure.notDispatched(answer.result.rawValue) }
        let envelope = try OutOfBandEnvelope(base64URL: String(link[range.upperBound...]))
        guard case .encrypted(let token) = envelope.content else { throw BenchmarkFailure.notDispatched("plain") }
        return (try OutOfBandContent(body: try device.opened(token)).token, session)
    }

    private static func request(_ answer: ReturnUAFRequest, _ step: String) throws -> OperationRequest {
        guard answer.statusCode == .ok, let message = answer.uafRequest else {
            throw BenchmarkFailure.refused(step: step, answer.statusCode)
        }
        return try OperationRequest(message: Array(message.utf8))
    }

    /// Closes both connections.
    mutating func hangUp() async throws {
        try await connections?.screen.close()
        try await connections?.phone.close()
        connections = nil
    }
}
