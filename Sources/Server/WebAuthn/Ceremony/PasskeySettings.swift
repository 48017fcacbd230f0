package import DeviceAttestation
import Octets

/// Settings by which every answer with a passkey is judged; made once for each load of the configuration.
package struct PasskeySettings: Sendable {
    /// The domain that credentials belong to (RP ID), for example `example.org`.
    package var relyingPartyID: String
    /// Name of the relying party, for people.
    package var name: String
    /// Origins of pages and applications that may answer, as clients write them: `https://login.example.org`.
    package var origins: Set<String>
    package var embedding: Embedding = .forbidden
    /// Algorithms of keys that are taken, the preferred first.
    package var algorithms: [COSEAlgorithm] = COSEAlgorithm.allCases
    package var attestation = AttestationPolicy()
    /// Whether keys that can leave their device are taken (backup eligibility).
    package var takesSyncedKeys = true

    package init(relyingPartyID: String, name: String, origins: Set<String>) {
        self.relyingPartyID = relyingPartyID
        self.name = name
        self.origins = origins
    }

    /// Pages of other origins that may hold the page of the relying party in a frame.
    package enum Embedding: Hashable, Sendable {
        case forbidden
        /// Within pages of these origins. Clients before Level 3 do not say in which; they are taken.
        case within(Set<String>)

        func takes(topOrigin origin: String) -> Bool {
            guard case .within(let origins) = self else { return false }
            return origins.contains { $0.hasSameOctets(as: origin) }
        }
    }

    func takes(origin: String) -> Bool { origins.contains { $0.hasSameOctets(as: origin) } }
}

/// Choices about attestation that the standard leaves to the relying party (section 7.1, steps 21 to 24).
package struct AttestationPolicy: Sendable, Hashable {
    /// Whether a key is taken that nothing is said about (format `none`).
    package var takesNone = true
    /// Whether a key is taken that speaks for itself alone.
    package var takesSelf = true
    /// Whether a statement of an unknown format counts as none.
    package var takesUnknownFormats = false
    /// Whether a statement counts as self attestation when it is sound, but its certificates end at no root.
    package var takesUnknownRoots = false
    /// Whether Android's hardware has to vouch for keys with the format `android-key`.
    package var requiresAndroidHardware = true
    /// Roots for models that ``models`` does not know; nil for none.
    package var roots: TrustRoots?
    /// Models by their identifier, as metadata describe them.
    package var models: [AAGUID: PasskeyModel] = [:]

    package init() {}

    /// Whether certificates of some maker are known: without them no statement is asked for.
    var hasRoots: Bool { roots != nil || !models.isEmpty }
}

/// Model of an authenticator, as metadata describe it.
package struct PasskeyModel: Hashable, Sendable {
    package let name: String
    package let roots: TrustRoots
    /// Whether its status makes it unacceptable.
    package let isRevoked: Bool

    package init(name: String, roots: TrustRoots, isRevoked: Bool) {
        self.name = name
        self.roots = roots
        self.isRevoked = isRevoked
    }
}
