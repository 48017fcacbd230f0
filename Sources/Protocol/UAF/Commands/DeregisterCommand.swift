/// Asks an authenticator to delete keys (FIDO UAF Authenticator Commands 1.1, 6.4.1).
package struct DeregisterCommand: Hashable, Sendable {
    /// Index of the authenticator within its module.
    package var index: UInt8
    /// The application; needed for a roaming authenticator when no key is named.
    package var appID: AppID?
    /// The key, or nil for all keys of the application.
    package var keyID: KeyID?
    /// KHAccessToken of the keys, at most 32 bytes.
    package var accessToken: [UInt8]
    /// Extensions.
    package var extensions: [AssertionExtension] = []

    /// Makes a command without extensions.
    package init(index: UInt8, appID: AppID?, keyID: KeyID?, accessToken: [UInt8]) {
        self.index = index
        self.appID = appID
        self.keyID = keyID
        self.accessToken = accessToken
    }
}
