package import UAF

/// Plan of a deregistration: the credentials to delete, and the request to the phone.
///
/// FIDO UAF Protocol 1.1, 3.6.4.1. The server deletes its records first and then sends the request, for which there is
/// no answer. Only credentials of the account are ever in a plan; others, and unknown ones, are left out silently, so
/// asking twice does no harm and tells nothing.
package struct DeregistrationPlan: Hashable, Sendable {
    /// Extent of the deletion within one account.
    package enum Scope: Hashable, Sendable {
        case everything
        case models(Set<AAID>)
        case credentials(Set<CredentialID>)
    }

    /// Form in which the request names the keys.
    package enum Spelling: Hashable, Sendable {
        /// Every key by AAID and KeyID: nothing else on a shared phone is touched.
        case pairs
        /// Empty KeyID or AAID where the scope allows: the phone forgets the keys of *all* its users.
        case widest
    }

    /// Credential that may be deleted, with its owner, in the identifiers of the store.
    package struct Candidate: Hashable, Sendable {
        package let registration: RegistrationReference
        package let account: AccountReference
        package let id: CredentialID

        package init(registration: RegistrationReference, account: AccountReference, id: CredentialID) {
            self.registration = registration
            self.account = account
            self.id = id
        }
    }

    /// The credentials to delete, in the order they were given.
    package let deleted: [RegistrationReference]
    /// Request to send after the deletion; nil when nothing is deleted.
    package let request: DeregistrationRequest?

    /// Makes a plan for `account`.
    ///
    /// - Parameters:
    ///   - scope: The extent of the deletion.
    ///   - account: The owner of the credentials.
    ///   - candidates: The credentials in the store; credentials of other accounts are skipped.
    ///   - appID: The application that the keys were made for.
    ///   - spelling: The form in which the request names the keys.
    package init(
        _ scope: Scope, of account: AccountReference, among candidates: [Candidate], appID: AppID?,
        spelling: Spelling = .pairs
    ) {
        let chosen = candidates.filter { $0.account == account && scope.covers($0.id) }
        deleted = chosen.map(\.registration)
        guard !chosen.isEmpty else {
            request = nil
            return
        }
        request = DeregistrationRequest(
            header: OperationHeader(operation: .deregistration, appID: appID),
            authenticators: scope.entries(for: chosen.map(\.id), spelling: spelling))
    }
}

extension DeregistrationPlan.Scope {
    fileprivate func covers(_ id: CredentialID) -> Bool {
        switch self {
        case .everything: true
        case .models(let aaids): aaids.contains(id.aaid)
        case .credentials(let ids): ids.contains(id)
        }
    }

    /// An entry with an empty string has to be the only one (FIDO UAF Protocol 1.1, 3.6.2).
    fileprivate func entries(
        for ids: [CredentialID], spelling: DeregistrationPlan.Spelling
    ) -> [DeregisterAuthenticator] {
        switch (spelling, self) {
        case (.widest, .everything): return [.everything]
        case (.widest, .models(let aaids)):
            guard aaids.count == 1, let aaid = aaids.first else { break }
            return [.allKeys(of: aaid)]
        default: break
        }
        return ids.map { .key($0) }
    }
}
