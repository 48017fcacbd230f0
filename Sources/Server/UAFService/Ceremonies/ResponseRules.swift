import RelyingParty
import ServerCore
import UAF

/// Rules by which responses are verified, beside the models and applications that are accepted at the time.
struct ResponseRules: Sendable {
    private let profile: VerificationProfile
    private let channelBinding: VerificationSettings.ChannelBinding
    private let frontEnds: KnownFrontEnds
    private let serverBinding: ServerBindingRule
    private let attestationKeys: any KeyAttestationReader

    /// Takes what `settings` say; the channel binding is judged by what `frontEnds` knows at the time, evidence of
    /// chips by the proofs that `attestationKeys` reads.
    init(
        settings: ServerSettings, frontEnds: KnownFrontEnds, attestationKeys: any KeyAttestationReader
    ) {
        let verification = settings.uaf.verification
        var profile = settings.conformance ? VerificationProfile.conformance : .product
        profile.refusesOutdatedAuthenticators = verification.refusesOutdatedAuthenticators
        profile.registrationCounterLimit = verification.registrationCounterLimit
        self.profile = profile
        channelBinding = verification.channelBinding
        self.frontEnds = frontEnds
        serverBinding = verification.serverBindingRule(publicOrigin: settings.outOfBand.origin)
        self.attestationKeys = attestationKeys
    }

    func settings(_ acceptance: Acceptance) -> RelyingPartySettings {
        var settings = RelyingPartySettings(models: acceptance.models, facets: acceptance.trustedFacets)
        settings.profile = profile
        settings.channelBinding = channelBinding.rule(knowing: frontEnds.known)
        settings.serverBinding = serverBinding
        settings.attestationKeys = attestationKeys
        return settings
    }
}

extension VerificationSettings {
    fileprivate func serverBindingRule(publicOrigin: String) -> ServerBindingRule {
        let origins = Set((additionalOrigins + [publicOrigin]).compactMap(ServerBinding.origin(of:)))
        return switch serverBinding {
        case .ignored: .ignored
        case .verified: .verifiedWhenStated(origins)
        case .required: .required(origins)
        }
    }
}
