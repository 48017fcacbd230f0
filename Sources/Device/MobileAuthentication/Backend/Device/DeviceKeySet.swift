import BackendAPI
import Foundation
import HardwareKeys
import JOSE
import Octets
import UAFClient

/// Public keys of this installation for a server, as JSON Web Keys.
struct DeviceKeySet: Sendable {
    /// Key that verifies signatures of the device.
    let signing: JWK
    /// Key agreement key that encrypts to the device.
    let agreement: JWK

    init(_ keys: DeviceServerKeys) throws(CeremonyFailure) {
        do throws(JOSEError) {
            try self.init(signing: keys.signing, agreement: keys.agreement)
        } catch {
            throw .device(error)
        }
    }

    /// Takes points on P-256 (X9.63, 65 bytes); throws for one that is none.
    fileprivate init(signing: [UInt8], agreement: [UInt8]) throws(JOSEError) {
        self.signing = try JWK(verifying: JWK.Material(p256Point: signing))
        self.agreement = try JWK(encrypting: JWK.Material(p256Point: agreement))
    }
}

extension DeviceServerKeys {
    /// The keys for a server, with the thumbprint by which a payload names the one that opens it (RFC 7638).
    init(server: ServerAddress, signing: [UInt8], agreement: [UInt8]) {
        let keys = try? DeviceKeySet(signing: signing, agreement: agreement)
        self.init(
            server: server, signing: signing, agreement: agreement,
            agreementThumbprint: keys.map { JWKThumbprint(of: $0.agreement).text })
    }
}

/// Signature of requests to a server: compact JWS with ES256 by the device's key in the vault.
struct DeviceSignature: Sendable {
    let environment: ClientEnvironment
    let server: ServerAddress

    /// Claims of a request: signing record, method, audience and time, with a fresh identifier so that no two are the
    /// same.
    func claims(of targetID: String, for method: Endpoint.Method, at audience: String) -> DeviceClaims {
        let (milliseconds, isOver) = environment.civilClock.secondsSince1970.multipliedReportingOverflow(by: 1000)
        return DeviceClaims(
            dispatchTargetID: targetID, requestID: Base64URL.encode(FreshOctets.make(count: 16)),
            creationTime: isOver ? .max : milliseconds, audience: audience, method: method)
    }

    /// The signed payload in compact serialization.
    func sign(_ payload: some MessageBody, keyID: String?) async throws(CeremonyFailure) -> String {
        let unsigned = UnsignedJWS(header: JOSEHeader(algorithm: .es256, keyID: keyID), payload: payload.body)
        return unsigned.signed(with: try await environment.store.signForDevice(unsigned.signingInput, at: server))
    }
}

extension BackendResource {
    /// Audience of signed requests: the address without a trailing slash.
    ///
    /// Servers accept every path with and without it.
    func audience() throws(CeremonyFailure) -> String {
        let url: URL
        do throws(InsecureAddressError) {
            url = try self.url()
        } catch {
            throw .network(error)
        }
        var text = url.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

/// Decryption of messages to this device; the key agreement takes place in the key vault.
struct DeviceMessageOpener: Sendable {
    let store: any AuthenticatorStore

    /// The plaintext, and the server whose key opened it.
    ///
    /// Throws ``CeremonyFailure/device(_:)`` with a `JOSEError` when none of the keys opens it.
    func open(
        _ token: CompactJWE, withKeysFor servers: [ServerAddress]
    ) async throws(CeremonyFailure) -> (plaintext: [UInt8], server: ServerAddress) {
        for server in servers {
            let agreed = try await store.agree(with: token.ephemeralKey, at: server)
            let plaintext = agreed.withUnsafeBytes { secret in
                try? token.open(agreedSecret: SecretOctets(copying: secret))
            }
            if let plaintext { return (plaintext, server) }
        }
        throw .device(JOSEError.undecryptable)
    }
}
