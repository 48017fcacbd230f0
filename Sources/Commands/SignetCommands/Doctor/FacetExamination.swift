import BackendTransport
import Octets
import UAF

/// Reads the list of applications that the server trusts.
struct FacetExamination {
    let response: BackendResponse
    let facet: String?

    func findings() -> [DoctorFinding] {
        guard response.status == 200 else {
            return [
                ill("The server has no facet list (HTTP \(response.status)).", "Is it a Signet server? Check the path.")
            ]
        }
        guard let list = try? TrustedFacetList(document: response.body) else {
            return [ill("The facet list cannot be read.", "Compare it with FIDO AppID and Facets 1.1, 3.1.2.")]
        }
        let facets = list.entries.flatMap(\.ids).map(\.text)
        let shown = facets.prefix(5).joined(separator: ", ")
        let count = facets.count == 1 ? "1 facet" : "\(facets.count) facets"
        let summary = DoctorFinding(name: "facets", verdict: .well, observation: "It trusts \(count): \(shown).")
        guard let facet, !facets.contains(where: { $0.hasSameOctets(as: facet) }) else { return [summary] }
        return [summary, ill("It does not trust \(facet).", "Add it under fido-uaf: facets: in the configuration.")]
    }

    private func ill(_ observation: String, _ advice: String) -> DoctorFinding {
        DoctorFinding(name: "facets", verdict: .ill, observation: observation, advice: advice)
    }
}
