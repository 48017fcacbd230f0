import Crypto

/// What a key handle can only be used with.
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

    /// What an authenticator makes of a token when it can show the AppID itself.
    package static func mixed(_ token: [UInt8], with appID: AppID) -> [UInt8] {
        hash(token + Array(appID.text.utf8))
    }

    private static func hash(_ octets: [UInt8]) -> [UInt8] {
        Array(SHA256.hash(data: octets))
    }
}
