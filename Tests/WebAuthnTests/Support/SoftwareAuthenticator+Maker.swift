import StrictCBOR
import TestSupport
import WebAuthn

extension SoftwareAuthenticator {
    /// An answer with a new key and the statement of a maker; nil: without one, or of the key itself.
    func registration(
        _ offer: CreationOffer, _ format: AttestationFormat, by maker: SoftwareMaker?
    ) throws -> MadeRegistration {
        try registration(
            offer, format,
            stating: maker.map { maker in { signed in try maker.statement(format, of: self, signed) } })
    }
}
