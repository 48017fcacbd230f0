#if canImport(Darwin)
    import Foundation
    import Security

    // The judgement is PlatformVerdict; here is only what asks the framework.
    extension URLSessionTasks {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let server = challenge.protectionSpace.serverTrust else {
                return completionHandler(.performDefaultHandling, nil)
            }
            let verdict = verdict(on: server)
            if let failure = verdict.failure(pins: trust.pins) {
                // The task ends with "cancelled", whatever the reason: it is told here.
                decide(.untrustedConnection(failure), about: task)
                return completionHandler(.cancelAuthenticationChallenge, nil)
            }
            if let certificate = verdict.chain.first {
                let space = challenge.protectionSpace
                note(certificate, of: Authority(host: space.host, port: space.port), for: task.taskIdentifier)
            }
            completionHandler(.useCredential, URLCredential(trust: server))
        }

        private func verdict(on server: SecTrust) -> PlatformVerdict {
            addIssuers(to: server)
            var error: CFError?
            let isTrusted = SecTrustEvaluateWithError(server, &error)
            let chain = SecTrustCopyCertificateChain(server) as? [SecCertificate] ?? []
            return PlatformVerdict(
                isTrusted: isTrusted, status: error.map { CFErrorGetCode($0) },
                chain: chain.map { Array(SecCertificateCopyData($0) as Data) })
        }

        private func addIssuers(to server: SecTrust) {
            var more = trust.additionalCertificates.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
            if trust.issuers.includesUnknown, let chain = SecTrustCopyCertificateChain(server) as? [SecCertificate] {
                more += chain
            }
            guard !more.isEmpty else { return }
            SecTrustSetAnchorCertificates(server, more as CFArray)
            SecTrustSetAnchorCertificatesOnly(server, false)
        }
    }
#endif

/// Evaluation of a server's certificates by the Security framework, and its consequence for a connection.
///
/// Pure code: the part of the transport for Apple platforms that judges, without the framework it judges for.
struct PlatformVerdict: Hashable, Sendable {
    /// Whether the chain, the name and the dates were found right.
    let isTrusted: Bool
    /// The reason of a refusal: the code of a `CFError` whose domain is `OSStatus`; nil where none was given.
    let status: Int?
    /// The evaluated path, the server's certificate first (DER).
    let chain: [[UInt8]]

    /// `errSecHostNameMismatch`.
    private static let hostNameMismatch = -67_602

    func failure(pins: Set<PublicKeyPin>) -> TLSFailure? {
        guard isTrusted else { return status == Self.hostNameMismatch ? .wrongHost : .untrustedCertificate }
        return PublicKeyPinning(pins: pins).holds(validated: chain) ? nil : .pinMismatch
    }
}
