import Crypto
import FoundationEssentials

/// A SHA-256 value of something that `Subject` names.
package struct SHA256Value<Subject>: Hashable, Sendable {
    package let octets: [UInt8]

    /// Takes exactly 32 bytes, as stored; nil for another number.
    package init?(stored octets: some Collection<UInt8>) {
        guard octets.count == SHA256.byteCount else { return nil }
        self.octets = Array(octets)
    }

    package init(of octets: some Sequence<UInt8>) {
        self.octets = SHA256.hash(data: Array(octets)).octets
    }
}

extension Digest {
    /// The bytes, copied in one piece; appending a sequence would copy them one by one.
    var octets: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension MessageAuthenticationCode {
    var octets: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

package typealias CookieHash = SHA256Value<Hashed.Cookie>
/// SHA-256 of a challenge; consumption is remembered under it.
package typealias ChallengeHash = SHA256Value<Hashed.Challenge>
/// SHA-256 of the text of a policy; names the revision.
package typealias PolicyHash = SHA256Value<Hashed.Policy>
/// SHA-256 of the decoded content of a transaction.
package typealias TransactionHash = SHA256Value<Hashed.Transaction>
/// SHA-256 of one audit record and, through it, of all before it.
package typealias AuditHash = SHA256Value<Hashed.AuditRecord>
/// SHA-256 of a name of a removed user, which is remembered for ``ServerSettings/removedNameMemory``.
package typealias RemovedNameHash = SHA256Value<Hashed.RemovedName>
package typealias RedeemTokenHash = SHA256Value<Hashed.RedeemToken>
/// SHA-256 of a salt and the digits that link a phone to a screen.
package typealias LinkingDigest = SHA256Value<Hashed.LinkingDigits>
/// The RFC 7638 thumbprint of a public key of a device.
package typealias DeviceKeyThumbprint = SHA256Value<Hashed.DeviceKey>
/// SHA-256 of the name that an initiating system gives to one of its sessions.
package typealias InitiatorSessionHash = SHA256Value<Hashed.InitiatorSession>
/// SHA-256 of the public key of an application on Apple's platforms, which names the key.
package typealias AppAttestKeyID = SHA256Value<Hashed.AppAttestKey>
/// SHA-256 of what attempts to log in are counted under: a name, an address, or both.
package typealias AttemptKey = SHA256Value<Hashed.Attempt>
package typealias AccessKeyHash = SHA256Value<Hashed.AccessKey>
