import Octets
import StrictCBOR

/// Authenticator data of Web Authentication (section 6.1), as App Attest uses it.
package struct AuthenticatorData {
    /// Key that the statement is about (section 6.5.1).
    struct Credential {
        let aaguid: [UInt8]
        let keyID: [UInt8]
        /// The point, uncompressed (65 bytes, X9.63).
        let point: [UInt8]
    }

    /// Flags of the octet after the digest of the application.
    private enum Flag {
        static let attestedCredential: UInt8 = 1 << 6
        static let extensions: UInt8 = 1 << 7
    }

    private static let digestByteCount = 32
    private static let aaguidByteCount = 16
    private static let coordinateByteCount = 32
    /// COSE: kty is EC2, alg ES256, crv P-256 (RFC 9052, section 7).
    private static let keyMembers: [(name: Int64, value: Int64)] = [(1, 2), (3, -7), (-1, 1)]
    private static let xName: Int64 = -2
    private static let yName: Int64 = -3

    /// SHA-256 of the application's identifier: team, a full stop, bundle.
    let applicationDigest: [UInt8]
    let counter: UInt32
    /// The key; nil in an assertion.
    let credential: Credential?

    /// Reads the authenticator data of an attestation, which holds a key; throws `authenticatorData`.
    package init(attestation octets: [UInt8]) throws(AppAttestRefusal) {
        var reader = OctetReader(octets)
        let flags: UInt8
        (applicationDigest, flags, counter) = try Self.head(&reader)
        guard flags & Flag.attestedCredential != 0, flags & Flag.extensions == 0,
            let aaguid = try? reader.read(count: Self.aaguidByteCount),
            let high = try? reader.readUInt8(), let low = try? reader.readUInt8(),
            let keyID = try? reader.read(count: Int(high) << 8 | Int(low)),
            let key = try? CBORParser.parse(reader.rest).map
        else { throw .authenticatorData }
        credential = Credential(aaguid: Array(aaguid), keyID: Array(keyID), point: try Self.point(of: key))
    }

    /// Reads the authenticator data of an assertion, which ends with the counter; throws `authenticatorData`.
    ///
    /// Its flags say nothing: Apple sets the one of a credential that is not there.
    package init(assertion octets: [UInt8]) throws(AppAttestRefusal) {
        var reader = OctetReader(octets)
        (applicationDigest, _, counter) = try Self.head(&reader)
        guard reader.isAtEnd else { throw .authenticatorData }
        credential = nil
    }

    private static func head(
        _ reader: inout OctetReader
    ) throws(AppAttestRefusal) -> (digest: [UInt8], flags: UInt8, counter: UInt32) {
        guard let digest = try? reader.read(count: digestByteCount), let flags = try? reader.readUInt8(),
            let counter = try? reader.readUInt32BigEndian()
        else { throw .authenticatorData }
        return (Array(digest), flags, counter)
    }

    private static func point(of key: CBORMap) throws(AppAttestRefusal) -> [UInt8] {
        guard key.members.count == keyMembers.count + 2,
            keyMembers.allSatisfy({ key[number: $0.name]?.integer == $0.value }),
            let x = key[number: xName]?.octets, x.count == coordinateByteCount,
            let y = key[number: yName]?.octets, y.count == coordinateByteCount
        else { throw .authenticatorData }
        return [4] + x + y
    }
}
