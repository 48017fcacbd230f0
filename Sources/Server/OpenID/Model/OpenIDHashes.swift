import Octets
package import ServerCore

/// Subjects of the hashes of web sites; the server keeps only hashes of everything that a client could present.
extension Hashed {
    /// The secret of a client.
    package enum ClientSecret {}
    /// The cookie that binds an authorization session to a browser.
    package enum Browser {}
    /// The `request_uri` of a pushed authorization request.
    package enum PushedRequest {}
    /// An authorization code.
    package enum AuthorizationCode {}
    /// An access or refresh token of a client.
    package enum GrantToken {}
    /// The cookie of a session at the provider.
    package enum ProviderCookie {}
    /// The `auth_req_id` of CIBA.
    package enum BackchannelRequest {}
    /// Client and `jti` of a JWT by which a client has proved itself.
    package enum ClientAssertion {}
    /// The public key of a client to which its tokens are bound.
    package enum ClientKey {}
    /// Access key and value of `Idempotency-Key`.
    package enum IdempotencyKey {}
    /// Method, path and body of a request.
    package enum RequestContent {}
    /// A code with which a way back without a phone begins.
    package enum RecoveryCode {}
    /// The cookie of a browser that shows a way back without a phone.
    package enum RecoveryCookie {}
}

extension RandomSource {
    /// A new secret to present later: the base64url of 32 octets.
    func secret() -> Sensitive<String> { Sensitive(Base64URL.encode(bytes(count: 32))) }
}

/// SHA-256 of the secret of a client: secrets have 32 random bytes or more, so that no slow hash is needed.
package typealias ClientSecretHash = SHA256Value<Hashed.ClientSecret>
/// SHA-256 of the cookie that binds an authorization session to a browser.
package typealias BrowserHash = SHA256Value<Hashed.Browser>
/// SHA-256 of the `request_uri` of a pushed authorization request.
package typealias PushedRequestHash = SHA256Value<Hashed.PushedRequest>
package typealias AuthorizationCodeHash = SHA256Value<Hashed.AuthorizationCode>
/// SHA-256 of an access or refresh token.
package typealias GrantTokenHash = SHA256Value<Hashed.GrantToken>
package typealias ProviderCookieHash = SHA256Value<Hashed.ProviderCookie>
/// SHA-256 of an `auth_req_id`.
package typealias BackchannelRequestHash = SHA256Value<Hashed.BackchannelRequest>
/// Thumbprint of the key that a token is bound to (RFC 7638; RFC 9449, 6.1).
package typealias ClientKeyThumbprint = SHA256Value<Hashed.ClientKey>
/// SHA-256 of client, NUL and `jti`; of a proof of a key, of `DPoP`, the thumbprint and `jti`.
package typealias ClientAssertionHash = SHA256Value<Hashed.ClientAssertion>
/// SHA-256 of the name of the access key, NUL and the idempotency key.
package typealias IdempotencyKeyHash = SHA256Value<Hashed.IdempotencyKey>
/// SHA-256 of method, path, NUL and body.
package typealias RequestContentHash = SHA256Value<Hashed.RequestContent>
/// SHA-256 of the 16 characters of a recovery code, which have 80 random bits.
package typealias RecoveryCodeHash = SHA256Value<Hashed.RecoveryCode>
package typealias RecoveryCookieHash = SHA256Value<Hashed.RecoveryCookie>
