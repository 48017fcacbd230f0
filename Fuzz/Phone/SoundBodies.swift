import BackendAPI
import UAF

/// Correct response bodies of a server at an address; a hostile server corrupts or misplaces them.
struct SoundBodies: Sendable {
    let address: String

    /// URL of the facet list, which is the AppID too.
    var facetList: String { address + "/uaf/1.1/facets" }

    /// Response body of an honest server for a path of its address.
    func body(at path: String, username: String) -> [UInt8] {
        switch path {
        case "/uaf/1.1/facets": facets
        case "/uaf/1.1/request/registration/", "/token/redeem/registration": registration(username)
        case "/uaf/1.1/request/authentication/", "/token/redeem/authentication": authentication()
        case "/uaf/1.1/request/deregistration/", "/token/redeem/deregistration": deregistration
        case let path where path.hasPrefix("/devices"): Array(#"{"requestId":"a","operations":[],"targets":[]}"#.utf8)
        default: ServerResponse(statusCode: .ok).body
        }
    }

    /// Every body of this server, for misplaced responses.
    var all: [[UInt8]] {
        let paths = [
            "/uaf/1.1/facets", "/uaf/1.1/request/registration/", "/uaf/1.1/request/authentication/",
            "/uaf/1.1/request/deregistration/", "/devices", "/",
        ]
        return paths.map { body(at: $0, username: "anna") } + [
            ServerResponse(statusCode: .ok, additionalTokens: [Token(type: .jwt, value: "a.b.c")]).body,
            ReturnUAFRequest(statusCode: .requestInvalid).body, authentication(with: [transaction]),
            Array(#"{"timestamp":0,"status":400,"errorCode":"SIGNATURE_INVALID"}"#.utf8), Array("[]".utf8),
            Array("{}".utf8), [],
        ]
    }

    private var transaction: Transaction {
        Transaction(contentType: .plainText, content: Array("Pay 100".utf8))
    }

    private var facets: [UInt8] {
        TrustedFacetList(entries: [
            .init(ids: [FacetID("ios:bundle-id:com.example.app")].compactMap(\.self))
        ]).document
    }

    private func header(_ operation: OperationKind) -> OperationHeader {
        OperationHeader(operation: operation, appID: AppID(facetList), serverData: ServerData("sealed"))
    }

    private var accepted: Policy {
        Policy(accepted: [AAID("F1D0#1001")].compactMap { aaid in aaid.map { [MatchCriteria(aaids: [$0])] } })
    }

    private func registration(_ name: String) -> [UInt8] {
        guard let challenge = ServerChallenge([UInt8](repeating: 9, count: 32)), let username = UserName(name) else {
            return []
        }
        return answer(
            .registration(
                RegistrationRequest(
                    header: header(.registration), challenge: challenge, username: username, policy: accepted)))
    }

    private func authentication(with transactions: [Transaction] = []) -> [UInt8] {
        guard let challenge = ServerChallenge([UInt8](repeating: 9, count: 32)) else { return [] }
        return answer(
            .authentication(
                AuthenticationRequest(
                    header: header(.authentication), challenge: challenge, transactions: transactions,
                    policy: accepted)))
    }

    /// Deregistration of every key of this server, for each user.
    private var deregistration: [UInt8] {
        answer(.deregistration(DeregistrationRequest(header: header(.deregistration), authenticators: [.everything])))
    }

    private func answer(_ request: OperationRequest) -> [UInt8] {
        ReturnUAFRequest(
            uafRequest: String(decoding: request.message, as: UTF8.self), operation: request.header.operation,
            lifetimeMillis: 300_000
        ).body
    }
}
