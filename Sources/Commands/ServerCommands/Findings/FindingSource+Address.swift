import CommandSupport
import FoundationEssentials
import OpenID
import OutgoingRequests
import ServerConfiguration
import ServerCore
import Synchronization
import UAFService

extension FindingSource {
    /// The public address, as phones see it: the list of applications there is this server's, and the certificate one that
    /// it knows.
    static func address(
        _ deployment: Deployment, _ certificates: ServedCertificates, _ acceptance: AcceptanceService
    ) -> FindingSource {
        FindingSource(.address, each: .seconds(600)) {
            let known = Set(certificates.known.compactMap { CertificateReview.firstCertificate(inPEM: $0) })
            return await address(deployment.origin, known: known) { acceptance.current.facetDocument }
        }
    }

    /// Findings about an origin such as `https://login.example.com`, behind which one of the known certificates is expected,
    /// where there is one; nothing about plain HTTP.
    static func address(
        _ origin: String, known: Set<[UInt8]>, facets: () -> [UInt8]
    ) async -> [ServerFinding] {
        guard origin.hasPrefix("https://"), let url = URLComponents(string: origin), let host = url.host else {
            return []
        }
        let seen = Mutex<[UInt8]?>(nil)
        let bare = host.filter { $0 != "[" && $0 != "]" }
        let request = InstallationRequest(
            to: .tls(host: bare, port: url.port ?? 443), path: "/nevisfido/uaf/1.1/facets")
        do throws(OutgoingFailure) {
            let answer = try await request.answer { certificate in
                seen.withLock { $0 = certificate }
                return true
            }
            guard answer.status == 200, answer.body == facets() else {
                return [
                    .warning(
                        .address, "\(origin) is answered by something else than this server (status \(answer.status))")
                ]
            }
            guard !known.isEmpty, let certificate = seen.withLock({ $0 }), !known.contains(certificate) else {
                return []
            }
            return [.warning(.address, "\(origin) shows a certificate that this server does not know")]
        } catch {
            return [.warning(.address, "\(origin) cannot be reached from this machine (\(error.rawValue))")]
        }
    }
}
