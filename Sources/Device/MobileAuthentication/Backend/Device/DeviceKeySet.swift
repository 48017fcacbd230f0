import JOSE

/// The public keys of this installation for a server, as servers read them.
struct DeviceKeySet: Sendable {
    /// Verifies what the device signs.
    let signing: JWK
    /// Encrypts to the device.
    let agreement: JWK

    init(_ keys: DeviceServerKeys) throws(CeremonyFailure) {
        do throws(JOSEError) {
            signing = try JWK(verifying: JWK.Material(p256Point: keys.signing))
            agreement = try JWK(encrypting: JWK.Material(p256Point: keys.agreement))
        } catch {
            throw .device(error)
        }
    }
}

extension DeviceServerKeys {
    /// The identifier by which a payload names the key that opens it (RFC 7638); nil for a point that is none.
    var agreementThumbprint: String? {
        (try? DeviceKeySet(self)).map { JWKThumbprint(of: $0.agreement).text }
    }
}
