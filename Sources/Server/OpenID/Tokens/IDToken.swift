import Crypto
import JOSE
import Octets
import ServerCore
import StrictJSON
import UAF

/// Statement to a client that a user has signed in (OpenID Connect Core 1.0, 2).
struct IDToken: Sendable {
    static let type = "JWT"
    /// Methods (RFC 8176): a key of FIDO UAF on another device, or a passkey in hardware or in software; the user was verified.
    private var methods: [String] {
        let key =
            switch grant.assurance {
            case .syncedPasskey: "swk"
            case .passkey: "hwk"
            case .key, .chip, .chipWithPIN: "fido-uaf"
            }
        return [key, "user", "mfa"]
    }

    let grant: Grant
    let person: UserClaims
    let accessToken: Sensitive<String>
    let scopes: Set<ScopeName>
    /// `nonce` of the request; nil for a token that a refresh token was exchanged for.
    var nonce: String?
    var receipt: String?
    /// `auth_req_id` of push delivery (CIBA Core 1.0, 10.3.1), with the refresh token of the same answer.
    var push: (requestID: String, refreshToken: Sensitive<String>?)?

    func claims(issuer: String, at now: Timestamp, lifetime: Duration) throws(ServerError) -> JWTClaims {
        var members: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(person.user.externalID.text),
            "aud": .string(grant.client.text),
            "azp": .string(grant.client.text),
            "iat": .integer(now.seconds),
            "exp": .integer((now + lifetime).seconds),
            "auth_time": .integer(grant.authenticatedAt.seconds),
            "nonce": nonce.map { .string($0) },
            "acr": .string(grant.assurance.rawValue),
            "amr": .array(methods.map { .string($0) }),
            "sid": grant.session.map { .string($0.text) },
            "at_hash": .string(Self.leftHalf(accessToken)),
            "signet_receipt": receipt.map { .string($0) },
        ]
        for claim in person.members(for: scopes) { members.append(claim.name, claim.value) }
        if let push {
            members.append("urn:openid:params:jwt:claim:auth_req_id", .string(push.requestID))
            members.append(
                "urn:openid:params:jwt:claim:rt_hash", push.refreshToken.map { .string(Self.leftHalf($0)) })
        }
        do throws(JOSEError) {
            return try JWTClaims(members)
        } catch {
            throw .signingFailed
        }
    }

    /// Left half of the SHA-256 of a token (OpenID Connect Core 1.0, 3.1.3.6).
    private static func leftHalf(_ text: Sensitive<String>) -> String {
        Base64URL.encode(Array(SHA256.hash(data: Array(text.reveal().utf8)).prefix(16)))
    }
}
