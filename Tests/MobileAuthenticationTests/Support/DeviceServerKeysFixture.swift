import Crypto

@testable import MobileAuthentication
@testable import UAFClient

/// Public keys of a device whose private ones do not exist.
enum DeviceServerKeysFixture {
    static func make(_ server: ServerAddress) throws -> DeviceServerKeys {
        DeviceServerKeys(
            server: server, signing: Array(P256.Signing.PrivateKey().publicKey.x963Representation),
            agreement: Array(P256.KeyAgreement.PrivateKey().publicKey.x963Representation))
    }
}
