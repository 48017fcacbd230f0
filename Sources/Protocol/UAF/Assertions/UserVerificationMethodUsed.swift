import Octets

/// What the extension `fido.uaf.uvm` tells: which user verification method was really used.
///
/// Data of the extension: 8 bytes, little-endian: user verification, key protection, matcher protection.
public struct UserVerificationMethodUsed: Hashable, Sendable {
    /// The method.
    public let userVerification: UserVerification
    /// How the key was protected.
    public let keyProtection: KeyProtection
    /// How the matcher was protected.
    public let matcherProtection: MatcherProtection

    /// States the method.
    public init(
        userVerification: UserVerification, keyProtection: KeyProtection, matcherProtection: MatcherProtection
    ) {
        self.userVerification = userVerification
        self.keyProtection = keyProtection
        self.matcherProtection = matcherProtection
    }

    /// Reads the data of the extension; nil unless they are exactly 8 bytes.
    public init?(data: [UInt8]) {
        var reader = OctetReader(data)
        do throws(OctetError) {
            self.init(
                userVerification: UserVerification(rawValue: try reader.readUInt32LittleEndian()),
                keyProtection: KeyProtection(rawValue: try reader.readUInt16LittleEndian()),
                matcherProtection: MatcherProtection(rawValue: try reader.readUInt16LittleEndian()))
            try reader.finish()
        } catch {
            return nil
        }
    }

    /// The data of the extension.
    public var data: [UInt8] {
        var writer = OctetWriter(capacity: 8)
        writer.writeUInt32LittleEndian(userVerification.rawValue)
        writer.writeUInt16LittleEndian(keyProtection.rawValue)
        writer.writeUInt16LittleEndian(matcherProtection.rawValue)
        return writer.bytes
    }
}
