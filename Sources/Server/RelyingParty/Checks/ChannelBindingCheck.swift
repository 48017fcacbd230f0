import UAF

/// Check 7: the channel binding is that of the connection, as far as the server verifies it.
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
