import BackendAPI
import MobileAuthenticationTestKit
import Synchronization

/// Network of a phone with an attacker between it and its servers, who changes, keeps and adds what they like.
///
/// The attacker has the plain text: the phone trusts the certificate of their end. Without an attack everything passes.
final class Middleman: TestTransport {
    /// The way on to the server.
    typealias Way = @Sendable (TestRequest) async throws -> TestResponse
    /// Treatment of one exchange.
    typealias Attack = @Sendable (TestRequest, Way) async throws -> TestResponse

    private let network: NetworkTransport
    private let attack = Mutex<Attack?>(nil)
    private let passed = Mutex<[TestRequest]>([])

    /// Stands in front of a network.
    init(_ network: NetworkTransport) { self.network = network }

    /// Every request that the phone has made, in order.
    var requests: [TestRequest] { passed.withLock { $0 } }

    /// Treats the exchanges from now on like this.
    func begin(_ attack: @escaping Attack) { self.attack.withLock { $0 = attack } }

    /// Lets everything pass again.
    func end() { attack.withLock { $0 = nil } }

    /// Sends a request of the attacker's own.
    func send(_ request: TestRequest) async throws -> TestResponse { try await network.answer(to: request) }

    func answer(to request: TestRequest) async throws -> TestResponse {
        passed.withLock { $0.append(request) }
        let network = network
        guard let attack = attack.withLock({ $0 }) else { return try await network.answer(to: request) }
        return try await attack(request) { try await network.answer(to: $0) }
    }
}

extension TestRequest {
    /// Whether it asks for a UAF request.
    var asksForRequest: Bool { url.contains("/uaf/1.1/request/") }
    /// Whether it carries a UAF response.
    var carriesResponse: Bool { !asksForRequest && url.contains("/uaf/1.1/") && method == "POST" }

    /// The same question from another exchange; nil: from a client that names none.
    func asked(in exchange: String?) -> TestRequest {
        var request = self
        request.headers.removeAll { $0.name == Endpoint.exchangeField }
        if let exchange { request.headers.append(Header(Endpoint.exchangeField, exchange)) }
        return request
    }
}
