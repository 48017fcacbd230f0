import UAF

/// Check of the channel binding against the connection, as far as the server verifies it.
///
/// `tlsUnique` is deprecated and ignored; TLS ChannelID is offered by no server of ours, so `cid_pubkey` says nothing.
enum ChannelBindingCheck {
    static func require(_ binding: ChannelBinding, rule: ChannelBindingRule) throws(RefusalReason) {
        let frontEnd: TLSFrontEnd
        let mustBeStated: Bool
        switch rule {
        case .ignored: return
        case .verifiedWhenStated(let end): (frontEnd, mustBeStated) = (end, false)
        case .required(let end): (frontEnd, mustBeStated) = (end, true)
        }
        if let stated = binding.serverEndPoint, !frontEnd.endPoints.contains(stated) { throw .channelBinding }
        if let stated = binding.tlsServerCertificate, !frontEnd.certificates.contains(stated) { throw .channelBinding }
        let isStated = binding.serverEndPoint != nil || binding.tlsServerCertificate != nil
        guard isStated || !mustBeStated else { throw .channelBinding }
    }
}

/// Rule for the channel binding in the final challenge parameters.
///
/// FIDO UAF Protocol 1.1, 3.4.6.5. A difference is a signal, not always an attack: proxies that inspect TLS cause it too.
package enum ChannelBindingRule: Hashable, Sendable {
    /// Nothing: any binding passes.
    case ignored
    /// Values that the client states must be true of the connection's front end; a client that states none passes.
    case verifiedWhenStated(TLSFrontEnd)
    /// The client must state something that can be verified, and it must be true.
    case required(TLSFrontEnd)
}
