package import SwiftASN1

/// Description of a key by the key store that holds it (KeyDescription of the extension 1.3.6.1.4.1.11129.2.1.17).
package struct AndroidKeyDescription {
    /// Identifier of the extension that holds it.
    package static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17]

    /// Schemas that are known: Keymaster 2 (1) to 4.1 (4), KeyMint 1 (100) to 4 (400).
    private static let versions: Set<Int> = [1, 2, 3, 4, 100, 200, 300, 400]

    /// Place in which the statement was made.
    let attestationLevel: AndroidSecurityLevel
    /// Place in which the key lies.
    let keyLevel: AndroidSecurityLevel
    let challenge: [UInt8]
    /// Properties that the operating system vouches for.
    let software: AndroidProperties
    /// Properties that the hardware vouches for.
    let hardware: AndroidProperties

    /// Reads the content of the extension; throws `malformed` or `unknownVersion`.
    package init(_ octets: ArraySlice<UInt8>) throws(AndroidRefusal) {
        var fields = try AndroidFields(sequence: octets)
        let version = try fields.readInteger()
        guard Self.versions.contains(version) else { throw .unknownVersion }
        attestationLevel = try Self.level(try fields.readInteger(.enumerated))
        _ = try fields.readInteger()
        keyLevel = try Self.level(try fields.readInteger(.enumerated))
        challenge = try fields.readOctets()
        // The unique identifier, which only system applications get.
        _ = try fields.readOctets()
        software = try AndroidProperties(try fields.next())
        hardware = try AndroidProperties(try fields.next())
        try fields.finish()
    }

    /// Requires a key that was made for this challenge, for signing alone and for one application (Web Authentication
    /// Level 3, section 8.4).
    ///
    /// With `inHardware` the hardware has to hold the key and to vouch for it. Without it a list that says nothing about
    /// origin or purpose is taken: then the statement says where the key comes from and no more. Throws
    /// ``AndroidRefusal``.
    package func requireSigningKey(for challenge: [UInt8], inHardware: Bool) throws(AndroidRefusal) {
        guard self.challenge == challenge else { throw .wrongChallenge }
        guard !hardware.isForAllApplications, !software.isForAllApplications else { throw .access }
        guard !inHardware || min(attestationLevel, keyLevel) > .software else { throw .securityLevel }
        for list in inHardware ? [hardware] : [hardware, software] {
            let (origin, purposes) = (try list.origin, try list.purposes)
            guard origin == AndroidProperties.generated || !inHardware && origin == nil else { throw .origin }
            guard purposes == [AndroidProperties.sign] || !inHardware && purposes == nil else { throw .purpose }
        }
    }

    private static func level(_ number: Int) throws(AndroidRefusal) -> AndroidSecurityLevel {
        guard let level = AndroidSecurityLevel(rawValue: number) else { throw .malformed }
        return level
    }
}
