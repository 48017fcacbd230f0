package import Crypto
import SwiftASN1
package import X509

/// Attestations of Android's key store by an authority of our own: every field can be given another value.
package struct SyntheticAndroidKey: Sendable {
    /// The attested key.
    package let key = P256.Signing.PrivateKey()
    package var version = 300
    package var attestationLevel = 1
    package var keyLevel = 1
    package var challenge: [UInt8]
    /// Properties by number, each the DER of its value: those that the system vouches for.
    package var software: [UInt: [UInt8]]
    /// Those that the hardware vouches for.
    package var hardware: [UInt: [UInt8]]
    /// Bytes behind the description.
    package var trailing: [UInt8] = []
    /// Whether the certificate describes the key.
    package var hasDescription = true
    package var wish = AttestationAuthority.Wish()
    /// Key in the certificate; nil for the attested one.
    package var certifiedKey: Certificate.PublicKey?

    /// A sound attestation: generated in trusted hardware, for signing with SHA-256, of a locked device.
    package init(challenge: [UInt8]) {
        self.challenge = challenge
        software = [701: Self.integer(0x0123_4567), 709: Self.application(["com.example.signet"])]
        hardware = [
            1: Self.set([2]), 2: Self.integer(3), 3: Self.integer(256), 5: Self.set([4]), 10: Self.integer(1),
            504: Self.integer(2), 702: Self.integer(0), 704: Self.rootOfTrust(isLocked: true, state: 0),
            705: Self.integer(140_000), 706: Self.integer(202_608),
        ]
    }

    /// The content of the extension.
    package var description: [UInt8] {
        Self.tagged(
            0x30,
            Self.integer(version) + Self.tagged(0x0A, [UInt8(attestationLevel)]) + Self.integer(version)
                + Self.tagged(0x0A, [UInt8(keyLevel)]) + Self.tagged(0x04, challenge) + Self.tagged(0x04, [])
                + Self.list(software) + Self.list(hardware)) + trailing
    }

    /// The extension with the description.
    package var descriptionExtension: Certificate.Extension {
        Certificate.Extension(oid: [1, 3, 6, 1, 4, 1, 11129, 2, 1, 17], critical: false, value: description[...])
    }

    /// Makes the statement about this key instead of the one that was made for it.
    package mutating func certify(_ key: P256.Signing.PublicKey) { certifiedKey = Certificate.PublicKey(key) }

    /// The certificates (DER), the key's first.
    package func certificates(by authority: AttestationAuthority) throws -> [[UInt8]] {
        var wish = wish
        if hasDescription { wish.extensions.append(descriptionExtension) }
        return try authority.certificates(for: certifiedKey ?? .init(key.publicKey), wish)
    }

    // MARK: - Encoding

    /// An integer that is not negative.
    package static func integer(_ value: Int) -> [UInt8] {
        var octets: [UInt8] = []
        var rest = value
        repeat {
            octets.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        } while rest > 0
        return tagged(0x02, octets[0] < 0x80 ? octets : [0] + octets)
    }

    /// A set of integers.
    package static func set(_ values: [Int]) -> [UInt8] {
        tagged(0x31, values.flatMap(integer))
    }

    /// AttestationApplicationId in its octet string.
    package static func application(_ packages: [String]) -> [UInt8] {
        let names = packages.flatMap { tagged(0x30, tagged(0x04, Array($0.utf8)) + integer(1)) }
        let digests = tagged(0x04, [UInt8](repeating: 0x33, count: 32))
        return tagged(0x04, tagged(0x30, tagged(0x31, names) + tagged(0x31, digests)))
    }

    /// RootOfTrust.
    package static func rootOfTrust(isLocked: Bool, state: UInt8) -> [UInt8] {
        let digest = tagged(0x04, [UInt8](repeating: 0x44, count: 32))
        return tagged(0x30, digest + [0x01, 0x01, isLocked ? 0xFF : 0] + [0x0A, 0x01, state] + digest)
    }

    /// An element with a tag of one octet.
    package static func tagged(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        [tag] + length(content.count) + content
    }

    private static func list(_ properties: [UInt: [UInt8]]) -> [UInt8] {
        let fields = properties.sorted { $0.key < $1.key }.flatMap { number, value -> [UInt8] in
            let tag: [UInt8] =
                number < 31
                ? [0xA0 | UInt8(number)]
                : [0xBF] + (number < 128 ? [] : [0x80 | UInt8(number >> 7)]) + [UInt8(number & 0x7F)]
            return tag + length(value.count) + value
        }
        return tagged(0x30, fields)
    }

    private static func length(_ count: Int) -> [UInt8] {
        switch count {
        case 0..<0x80: [UInt8(count)]
        case 0x80...0xFF: [0x81, UInt8(count)]
        default: [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        }
    }
}
