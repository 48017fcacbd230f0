import Foundation
import Octets

/// What the operation found out.
struct AuthenticatorSelectionState: AuthenticatorSelectionContext {
    let registeredAccount: RegisteredAccount
    let choices: [AuthenticatorSnapshot]
    let compliantAaids: [String]
    let transactionConfirmationData: Data?

    var account: any Account { registeredAccount }

    var authenticators: [any Authenticator] { choices }

    func isPolicyCompliant(authenticatorAaid aaid: String) -> Bool {
        compliantAaids.contains { $0.hasSameOctets(as: aaid) }
    }

    private enum CodingKeys: String, CodingKey {
        case registeredAccount = "account"
        case choices = "authenticators"
        case transactionConfirmationData
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(registeredAccount, forKey: .registeredAccount)
        try container.encode(choices, forKey: .choices)
        try container.encodeIfPresent(transactionConfirmationData, forKey: .transactionConfirmationData)
    }
}
