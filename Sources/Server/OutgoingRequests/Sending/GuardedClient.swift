import NIOCore
import NIOHTTP1
import NIOSSL
import Octets
package import OpenID
import ServerCore

/// HTTP client for other systems that attackers cannot turn against the server's network (``OutgoingRules``).
///
/// The name is resolved once, each of its addresses is judged, and the connection goes to one that was judged: another
/// answer of the name server in between changes nothing. TLS verifies the name of the address. No redirect is followed,
/// no proxy, cookie or compression is used, head and body are bounded, and one time holds for all of it.
package struct GuardedClient: OutgoingSender {
    private let rules: OutgoingRules
    private let resolver: any NameResolver
    private let tls: NIOSSLContext

    /// Client by these rules.
    ///
    /// Throws ``OutgoingRequestsError/unusableAuthority(file:)``.
    package init(
        _ rules: OutgoingRules, resolver: any NameResolver = SystemNameResolver()
    ) throws(OutgoingRequestsError) {
        self.rules = rules
        self.resolver = resolver
        tls = try Self.context(trusting: rules.authorityFiles)
    }

    package func send(_ request: OutgoingRequest) async throws(OutgoingFailure) -> Int {
        var fields = HTTPHeaders()
        for (name, value) in request.fields { fields.add(name: name, value: value.reveal()) }
        fields.add(name: "Content-Length", value: String(request.body.count))
        return try await answer(to: .POST, request.address, fields, request.body, wanted: .status).status
    }

    package func fetch(
        _ address: OutgoingAddress, accepting type: String
    ) async throws(OutgoingFailure) -> [UInt8] {
        let answer = try await answer(
            to: .GET, address, ["Accept": type], [], wanted: .body(limit: rules.answerLimit))
        guard answer.status == 200 else { throw .refusedByStatus }
        return answer.body
    }

    private func answer(
        to method: HTTPMethod, _ address: OutgoingAddress, _ fields: HTTPHeaders, _ content: [UInt8],
        wanted: AnswerReader.Wanted
    ) async throws(OutgoingFailure) -> OutgoingExchange.Answer {
        let deadline = NIODeadline.now() + .milliseconds(rules.timeout.wholeMilliseconds)
        guard let destination = OutgoingDestination(address) else { throw .unresolvable }
        let addresses = try rules.judged(await addresses(of: destination.host))
        var head = HTTPRequestHead(version: .http1_1, method: method, uri: destination.target, headers: fields)
        head.headers.replaceOrAdd(name: "Host", value: destination.authority)
        head.headers.replaceOrAdd(name: "User-Agent", value: "signet-server")
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        let exchange = OutgoingExchange(
            destination: destination, head: head, content: content, tls: tls, wanted: wanted,
            limit: rules.answerLimit, deadline: deadline)
        let answer = try await exchange.answer(from: addresses)
        guard !(300..<400).contains(answer.status) else { throw .redirected }
        return answer
    }

    private func addresses(of host: String) async throws(OutgoingFailure) -> [IPAddress] {
        if let address = IPAddress(host) { return [address] }
        return try await resolver.addresses(of: host, within: rules.timeout)
    }

    // MARK: - TLS

    /// Suites of TLS 1.2 with forward secrecy; the library fixes the suites of TLS 1.3.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private static func context(trusting files: [String]) throws(OutgoingRequestsError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = suites
        configuration.applicationProtocols = ["http/1.1"]
        configuration.certificateVerification = .fullVerification
        for file in files {
            do {
                let certificates = try NIOSSLCertificate.fromPEMFile(file)
                guard !certificates.isEmpty else { throw OutgoingRequestsError.unusableAuthority(file: file) }
                configuration.additionalTrustRoots.append(.certificates(certificates))
            } catch {
                throw .unusableAuthority(file: file)
            }
        }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw .unusableAuthority(file: files.first ?? "")
        }
    }
}
