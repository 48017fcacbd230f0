/// What a server demands of the channel binding in the final challenge parameters.
///
/// FIDO UAF Protocol 1.1, 3.4.6.5. A difference is a signal, not always an attack: proxies that inspect TLS cause it too.
package enum ChannelBindingRule: Hashable, Sendable {
    /// Nothing: any binding passes.
    case ignored
    /// What the client states must be true of the connection's front end; a client that states nothing passes.
    case verifiedWhenStated(TLSFrontEnd)
    /// The client must state something that can be verified, and it must be true.
    case required(TLSFrontEnd)
}
