/// A registration request that the server sent, and for whom.
package struct RegistrationOffer: Hashable, Sendable {
    /// The request.
    package let request: SentRequest
    /// Who gets the new credentials.
    package let account: AccountReference

    /// Describes a request.
    package init(request: SentRequest, account: AccountReference) {
        self.request = request
        self.account = account
    }
}
