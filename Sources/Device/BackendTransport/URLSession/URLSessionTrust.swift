#if canImport(Darwin)
    import Crypto
    import Foundation
    import Security

    /// Decides about redirects (never followed) and about certificates (system trust, more issuers, pins).
    final class URLSessionTrust: NSObject, URLSessionTaskDelegate {
        private let trust: TransportTrust

        init(_ trust: TransportTrust) {
            self.trust = trust
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest
        ) async -> URLRequest? {
            nil
        }

        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard let server = challenge.protectionSpace.serverTrust else { return (.performDefaultHandling, nil) }
            addIssuers(to: server)
            guard SecTrustEvaluateWithError(server, nil), presentsPinnedKey(server) else {
                return (.cancelAuthenticationChallenge, nil)
            }
            return (.useCredential, URLCredential(trust: server))
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

        private func presentsPinnedKey(_ server: SecTrust) -> Bool {
            guard !trust.pins.isEmpty else { return true }
            guard let key = SecTrustCopyKey(server), let bits = SecKeyCopyExternalRepresentation(key, nil) as Data?,
                let point = try? P256.Signing.PublicKey(x963Representation: bits),
                let pin = PublicKeyPin(Array(SHA256.hash(data: point.derRepresentation)))
            else { return false }
            return trust.pins.contains(pin)
        }
    }
#endif
