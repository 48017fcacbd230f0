import BackendTransport
import CommandSupport
import Octets
import UAF

struct FacetExamination {
    let response: BackendResponse
    let facet: String?

    func findings() -> [DoctorFinding] {
        guard response.status != 503 else {
            return [
                DoctorFinding(
                    name: "not-ready", verdict: .ill, observation: "It cannot serve now (HTTP 503).",
                    advice: "Look at the health of the server (management port, /nevisfido/health) and at its log; a "
                        + "proxy says this when there is no server behind it.")
            ]
        }
        guard response.status == 200 else {
            return [
                ill(
                    "The server has no facet list (HTTP \(response.status)): it is no Signet server, or one "
                        + "behind another path.", "Check host, port and path.", name: "not-signet")
            ]
        }
        guard let list = try? TrustedFacetList(document: response.body) else {
            return [
                ill(
                    "This is not a Signet server: it has no readable facet list.",
                    "Check host, port and path.", name: "not-signet")
            ]
        }
        guard Self.mediaType(response) == TrustedFacetList.mediaType else {
            return [
                ill(
                    "The list of trusted applications comes as \(ForeignText.name(Self.mediaType(response))): phones "
                        + "refuse it.",
                    "Let the proxy keep Content-Type: \(TrustedFacetList.mediaType).")
            ]
        }
        let facets = list.entries.flatMap(\.ids).map(\.text)
        let shown = facets.prefix(5).joined(separator: ", ")
        let count = facets.count == 1 ? "1 facet" : "\(facets.count) facets"
        let summary = DoctorFinding(name: "facets", verdict: .well, observation: "It trusts \(count): \(shown).")
        guard let facet, !facets.contains(where: { $0.hasSameOctets(as: facet) }) else { return [summary] }
        return [summary, ill("It does not trust \(facet).", "Add it under fido-uaf: facets: in the configuration.")]
    }

    /// Media type without its parameters.
    private static func mediaType(_ response: BackendResponse) -> String {
        let field = response.headers.first("Content-Type") ?? "nothing"
        return field.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    }

    private func ill(_ observation: String, _ advice: String, name: String = "facets") -> DoctorFinding {
        DoctorFinding(name: name, verdict: .ill, observation: observation, advice: advice)
    }
}
