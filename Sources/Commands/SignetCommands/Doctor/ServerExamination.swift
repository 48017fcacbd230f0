import BackendAPI
import BackendTransport
import Foundation
import UAF

/// Looks at a server through one request for its facet list.
struct ServerExamination {
    let server: URL
    let facet: String?
    let transport: any HTTPTransport
    /// How long the server may take.
    var patience = Duration.seconds(15)
    /// The clock of this machine.
    var now: @Sendable () -> Date = { Date() }

    /// Everything that can be seen, the most basic first; what cannot be seen is left out.
    func findings() async -> [DoctorFinding] {
        let base =
            server.absoluteString.hasSuffix("/") ? String(server.absoluteString.dropLast()) : server.absoluteString
        let request = BackendRequest(
            .get, base + Endpoint.serviceRoot + Endpoint.facets.path,
            headers: [.init("Accept", "application/fido.trusted-apps+json, application/json")],
            responseByteLimit: TrustedFacetList.byteLimit, timeout: patience)
        let moment = now()
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await transport.response(to: request)
        } catch {
            let diagnosis = ConnectionDiagnosis(server: server, request: request, patience: patience, now: moment)
            return [await diagnosis.finding(for: error)]
        }
        let host = server.host() ?? ""
        let services = await ServiceExamination(base: base, transport: transport, patience: patience)
            .findings(after: response)
        return [DoctorFinding(name: "reachable", verdict: .well, observation: "\(base) answers over TLS.")]
            + CertificateExamination(connection: response.connection, host: host, now: moment).findings()
            + [ClockExamination(headers: response.headers, now: moment).finding()]
            + FacetExamination(response: response, facet: facet).findings()
            + services
    }
}
