import BackendAPI
import BackendTransport
import Foundation
import StrictJSON
import UAF

/// Looks at what a phone and its applications need besides the facet list: the keys that verify tokens.
struct ServiceExamination {
    let base: String
    let transport: any HTTPTransport
    let patience: Duration

    /// Nothing unless the facet list came.
    func findings(after facets: BackendResponse) async -> [DoctorFinding] {
        guard facets.status == 200, (try? TrustedFacetList(document: facets.body)) != nil else { return [] }
        return [await keys()]
    }

    /// Applications verify tokens with these keys.
    private func keys() async -> DoctorFinding {
        let request = BackendRequest(
            .get, base + Endpoint.keySet.path, headers: [.init("Accept", "application/json")],
            responseByteLimit: 1 << 16, timeout: patience)
        guard let response = try? await transport.response(to: request), response.status == 200,
            let document = try? JSONParser.parse(response.body).asObject(), case .array(let keys)? = document["keys"],
            !keys.isEmpty
        else {
            return DoctorFinding(
                name: "keys", verdict: .weak,
                observation: "There are no keys at \(Endpoint.keySet.path): applications cannot verify tokens.",
                advice: "Let the proxy in front of the server pass this path on.")
        }
        return DoctorFinding(
            name: "keys", verdict: .well, observation: "Applications find the keys for its tokens (\(keys.count)).")
    }
}
