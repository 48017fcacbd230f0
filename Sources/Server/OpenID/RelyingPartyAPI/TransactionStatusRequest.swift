import Octets
import StrictJSON

/// Body of `POST /api/v1/status`.
package struct TransactionStatusRequest: Sendable, Hashable {
    package var statusToken: String { sensitiveToken.reveal() }
    private let sensitiveToken: Sensitive<String>
    /// `wait`, 0 to 60,000 ms.
    package let wait: Duration

    /// Reads a body; throws ``RelyingPartyRefusal/malformed(member:)``.
    package init(body: [UInt8]) throws(RelyingPartyRefusal) {
        self = try RelyingPartyBody.read(body) { members throws(JSONTypeError) -> TransactionStatusRequest in
            let token = try members.required("statusToken") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...32_768)
            }
            let wait: Int64 = try members.optionalInteger("wait") ?? 0
            guard (0...60_000).contains(wait) else { throw JSONTypeError(path: ["wait"], .outOfRange) }
            return TransactionStatusRequest(statusToken: token, wait: .milliseconds(wait))
        }
    }

    private init(statusToken: String, wait: Duration) {
        sensitiveToken = Sensitive(statusToken)
        self.wait = wait
    }
}
