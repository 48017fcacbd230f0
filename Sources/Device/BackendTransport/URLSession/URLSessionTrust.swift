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
            if let failure = verdict(on: server).failure(pins: trust.pins) {
                // The task ends with "cancelled", whatever the reason: it is told here.
                decide(.untrustedConnection(failure), about: task)
                return completionHandler(.cancelAuthenticationChallenge, nil)
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
            if trust.issuers == .any, let chain = SecTrustCopyCertificateChain(server) as? [SecCertificate] {
                more += chain
            }
            guard !more.isEmpty else { return }
            SecTrustSetAnchorCertificates(server, more as CFArray)
            SecTrustSetAnchorCertificatesOnly(server, false)
        }
    }
#endif
