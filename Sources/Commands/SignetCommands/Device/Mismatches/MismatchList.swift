import MobileAuthentication
import StrictJSON

/// In what a phone and its servers do not agree, as a list for people and for programs.
struct MismatchList {
    private let mismatches: [DeviceInformationMismatch]

    init(_ mismatches: [DeviceInformationMismatch]) {
        self.mismatches = mismatches
    }

    /// A line for each: what is wrong, about what, and what would be done.
    var text: String {
        guard !mismatches.isEmpty else { return "This phone and its servers agree." }
        return mismatches.map { mismatch in
            let facts = mismatch.facts.map { "\($0.name) \(ForeignText.name($0.value))" }.joined(separator: ", ")
            return "- \(mismatch.explanation) (\(facts), \(mismatch.server.baseUrl.absoluteString))"
        }.joined(separator: "\n")
    }

    /// An object for each.
    var json: [JSONValue] {
        mismatches.map { mismatch in
            var members = [
                JSONObject.Member("kind", .string(mismatch.kind)),
                JSONObject.Member("action", .string(mismatch.proposedAction.rawValue)),
                JSONObject.Member("explanation", .string(mismatch.explanation)),
                JSONObject.Member("server", .string(mismatch.server.baseUrl.absoluteString)),
            ]
            members += mismatch.facts.map { JSONObject.Member($0.name, .string($0.value)) }
            return .object(JSONObject(distinct: members))
        }
    }
}
