import BackendAPI
import BackendTransport
import Crypto
import Octets
package import UAF

extension ScriptedBackend {
    /// A request that the server handed out, and whether it was answered.
    package struct IssuedRequest: Sendable {
        package let challenge: ServerChallenge
        /// The name of the exchange that the request was asked for in; empty out of band.
        let exchange: String
        /// The user of a registration, and of an authentication for a known user.
        let username: String?
        let transactions: [Transaction]
        /// The token that was redeemed for it; nil in band.
        let token: Sensitive<String>?
        /// Each request takes one answer.
        var isAnswered = false
    }

    /// Result of an operation out of band.
    package enum Outcome: Hashable, Sendable {
        case succeeded(username: String)
        case refused(StatusCode)
        /// The phone has sent a report without an assertion.
        case ended
    }

    /// Reason to refuse an answer: a status of UAF, or what the service for devices says.
    enum Refusal: Error {
        case status(StatusCode)
        case device(ScriptedDevices.Refused)
    }
}

extension ScriptedBackend.State {
    private static let seal = "sealed."

    /// Notes a request; its server data name it.
    mutating func issue(
        for username: String?, in exchange: String, _ transactions: [Transaction] = [], token: String?
    ) -> (challenge: ServerChallenge, serverData: ServerData)? {
        let random = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
        guard let challenge = ServerChallenge(random), let serverData = ServerData(Self.seal + String(issued.count))
        else { return nil }
        issued.append(
            ScriptedBackend.IssuedRequest(
                challenge: challenge, exchange: exchange, username: username, transactions: transactions,
                token: token.map { Sensitive($0) }))
        return (challenge, serverData)
    }

    /// The request that an answer names; it is used up, whatever becomes of the answer.
    private mutating func request(
        answeredWith header: OperationHeader
    ) throws(ScriptedBackend.Refusal) -> ScriptedBackend.IssuedRequest {
        guard let sealed = header.serverData?.text, sealed.hasPrefix(Self.seal),
            let number = Int(sealed.dropFirst(Self.seal.count)), issued.indices.contains(number),
            !issued[number].isAnswered
        else { throw .status(.requestInvalid) }
        issued[number].isAnswered = true
        return issued[number]
    }

    /// Judges an answer and carries it out; notes the result of an operation out of band.
    mutating func take(
        _ response: OperationResponse, _ context: ResponseContext?
    ) throws(ScriptedBackend.Refusal) -> CreatedDispatchTarget? {
        let request = try request(answeredWith: response.header)
        do throws(ScriptedBackend.Refusal) {
            try requireAddress(response.finalChallenge, of: request)
            let username: String
            var target: CreatedDispatchTarget?
            switch response {
            case .registration(let response):
                username = request.username ?? invited
                target = try register(response, for: username, context?.dispatchTarget)
            case .authentication(let response): username = try authenticate(response, request.transactions)
            }
            if let token = request.token { outcomes[token.reveal()] = .succeeded(username: username) }
            return target
        } catch {
            if let token = request.token, case .status(let status) = error {
                outcomes[token.reveal()] = .refused(status)
            }
            throw error
        }
    }

    /// Takes the report that an operation ended without a signature; the real server answers it with the same status.
    mutating func end(_ report: EndedOperation) -> StatusCode {
        guard let request = try? request(answeredWith: report.header) else { return .requestInvalid }
        if let token = request.token { outcomes[token.reveal()] = .ended }
        return .unacceptableContent
    }

    // MARK: - Checks

    private func requireAddress(
        _ parameters: FinalChallengeParameters, of request: ScriptedBackend.IssuedRequest
    ) throws(ScriptedBackend.Refusal) {
        guard isRight(parameters.serverBinding, in: request.exchange) else { throw .status(.channelBindingRefused) }
        guard
            parameters.challenge == request.challenge, parameters.appID == AppID(ScriptedBackend.facetList),
            facets.contains(parameters.facetID.text)
        else { throw .status(.unacceptableContent) }
    }

