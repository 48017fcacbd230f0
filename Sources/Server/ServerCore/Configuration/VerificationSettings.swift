/// Strictness with which answers of phones are judged where the standard leaves a choice.
///
/// The defaults forgive what is no proof of an attack: a client that states no channel may be an old one, and an
/// authenticator that is older than its metadata still signs with the key of its user. An operator without such phones
/// demands more.
package struct VerificationSettings: Sendable, Hashable {
    /// Rule for what a client states of the connection: the channel binding (FIDO UAF Protocol 1.1, 3.4.6.5), and the
    /// server binding, an addition of this project.
    package enum ChannelBinding: String, Sendable, Hashable, CaseIterable {
        case ignored
        /// Values that a client states must be true, as far as the server knows what is true; a client that states none
        /// passes.
        case verified
        /// A client must state something, and it must be true.
        case required
    }

    package var serverBinding = ChannelBinding.verified
    /// Further origins under which clients reach the server, beside the public one.
    package var additionalOrigins: [String] = []
    package var channelBinding = ChannelBinding.verified
    /// Whether an authenticator below the version in its metadata is refused (status 1493) instead of logged.
    package var refusesOutdatedAuthenticators = false
    /// Registrations with a higher registration counter are refused (status 1492); nil refuses none.
    ///
    /// An authenticator counts how often it was registered anywhere; a phone that is passed on or tried out counts,
    /// too.
    package var registrationCounterLimit: UInt32?

    package init() {}
}
