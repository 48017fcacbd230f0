import Crypto
package import Octets

/// Content of a key handle before it is wrapped: it must never leave the authenticator as it is.
///
/// FIDO UAF Authenticator Commands 1.1, 5.1: access token (32 bytes), private key, size of the user name (1 byte), user
/// name, and after it the KeyID when that is random. A second factor authenticator leaves the user name empty.
package struct RawKeyHandle: ~Copyable {
    /// Length of the access token in bytes.
    package static let accessTokenByteCount = 32

    /// KHAccessToken that opens the handle.
    package let accessToken: [UInt8]
    /// The private key.
    package let privateKey: SecretOctets
    /// Name of the account in UTF-8, at most 128 bytes.
    package let username: [UInt8]
    /// The key's identifier when it is not the handle itself.
    package let keyID: KeyID?

    /// Creates a handle; nil when the token is not 32 bytes long or the name too long.
    package init?(accessToken: [UInt8], privateKey: consuming SecretOctets, username: [UInt8], keyID: KeyID?) {
        guard accessToken.count == Self.accessTokenByteCount, username.count <= 128 else { return nil }
        self.accessToken = accessToken
        self.privateKey = privateKey
        self.username = username
        self.keyID = keyID
    }

    /// Reads a handle whose private key has `privateKeyByteCount` bytes; nil when its parts do not fit together.
    package init?(_ octets: borrowing SecretOctets, privateKeyByteCount: Int) {
        var copy = unsafe octets.withUnsafeBytes { unsafe Array($0) }
        defer { SecretOctets.wipe(&copy) }
        var reader = OctetReader(copy)
        guard let token = try? reader.read(count: Self.accessTokenByteCount),
            let key = try? reader.read(count: privateKeyByteCount), let size = try? reader.readUInt8(),
            size <= 128, let username = try? reader.read(count: Int(size))
        else { return nil }
        let rest = reader.readRest()
        guard rest.isEmpty || KeyID(rest) != nil else { return nil }
        self.init(
            accessToken: Array(token), privateKey: SecretOctets(copying: key), username: Array(username),
            keyID: KeyID(rest))
    }

    /// The bytes to wrap.
    package borrowing func encoded() -> SecretOctets {
        var octets = accessToken
        unsafe privateKey.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
        octets.append(UInt8(truncatingIfNeeded: username.count))
        octets.append(contentsOf: username)
        octets.append(contentsOf: keyID?.octets ?? [])
        defer { SecretOctets.wipe(&octets) }
        return SecretOctets(copying: octets)
    }
}

/// Access token that is bound to a key handle and required for its use.
///
/// FIDO UAF ASM API 1.1, 3.3 (`KHAccessToken`). Parts are joined without separators, as the specification has it; the
/// secret token of fixed length in the middle keeps others from shifting the borders.
package enum KeyHandleAccessToken {
    /// For an authenticator that is part of the device.
    ///
    /// `asmToken` is 32 random bytes made at first start; `personaID` names the user of the operating system and may be
    /// empty; `callerID` is the platform's identity of the client.
    package static func bound(appID: AppID, asmToken: [UInt8], personaID: String, callerID: String) -> [UInt8] {
        hash(Array(appID.text.utf8) + asmToken + Array(personaID.utf8) + Array(callerID.utf8))
    }

    /// For an authenticator that moves between devices.
    package static func roaming(appID: AppID) -> [UInt8] {
        hash(Array(appID.text.utf8))
    }

    /// Token mixed with the AppID by an authenticator that can show the AppID itself.
    package static func mixed(_ token: [UInt8], with appID: AppID) -> [UInt8] {
        hash(token + Array(appID.text.utf8))
    }

    private static func hash(_ octets: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: octets))
    }
}
