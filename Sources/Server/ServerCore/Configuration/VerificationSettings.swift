/// How strictly answers of phones are judged where the standard leaves a choice.
package struct VerificationSettings: Sendable, Hashable {
    /// What is demanded of the channel binding (FIDO UAF Protocol 1.1, 3.4.6.5).
    package enum ChannelBinding: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case ignored
        /// What a client states must be true; one that states nothing passes.
        case verified
        /// A client must state something, and it must be true.
        case required
    }

    /// What is demanded of the channel binding.
    package var channelBinding = ChannelBinding.ignored
    /// The certificates of all front ends that end TLS, also those about to replace others, as texts in PEM form.
    package var frontEndCertificates: [[UInt8]] = []
    /// Whether an authenticator below the version in its metadata is refused (status 1493) instead of logged.
    package var refusesOutdatedAuthenticators = false
    /// Registrations with a higher registration counter are refused (status 1492); nil refuses none.
    package var registrationCounterLimit: UInt32?

    /// The defaults.
    package init() {}
}
