import BackendAPI
import BackendTransport
import Foundation
import UAF

/// Looks at a server through one request for its facet list.
struct ServerExamination {
    let server: URL
    let facet: String?
    let transport: any HTTPTransport

    /// Everything that can be seen, the most basic first; what cannot be seen is left out.
    func findings() async -> [DoctorFinding] {
        let base =
            server.absoluteString.hasSuffix("/") ? String(server.absoluteString.dropLast()) : server.absoluteString
        let request = BackendRequest(
            .get, base + Endpoint.serviceRoot + Endpoint.facets.path,
            headers: [.init("Accept", "application/fido.trusted-apps+json, application/json")],
            responseByteLimit: TrustedFacetList.byteLimit, timeout: .seconds(15))
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await transport.response(to: request)
        } catch {
            return [Self.unreachable(error)]
        }
        let now = Date()
        let host = server.host() ?? ""
        return [DoctorFinding(name: "reachable", verdict: .well, observation: "\(base) answers over TLS.")]
            + CertificateExamination(connection: response.connection, host: host, now: now).findings()
            + [ClockExamination(headers: response.headers, now: now).finding()]
            + FacetExamination(response: response, facet: facet).findings()
    }

    private static func unreachable(_ error: BackendTransportError) -> DoctorFinding {
        let (observation, advice): (String, String) =
            switch error {
            case .noConnection: ("Nobody answers there.", "Is the server running? Try: signet-server serve")
            case .timedOut: ("The server does not answer in time.", "Look at its load and at firewalls between.")
            case .untrustedConnection(.wrongHost):
                ("The certificate is for another name.", "Use a name that is in the certificate, or issue another one.")
            case .untrustedConnection:
                (
                    "The certificate is not trusted here, or TLS 1.2 with the suites of this client is not offered.",
                    "For a server with its own authority give --ca DATA-DIRECTORY/tls/ca.pem (its log names the file)."
                )
            case .responseTooLarge, .malformedResponse:
                ("What answers there is no Signet server.", "Check host and port.")
            default: ("The request failed: \(error).", "Check the address.")
            }
        return DoctorFinding(name: "reachable", verdict: .ill, observation: observation, advice: advice)
    }
}
