import Foundation
import Octets

/// What the operation found out.
struct AccountSelectionState: AccountSelectionContext {
    /// An account and what the server accepts of it.
    struct Compliance: Sendable {
        let username: Username
        let aaids: [String]
    }

    let choices: [AuthenticatorSnapshot]
    let compliance: [Compliance]
    let transactionConfirmationData: Data?

    var authenticators: [any Authenticator] { choices }

    func isPolicyCompliant(username: Username, aaid: String) -> Bool {
        compliance.contains { account in
            account.username.hasSameOctets(as: username) && account.aaids.contains { $0.hasSameOctets(as: aaid) }
        }
    }

    private enum CodingKeys: String, CodingKey {
        case choices = "authenticators"
        case transactionConfirmationData
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(choices, forKey: .choices)
        try container.encodeIfPresent(transactionConfirmationData, forKey: .transactionConfirmationData)
    }
}
