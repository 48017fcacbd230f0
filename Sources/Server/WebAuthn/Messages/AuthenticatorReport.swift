import Octets
import StrictCBOR

/// Authenticator data: what an authenticator says about a ceremony and signs (section 6.1).
package struct AuthenticatorReport: Hashable, Sendable {
    /// Flags of the ceremony; two bits are reserved and ignored.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package static let userPresent = Self(rawValue: 1 << 0)
        package static let userVerified = Self(rawValue: 1 << 2)
        package static let backupEligible = Self(rawValue: 1 << 3)
        package static let backedUp = Self(rawValue: 1 << 4)
        static let attestedCredential = Self(rawValue: 1 << 6)
        static let extensions = Self(rawValue: 1 << 7)

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }
    }

    /// New key (attested credential data, section 6.5.1).
    package struct Credential: Hashable, Sendable {
        package let model: AAGUID
        /// Identifier; its length is judged later.
        package let id: [UInt8]
        let key: CBORMap
        /// The key as it came (COSE_Key).
        let keyOctets: [UInt8]
    }

    private static let digestByteCount = 32

    /// The bytes that were read, as signatures cover them.
    let octets: [UInt8]
    /// SHA-256 of the RP ID.
    package let relyingPartyDigest: [UInt8]
    package let flags: Flags
    /// Counter of signatures; 0 when the authenticator does not count.
    package let signCounter: UInt32
    /// The new key; nil in an assertion.
    package let credential: Credential?

    /// Reads authenticator data that fill the bytes; throws ``PasskeyRefusal/authenticatorData``.
    ///
    /// Extensions of the authenticator are read and ignored: none is asked for.
    package init(_ octets: [UInt8]) throws(PasskeyRefusal) {
        var reader = OctetReader(octets)
        guard let digest = try? reader.read(count: Self.digestByteCount), let bits = try? reader.readUInt8(),
            let counter = try? reader.readUInt32BigEndian()
        else { throw .authenticatorData }
        let flags = Flags(rawValue: bits)
        var rest = reader.rest
        credential = flags.contains(.attestedCredential) ? try Self.credential(in: &rest) : nil
        if flags.contains(.extensions) { _ = try Self.map(in: &rest) }
        guard rest.isEmpty else { throw .authenticatorData }
        self.octets = octets
        relyingPartyDigest = Array(digest)
        self.flags = flags
        signCounter = counter
    }

    private static func credential(in rest: inout ArraySlice<UInt8>) throws(PasskeyRefusal) -> Credential {
        var reader = OctetReader(rest)
        guard let octets = try? reader.read(count: AAGUID.byteCount), let model = AAGUID(octets: octets),
            let high = try? reader.readUInt8(), let low = try? reader.readUInt8(),
            let id = try? reader.read(count: Int(high) << 8 | Int(low))
        else { throw .authenticatorData }
        let key = reader.rest
        rest = key
        let map = try map(in: &rest)
        return Credential(model: model, id: Array(id), key: map, keyOctets: Array(key.dropLast(rest.count)))
    }

    private static func map(in rest: inout ArraySlice<UInt8>) throws(PasskeyRefusal) -> CBORMap {
        guard let (value, remainder) = try? CBORParser.parsePrefix(of: rest), let map = value.map else {
            throw .authenticatorData
        }
        rest = remainder
        return map
    }
}
