import Authenticators
import Foundation

extension LocalCredential {
    /// A stored credential; nil for a record whose server address this SDK has not written.
    init?(_ credential: Credential) {
        guard let url = URL(string: credential.owner.server) else { return nil }
        self.init(
            id: credential.id, username: credential.owner.user, server: ServerAddress(url), appID: credential.appID,
            state: State(credential.state))
    }
}

extension LocalCredential.State {
    fileprivate init(_ state: CredentialState) {
        self =
            switch state {
            case .pending: .pending
            case .active: .registered
            case .unusable: .unusable
            }
    }
}
