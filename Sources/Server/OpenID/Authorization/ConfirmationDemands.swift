import Octets
import ServerCore
import UAF

extension AuthorizationParameters {
    /// Refusal of a confirmation that does not answer this request; nil when it does.
    ///
    /// `id_token_hint` names a user: the confirmation of another one is no answer (OpenID Connect Core 1.0, 3.1.2.1). A
    /// hint that is no ID token of ours, or so old that its key is gone, names no user. The known values of
    /// `acr_values` are enforced although the standard makes them a wish: a site that asks for a chip gets no weaker
    /// key.
    func refusal(of confirmation: Confirmation) -> OpenIDRefusal? {
        if let hintedSubject, !hintedSubject.isEmpty,
            !hintedSubject.hasSameOctets(as: confirmation.user.externalID.text)
        {
            return OpenIDRefusal(.loginRequired, cause: "id_token_hint names a user, and another one has confirmed")
        }
        if let least = assurance.min(), confirmation.assurance < least {
            return OpenIDRefusal(
                .unmetAuthenticationRequirements, cause: "the phone's key is weaker than acr_values asks for")
        }
        return nil
    }
}
