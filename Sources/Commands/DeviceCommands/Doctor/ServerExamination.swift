import BackendAPI
import BackendTransport
import Foundation
import UAF

/// Check of a server from a phone's point of view: its facet list, a request, the list at its AppID, its keys.
struct ServerExamination {
    let server: URL
    /// Facet that has to be trusted; nil for the facet of the phone, if any.
    let facet: String?
    let transport: any HTTPTransport
    /// Phone that is to use the server; nil for any.
    var phone: ExaminedPhone?
    /// Timeout of each response of the server.
    var patience = Duration.seconds(15)
    var now: @Sendable () -> Date = { Date() }

    /// All findings, the most basic first; checks that are impossible after a failure are left out.
    func findings() async -> [DoctorFinding] {
        let request = BackendRequest(
            .get, ownAddress, headers: [.init("Accept", "application/fido.trusted-apps+json, application/json")],
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
        return [DoctorFinding(name: "reachable", verdict: .well, observation: "\(base) answers over TLS.")]
            + CertificateExamination(connection: response.connection, host: host, now: moment).findings()
            + [ClockExamination(headers: response.headers, now: moment).finding()]
            + (await services(response))
    }

    private var base: String {
        server.absoluteString.hasSuffix("/") ? String(server.absoluteString.dropLast()) : server.absoluteString
    }

    private var ownAddress: String { base + Endpoint.serviceRoot + Endpoint.facets.path }

    /// Findings about the services for phones; only the reason when the server is not a Signet server, or is not ready.
    private func services(_ facets: BackendResponse) async -> [DoctorFinding] {
        let facet = facet ?? phone?.facet
        guard facets.status == 200, (try? TrustedFacetList(document: facets.body)) != nil else {
            return FacetExamination(response: facets, facet: facet).findings()
        }
        let application = ApplicationExamination(
            server: server, ownAddress: ownAddress, ownList: facets, facet: facet, transport: transport,
            patience: patience)
        let others = ServiceExamination(
            base: base, receivesPushes: phone?.receivesPushes ?? false, transport: transport, patience: patience)
        switch await RequestExamination(base: base, transport: transport, patience: patience).outcome() {
        case .finding(let finding):
            return await application.findings(for: nil) + [finding] + record() + others.findings()
        case .request(let request):
            return await application.findings(for: request.header.appID)
                + PolicyExamination(policy: request.policy, phone: phone).findings() + record() + others.findings()
        }
    }

    /// Whether the server still has the keys of the phone, if a certain one is meant.
    private func record() async -> [DoctorFinding] {
        guard let phone else { return [] }
        return await RecordExamination(phone: phone, server: server).findings()
    }
}
