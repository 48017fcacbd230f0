import UAF

/// Reader of assertions: base64url of the right TLV structure with every mandatory field.
///
/// A fault concerns one assertion only, so it is kept beside the others instead of being thrown.
enum AssertionReader {
    static func read(
        _ entry: AuthenticatorRegistrationAssertion, profile: VerificationProfile
    ) -> Result<RegistrationAssertion, RefusalReason> {
        read(entry.scheme) { () throws(MessageError) in
            try entry.octets(rules: profile.decoding)
        } parse: { octets throws(TLVError) in
            try RegistrationAssertion(octets: octets)
        }
    }

    static func read(
        _ entry: AuthenticatorSignAssertion, profile: VerificationProfile
    ) -> Result<AuthenticationAssertion, RefusalReason> {
        read(entry.scheme) { () throws(MessageError) in
            try entry.octets(rules: profile.decoding)
        } parse: { octets throws(TLVError) in
            try AuthenticationAssertion(octets: octets)
        }
    }

    private static func read<Assertion>(
        _ scheme: AssertionScheme, octets: () throws(MessageError) -> [UInt8],
        parse: ([UInt8]) throws(TLVError) -> Assertion
    ) -> Result<Assertion, RefusalReason> {
        guard scheme == .uafV1TLV else { return .failure(.assertionScheme) }
        guard let octets = try? octets() else { return .failure(.assertionEncoding(nil)) }
        do throws(TLVError) {
            return .success(try parse(octets))
        } catch {
            return .failure(.assertionEncoding(error))
        }
    }
}

/// Limit on the number of assertions: no more than any policy can ask for.
///
/// Every assertion costs a look-up and a signature verification, so an endless list would be a cheap attack. They are
/// counted before anything else is done with them.
enum AssertionCountCheck {
    private static let limit = 16

    static func require(_ count: Int) throws(RefusalReason) {
        guard count <= limit else { throw .tooManyAssertions }
    }
}