    /// Whether a server binding is right for the exchange that the request was asked for in.
    private func isRight(_ serverBinding: ServerBinding?, in exchange: String) -> Bool {
        guard binding != .unknown else { return serverBinding == nil }
        return serverBinding.map { $0.origin == "https://server.example" } ?? true
            && serverBinding?.exchange?.base64URL ?? "" == exchange
    }

    private mutating func register(
        _ response: RegistrationResponse, for username: String, _ proposal: DispatchTargetProposal?
    ) throws(ScriptedBackend.Refusal) -> CreatedDispatchTarget? {
        guard let octets = try? response.assertions.first?.octets(),
            let assertion = try? RegistrationAssertion(octets: octets)
        else { throw .status(.unacceptableContent) }
        let data = assertion.keyRegistrationData
        guard aaids.contains(data.credential.aaid.text) else { throw .status(.unacceptableAuthenticator) }
        guard data.finalChallengeHash == response.finalChallenge.hash else { throw .status(.unacceptableContent) }
        guard let key = SignatureKey(data.publicKey, data.info.signatureAlgorithm) else {
            throw .status(.unacceptableKey)
        }
        guard key.hasSigned(data.octets, assertion.attestation.signature) else {
            throw .status(.unacceptableAttestation)
        }
        let target: CreatedDispatchTarget?
        switch devices.take(proposal, with: response, for: username, data.credential) {
        case .failure(let refused): throw .device(refused)
        case .success(let created): target = created
        }
        keys.append(data.credential)
        owners[data.credential] = username
        signatureKeys[data.credential] = key
        return target
    }

    /// The owner of the key that has signed.
    private func authenticate(
        _ response: AuthenticationResponse, _ transactions: [Transaction]
    ) throws(ScriptedBackend.Refusal) -> String {
        guard let octets = try? response.assertions.first?.octets(),
            let assertion = try? AuthenticationAssertion(octets: octets)
        else { throw .status(.unacceptableContent) }
        let data = assertion.signedData
        guard keys.contains(data.credential), let key = signatureKeys[data.credential] else {
            throw .status(.unknownKeyID)
        }
        let shown = data.hashes.transactionContent
        guard data.hashes.finalChallenge == response.finalChallenge.hash,
            transactions.isEmpty ? shown.isEmpty : transactions.map(\.contentHash).contains(shown),
            key.hasSigned(data.octets, assertion.signature)
        else { throw .status(.unacceptableContent) }
        return owners[data.credential] ?? invited
    }
}

/// A public key on P-256 with the encoding of its signatures.
package struct SignatureKey: Sendable {
    private let key: P256.Signing.PublicKey
    private let algorithm: AuthenticationAlgorithm

    /// Nil for keys of other curves and algorithms, and for points that are not on the curve.
    init?(_ encoded: EncodedPublicKey, _ algorithm: AuthenticationAlgorithm) {
        let key: P256.Signing.PublicKey? =
            switch encoded.format {
            case .eccX962Raw: try? P256.Signing.PublicKey(x963Representation: encoded.octets)
            case .eccX962DER: try? P256.Signing.PublicKey(derRepresentation: encoded.octets)
            default: nil
            }
        guard let key else { return nil }
        self.key = key
        self.algorithm = algorithm
    }

    func hasSigned(_ octets: [UInt8], _ signature: [UInt8]) -> Bool {
        let decoded: P256.Signing.ECDSASignature? =
            switch algorithm {
            case .secp256r1ECDSASHA256Raw: try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            case .secp256r1ECDSASHA256DER: try? P256.Signing.ECDSASignature(derRepresentation: signature)
            default: nil
            }
        return decoded.map { key.isValidSignature($0, for: octets) } ?? false
    }
}

extension OperationResponse {
    package var finalChallenge: FinalChallengeParameters {
        switch self {
        case .registration(let response): response.finalChallenge
        case .authentication(let response): response.finalChallenge
        }
    }
}
