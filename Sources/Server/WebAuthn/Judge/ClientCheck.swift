import Crypto
import Octets

/// Check of the client data: steps 5 to 12 of section 7.1, and 8 to 14 and 20 of section 7.2.
struct ClientCheck {
    let settings: PasskeySettings
    let challenge: [UInt8]
    let ceremony: PasskeyCeremony

    /// The SHA-256 of client data that belong to this ceremony.
    func digest(of octets: [UInt8]) throws(PasskeyRefusal) -> [UInt8] {
        let client = try CollectedClientData(octets)
        let type = ceremony == .registration ? "webauthn.create" : "webauthn.get"
        guard client.type.hasSameOctets(as: type) else { throw .type }
        guard client.challenge.hasSameOctets(as: Base64URL.encode(challenge)) else { throw .challenge }
        guard settings.takes(origin: client.origin) else { throw .origin }
        guard client.isCrossOrigin != true || settings.embedding != .forbidden else { throw .embedded }
        guard client.topOrigin.map(settings.embedding.takes(topOrigin:)) ?? true else { throw .topOrigin }
        return Array(SHA256.hash(data: octets))
    }
}
