import BackendAPI
import BackendTransport
import Foundation
import Octets
import UAF

/// Check of the facet list where phones look for it: at the AppID of the server's requests, which may be on another
/// host.
struct ApplicationExamination {
    let server: URL
    /// URL of the server's own facet list, and the server's response there.
    let ownAddress: String
    let ownList: BackendResponse
    /// Facet that has to be in the list; nil for any.
    let facet: String?
    let transport: any HTTPTransport
    let patience: Duration

    /// Findings about AppID and facet list; nil when the AppID is not known.
    func findings(for appID: AppID?) async -> [DoctorFinding] {
        guard let appID, !appID.text.hasSameOctets(as: ownAddress) else {
            let told = appID.map { [well("Its AppID is \($0), at this address.")] } ?? []
            return told + FacetExamination(response: ownList, facet: facet).findings()
        }
        guard let address = URLComponents(string: appID.text), address.scheme == "https", let host = address.host,
            !host.isEmpty
        else {
            return [ill("Its AppID \(appID) is no https address: phones refuse it.", "Correct fido-uaf: app-id:.")]
        }
        let place = isHere(address, host) ? "at this address" : "on another address than the one asked"
        guard let list = await list(at: appID), list.status == 200,
            (try? TrustedFacetList(document: list.body)) != nil
        else {
            return [
                ill(
                    "Its AppID is \(appID), \(place), and phones find no list of trusted applications there.",
                    "Publish the list there, or set fido-uaf: app-id: (or server: public-url:) to where phones "
                        + "reach the server, before the first registration: keys belong to the AppID they were made for."
                )
            ]
        }
        return [well("Its AppID is \(appID), \(place); the list of trusted applications is there.")]
            + FacetExamination(response: list, facet: facet).findings()
    }

    private func isHere(_ address: URLComponents, _ host: String) -> Bool {
        host.lowercased() == server.host()?.lowercased() && (address.port ?? 443) == (server.port ?? 443)
    }

    /// Response at an AppID, after the redirects that phones follow.
    private func list(at appID: AppID) async -> BackendResponse? {
        // Without a facet to look for, the verdict does not matter, only the redirects.
        guard let caller = FacetID(facet ?? "signet:any") else { return nil }
        var evaluation = FacetEvaluation(appID: appID, facetID: caller)
        var step = evaluation.start()
        var last: BackendResponse?
        while case .fetch(let url) = step {
            let request = BackendRequest(
                .get, url, headers: [.init("Accept", TrustedFacetList.mediaType)],
                responseByteLimit: TrustedFacetList.byteLimit, timeout: patience)
            guard let response = try? await transport.response(to: request) else { return nil }
            last = response
            let fields = response.headers.fields.map { FacetResponse.Field(name: $0.name, value: $0.value) }
            step = evaluation.resume(FacetResponse(status: response.status, fields: fields, body: response.body))
        }
        return last
    }

    private func well(_ observation: String) -> DoctorFinding {
        DoctorFinding(name: "app-id", verdict: .well, observation: observation)
    }

    private func ill(_ observation: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(name: "app-id", verdict: .ill, observation: observation, advice: advice)
    }
}
