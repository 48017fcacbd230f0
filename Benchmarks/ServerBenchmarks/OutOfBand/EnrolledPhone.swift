import BackendAPI
import Crypto
import JOSE
import StrictJSON
import TestSupport
import UAF

/// Phone with one key and a device record, which answers operations that begin elsewhere.
///
/// It costs only its signatures and one key agreement: there is no PIN and no key derivation.
struct EnrolledPhone {
    /// User of the phone.
    let username: UserName
    /// ID of its device record; empty before ``register(at:over:pushToken:)``.
    private(set) var target = ""
    private let client: SyntheticClient
    private let device: SyntheticDevice
    private var authenticator: SyntheticAuthenticator

    /// Phone of a user, with new keys that no server knows yet.
    init(user: String) throws {
        guard let username = UserName(user), let facet = FacetID("ios:bundle-id:org.signet.demo") else {
            throw BenchmarkFailure.badConstant
        }
        self.username = username
        client = SyntheticClient(facet: facet)
        device = try SyntheticDevice("org.signet.demo#\(user)")
        authenticator = try SyntheticAuthenticator()
        authenticator.counters = Counters(signatures: 1, registrations: 1)
    }

    // MARK: - Registration

    /// Registers the key with a device record at the server of `origin`; pushes go to `pushToken`.
    mutating func register(
        at origin: String, over connection: PhoneConnection, pushToken: String = "push-token"
    ) async throws {
        let asked = GetUAFRequest(RegistrationContext(username: username))
        let answer = try ReturnUAFRequest(body: try await connection.post(asked.body, to: .registrationRequest))
        guard case .registration(let request) = try Self.request(answer, "registration") else {
            throw BenchmarkFailure.noRequest(step: "registration")
        }
        let message = try client.answer(request, with: [authenticator])
        let context = ResponseContext(dispatchTarget: try proposal(with: message, at: origin, pushToken))
        let response = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self), context: context)
        let verdict = try ServerResponse(body: try await connection.post(response.body, to: .registrationResponse))
        guard verdict.statusCode == .ok, let target = verdict.dispatchTarget?.id else {
            throw BenchmarkFailure.refused(step: "registration", verdict.statusCode)
        }
        self.target = target
    }

    private func proposal(
        with message: [UInt8], at origin: String, _ pushToken: String
    ) throws -> DispatchTargetProposal {
        let fcParams = try JSONParser.parse(message).asArray { value throws(JSONTypeError) in
            try value.asObject().string("fcParams")
        }
        let target = try device.target(pushToken: pushToken)
        let proof = DispatchTargetProof(
            of: target, challengeHash: Array(SHA256.hash(data: Array((fcParams.first ?? "").utf8))),
            audience: origin + Endpoint.serviceRoot + Endpoint.registrationResponse.path)
        return .new(target, proof: try device.signed(proof))
    }

    // MARK: - Operations

    /// Payload of a link; nil for a text without one.
    static func payload(inLink link: String) throws -> OutOfBandEnvelope? {
        guard let range = link.firstRange(of: OutOfBandEnvelope.linkParameter + "=") else { return nil }
        return try OutOfBandEnvelope(base64URL: String(link[range.upperBound...]))
    }

    /// Token in a payload that is sealed for this phone.
    func token(sealedIn payload: OutOfBandEnvelope) throws -> String {
        guard case .encrypted(let token) = payload.content else { throw BenchmarkFailure.notDispatched("plain") }
        return try OutOfBandContent(body: try device.opened(token)).token
    }

    /// Redeems the token of an authentication and answers its request; throws unless the status is 1200.
    mutating func confirm(_ token: String, over connection: PhoneConnection) async throws {
        let redemption = RedeemRequest(token: token)
        let answer = try ReturnUAFRequest(
            body: try await connection.post(redemption.body, to: .redeemToken(.authentication)))
        guard case .authentication(let request) = try Self.request(answer, "redeem") else {
            throw BenchmarkFailure.noRequest(step: "redeem")
        }
        authenticator.counters = Counters(signatures: authenticator.counters.signatures + 1, registrations: 1)
        try await connection.send(try client.answer(request, with: [authenticator]), to: .authenticationResponse)
    }

    private static func request(_ answer: ReturnUAFRequest, _ step: String) throws -> OperationRequest {
        guard answer.statusCode == .ok, let message = answer.uafRequest else {
            throw BenchmarkFailure.refused(step: step, answer.statusCode)
        }
        return try OperationRequest(message: Array(message.utf8))
    }
}
