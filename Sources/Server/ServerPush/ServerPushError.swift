/// Failure to set up the dispatcher for push messages: correct the configuration.
@nonexhaustive
package enum ServerPushError: Error, Hashable, Sendable {
    /// Problem of the file of a service account.
    @nonexhaustive
    package enum AccountProblem: Hashable, Sendable {
        /// It is no JSON document of a plausible size, or names a member twice.
        case malformed
        /// The member is absent or has not the form it must have.
        case member(name: String)
        /// The private key is no RSA key of 2048 to 4096 bits in PEM form.
        case privateKey
    }

    case unusableServiceAccount(AccountProblem)
    /// The address of the service, of its tokens or of the proxy is no `https` origin or URL of a plausible form.
    case unusableAddress
    /// The additional issuers of certificates cannot be read.
    case unusableCertificates
}
