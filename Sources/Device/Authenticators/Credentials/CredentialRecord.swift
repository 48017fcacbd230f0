import HardwareKeys
import Octets
import UAF

/// Stored form of a credential, with the parts that never leave this module.
struct CredentialRecord: Hashable, Sendable {
    var credential: Credential
    /// KHAccessToken that a caller has to present to use the key.
    let accessToken: KeyAccessToken
    let key: KeyReference
    var protection: CredentialProtection

    /// PIN or password; nil for a key that the operating system verifies the user for.
    var secretLock: SecretLock? {
        guard case .secret(let lock) = protection else { return nil }
        return lock
    }

    /// Gate of the operating system; nil for a key behind a PIN or password.
    var presenceLock: PresenceLock? {
        guard case .presence(let lock) = protection else { return nil }
        return lock
    }
}

extension CredentialRecord {
    private static let serverMark: UInt8 = 8

    /// Appends the credential: model, KeyID, user, server, application, public key, algorithm, options with 8 for a key
    /// that states the server, time, state, access token, key, then what protects it.
    func write(to writer: inout OctetWriter) {
        writer.write(credential.id.aaid.text.utf8)
        writer.writeCounted(credential.id.keyID.octets)
        writer.writeCounted(Array(credential.owner.user.text.utf8))
        writer.writeCounted(Array(credential.owner.server.utf8))
        writer.writeCounted(Array(credential.appID.text.utf8))
        writer.writeCounted(credential.publicKey)
        writer.writeUInt16LittleEndian(credential.algorithm.rawValue)
        writer.writeUInt8(credential.options.bits | (credential.statesServer ? Self.serverMark : 0))
        writer.writeInt64LittleEndian(credential.created)
        writer.writeUInt8(credential.state.number)
        writer.write(accessToken.octets)
        writer.write(key.bytes)
        protection.write(to: &writer)
    }

    init(from reader: inout OctetReader) throws {
        let aaid = AAID(octets: try reader.read(count: AAID.characterCount))
        let keyID = KeyID(try reader.readCounted())
        let user = UserName(try reader.readText())
        let server = try reader.readText()
        let appID = AppID(try reader.readText())
        let publicKey = try reader.readCounted()
        let algorithm = AuthenticationAlgorithm(rawValue: try reader.readUInt16LittleEndian())
        let marks = try reader.readUInt8()
        let options = VerificationOptions(bits: marks & ~Self.serverMark)
        let created = try reader.readInt64LittleEndian()
        let state = CredentialState(number: try reader.readUInt8())
        let token = KeyAccessToken(Array(try reader.read(count: KeyAccessToken.byteCount)))
        let key = KeyReference(bytes: Array(try reader.read(count: KeyReference.byteCount)))
        guard let aaid, let keyID, let user, let appID, let options, let state, let key else {
            throw CredentialStoreError.damaged
        }
        var credential = Credential(
            id: CredentialID(aaid: aaid, keyID: keyID), owner: CredentialOwner(user: user, server: server),
            appID: appID, publicKey: publicKey, created: created, state: state)
        credential.algorithm = algorithm
        credential.options = options
        credential.statesServer = marks & Self.serverMark != 0
        self.init(
            credential: credential, accessToken: token, key: key, protection: try CredentialProtection(from: &reader))
    }
}

extension CredentialState {
    fileprivate var number: UInt8 {
        switch self {
        case .pending: 0
        case .active: 1
        case .unusable: 2
        }
    }

    fileprivate init?(number: UInt8) {
        switch number {
        case 0: self = .pending
        case 1: self = .active
        case 2: self = .unusable
        default: return nil
        }
    }
}

extension OctetReader {
    /// Takes a number of bytes, then so many bytes of UTF-8.
    fileprivate mutating func readText() throws -> String {
        guard let text = String(validUTF8: try readCounted()) else {
            throw CredentialStoreError.damaged
        }
        return text
    }
}
