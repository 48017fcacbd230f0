package import Crypto
package import StrictCBOR
import SwiftASN1
package import X509

/// Statements of App Attest by an authority of our own: every field can be given another value.
package struct SyntheticAppAttest: Sendable {
    package static let application = "TEAM123456.com.example.signet"

    /// The attested key.
    package let key = P256.Signing.PrivateKey()
    package var format = "apple-appattest"
    package var applicationDigest = Array(SHA256.hash(data: Array(SyntheticAppAttest.application.utf8)))
    package var flags: UInt8 = 0x40
    package var counter: UInt32 = 0
    package var aaguid = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
    /// Identifier of the key in the authenticator data; nil for the right one.
    package var credentialID: [UInt8]?
    /// Members of the key in the authenticator data that take the place of the right ones, by name.
    package var keyMembers: [Int64: CBORValue] = [:]
    package var authenticatorDataTrailing: [UInt8] = []
    /// Content of the extension with the nonce; nil for the right one.
    package var nonceExtension: [UInt8]?
    /// Whether the certificate has that extension.
    package var hasNonce = true
    package var wish = AttestationAuthority.Wish()
    /// Key in the certificate; nil for the attested one.
    package var certifiedKey: Certificate.PublicKey?
    /// Members that stand in the statement besides the right ones, or instead of them.
    package var members: [String: CBORValue] = [:]
    package var statementMembers: [String: CBORValue] = [:]

    /// A sound statement.
    package init() {}

    /// The identifier that the framework gives to the application.
    package var keyID: [UInt8] { Array(SHA256.hash(data: key.publicKey.x963Representation)) }

    /// Authenticator data of the new key.
    package var authenticatorData: [UInt8] {
        let point = Array(key.publicKey.x963Representation)
        var cose: [Int64: CBORValue] = [
            1: .integer(2), 3: .integer(-7), -1: .integer(1), -2: .bytes(Array(point[1..<33])),
            -3: .bytes(Array(point[33...])),
        ]
        cose.merge(keyMembers) { $1 }
        let map = CBORMap(cose.map { CBORMap.Member(.integer($0.key), $0.value) })
        let credentialID = credentialID ?? keyID
        return head(counter: counter) + aaguid + [UInt8(credentialID.count >> 8), UInt8(credentialID.count & 0xFF)]
            + credentialID + CBORWriter.write(.map(map)) + authenticatorDataTrailing
    }

    /// The statement, as the framework gives it to the application.
    package func attestation(clientDataHash: [UInt8], by authority: AttestationAuthority) throws -> [UInt8] {
        let nonce = Array(SHA256.hash(data: authenticatorData + clientDataHash))
        var wish = wish
        if hasNonce {
            let value = nonceExtension ?? [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + nonce
            wish.extensions.append(
                Certificate.Extension(oid: [1, 2, 840, 113635, 100, 8, 2], critical: false, value: value[...]))
        }
        let certificates = try authority.certificates(for: certifiedKey ?? .init(key.publicKey), wish)
        let statement: [String: CBORValue] = [
            "x5c": .array(certificates.map { .bytes($0) }), "receipt": .bytes([1, 2, 3]),
        ]
        return encoded([
            "fmt": .text(format), "attStmt": map(statement, statementMembers), "authData": .bytes(authenticatorData),
        ])
    }

    /// An assertion, as the framework gives it to the application.
    package func assertion(clientDataHash: [UInt8], counter: UInt32) throws -> [UInt8] {
        let state = head(counter: counter) + authenticatorDataTrailing
        let nonce = Array(SHA256.hash(data: state + clientDataHash))
        return encoded([
            "signature": .bytes(Array(try key.signature(for: nonce).derRepresentation)),
            "authenticatorData": .bytes(state),
        ])
    }

    private func head(counter: UInt32) -> [UInt8] {
        applicationDigest + [flags] + withUnsafeBytes(of: counter.bigEndian) { Array($0) }
    }

    private func encoded(_ sound: [String: CBORValue]) -> [UInt8] {
        CBORWriter.write(map(sound, members))
    }

    /// Members with the ones of a test; a null there takes a member away.
    private func map(_ sound: [String: CBORValue], _ others: [String: CBORValue]) -> CBORValue {
        let members = sound.merging(others) { $1 }.filter { $0.value != .null }
        return .map(CBORMap(members.map { CBORMap.Member(.text($0.key), $0.value) }))
    }
}
