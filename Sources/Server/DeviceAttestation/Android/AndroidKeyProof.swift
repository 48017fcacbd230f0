import Crypto
package import FoundationEssentials
import Octets
import X509

/// Proof that the hardware of an Android device made a key and does not give it out.
package struct AndroidKeyProof: Hashable, Sendable {
    /// Numbers of the key store (KeyMint): algorithm EC, curve P-256, digest SHA-256.
    private enum Number {
        static let ellipticCurve = 3
        static let p256 = 1
        static let sha256 = 4
    }

    /// Place in which the key lies.
    package let securityLevel: AndroidSecurityLevel
    /// Packages that share the key; empty when the device names none.
    package let packages: Set<String>

    /// Verifies the certificates (DER) of a key, its own first ("Verifying hardware-backed key pairs with key
    /// attestation", Android).
    ///
    /// Everything that is judged has to stand among what the hardware vouches for, but for the application, which only
    /// the system knows. Throws ``AndroidRefusal``.
    package init(
        _ certificates: [[UInt8]], meeting requirement: AndroidRequirement, endingAt roots: TrustRoots, at time: Date
    ) async throws(AndroidRefusal) {
        let path: [Certificate]
        do throws(PathRefusal) {
            path = try await roots.path(of: certificates, at: time)
        } catch {
            throw .path(error)
        }
        guard path.allSatisfy({ !requirement.revokes($0.serialNumber) }) else { throw .revoked }
        let leaf = try Self.leaf(of: path)
        guard let value = leaf.extensions[oid: AndroidKeyDescription.identifier]?.value else {
            throw .extensionMissing
        }
        let description = try AndroidKeyDescription(value)
        if let challenge = requirement.challenge, description.challenge != challenge { throw .wrongChallenge }
        guard let key = P256.Signing.PublicKey(leaf.publicKey) else { throw .keyKind }
        guard key.x963Representation.elementsEqual(requirement.publicKey) else { throw .foreignKey }
        securityLevel = min(description.attestationLevel, description.keyLevel)
        guard securityLevel > .software, securityLevel >= requirement.securityLevel else { throw .securityLevel }
        try Self.requireKind(description.hardware)
        if requirement.challenge != nil { try Self.requireAccess(description) }
        try Self.requireDevice(description.hardware, requirement)
        let owner = try description.software.owner
        packages = owner?.packages ?? []
        try Self.requireOwner(owner, requirement)
    }

    /// The certificate of the key; no other may describe a key.
    private static func leaf(of path: [Certificate]) throws(AndroidRefusal) -> Certificate {
        guard let leaf = path.first else { throw .path(.malformed) }
        guard path.dropFirst().allSatisfy({ $0.extensions[oid: AndroidKeyDescription.identifier] == nil }) else {
            throw .extensionRepeated
        }
        return leaf
    }

    private static func requireKind(_ hardware: AndroidProperties) throws(AndroidRefusal) {
        guard try hardware.algorithm == Number.ellipticCurve, try hardware.keySize == 256,
            [nil, Number.p256].contains(try hardware.curve)
        else { throw .keyKind }
        guard try hardware.origin == AndroidProperties.generated else { throw .origin }
        guard try hardware.purposes == [AndroidProperties.sign] else { throw .purpose }
        guard try hardware.digests == [Number.sha256] else { throw .digest }
    }

    private static func requireAccess(_ description: AndroidKeyDescription) throws(AndroidRefusal) {
        let lists = [description.hardware, description.software]
        guard lists.allSatisfy({ !$0.needsNoAuthentication && !$0.isForAllApplications }) else { throw .access }
        // A key that says neither is usable without a user: key stores ask for a user only where one is bound to the
        // key.
        guard let ways = try description.hardware.userAuthentication, ways != 0 else { throw .access }
        for list in lists {
            if let seconds = try list.authenticationTimeout, seconds != 0 { throw .authenticationTimeout }
        }
    }

    private static func requireDevice(
        _ hardware: AndroidProperties, _ requirement: AndroidRequirement
    ) throws(AndroidRefusal) {
        guard !requirement.isRollbackResistanceRequired || hardware.isRollbackResistant else {
            throw .rollbackResistance
        }
        if requirement.isVerifiedBootRequired {
            guard let root = try hardware.rootOfTrust else { throw .rootOfTrustMissing }
            guard root.isVerified else { throw .bootState }
        }
        if let oldest = requirement.oldestPatchLevel {
            guard let level = try hardware.patchLevel, level >= oldest else { throw .patchLevel }
        }
    }

    private static func requireOwner(
        _ owner: AndroidApplication?, _ requirement: AndroidRequirement
    ) throws(AndroidRefusal) {
        guard !requirement.packages.isEmpty || !requirement.signers.isEmpty else { return }
        guard let owner, owner.meets(packages: requirement.packages, signers: requirement.signers) else {
            throw .foreignApplication
        }
    }
}

extension AndroidRequirement {
    /// Whether the list of revoked certificates has this number; lists leave zeros in front off.
    fileprivate func revokes(_ serial: Certificate.SerialNumber) -> Bool {
        let number = Self.digits(Hex.encode(serial.bytes))
        return revokedSerials.contains { Self.digits($0) == number }
    }

    private static func digits(_ text: String) -> String {
        String(text.lowercased().drop { $0 == "0" })
    }
}
