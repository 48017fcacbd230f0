package import SwiftASN1
package import X509

/// Rules for the certificates of a path that issue others, where the library judges less than RFC 5280 (6.1.4, k, n).
///
/// The library takes any certificate of version 1 for an authority, and looks at no key usage.
package struct IssuerRules: VerifierPolicy {
    package let verifyingCriticalExtensions: [ASN1ObjectIdentifier]

    /// Takes the critical extensions that the caller judges itself.
    package init(judgedElsewhere extensions: [ASN1ObjectIdentifier] = []) {
        verifyingCriticalExtensions = extensions
    }

    package func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        // The last certificate is the root, which is trusted as it is.
        let isSound = chain.dropFirst().dropLast().allSatisfy(Self.mayIssue)
        return isSound ? .meetsPolicy : .failsToMeetPolicy(reason: "an issuer is no authority for certificates")
    }

    private static func mayIssue(_ certificate: Certificate) -> Bool {
        guard certificate.version == .v3 else { return false }
        do {
            return try certificate.extensions.keyUsage?.keyCertSign ?? true
        } catch {
            return false
        }
    }

    /// Whether the issuers in a list all have different names.
    ///
    /// The library looks for paths by name. It tries issuers that share a name in every order, with a signature for
    /// each step: thousands for seven certificates that any attacker can make.
    package static func haveDistinctNames(_ issuers: ArraySlice<Certificate>) -> Bool {
        Set(issuers.map(\.subject)).count == issuers.count
    }
}
