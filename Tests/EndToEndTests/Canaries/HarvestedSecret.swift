import Octets

/// A secret of a run, and every spelling in which it could have been written down.
struct HarvestedSecret: Hashable, Sendable {
    /// What it is; each kind has files of its own that hold it on purpose.
    enum Kind: String, CaseIterable, Sendable {
        /// The value of a session cookie.
        case cookie
        /// A token that authorises its bearer.
        case bearer
        /// What a phone exchanges for a request.
        case redeemToken
        /// The payload of a link or of a QR code.
        case link
        /// What links a phone to a screen.
        case digits
        case pin
        case password
        /// The key of a system that begins operations.
        case accessKey
        /// The registration token of a push service.
        case pushToken
        /// What a device has signed: requests and proofs.
        case deviceSignature
        /// A payload that is sealed for a device.
        case sealedPayload
        /// Bytes of a private or a secret key.
        case key
    }

    let kind: Kind
    let spellings: Set<[UInt8]>

    /// A secret that is a text.
    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        let escaped = text.utf8.flatMap { octet in
            Self.isUnreserved(octet) ? [octet] : Array("%\(Hex.encode([octet]).uppercased())".utf8)
        }
        // What identifies a token is not what it begins with: all have the same header.
        let parts = text.split(separator: ".").dropFirst().filter { $0.utf8.count > 16 }
        spellings = Set([Array(text.utf8), escaped] + (Self.isCompact(text) ? parts.map { Array($0.utf8) } : []))
    }

    /// A secret that is bytes.
    init(_ kind: Kind, octets: [UInt8]) {
        self.kind = kind
        let texts = [
            Hex.encode(octets), Hex.encode(octets).uppercased(), Base64.encode(octets), Base64URL.encode(octets),
            octets.map(String.init).joined(separator: ", "),
        ]
        spellings = Set([octets] + texts.map { Array($0.utf8) })
    }

    /// Whether a text is a compact JWS or JWE.
    static func isCompact(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return [3, 5].contains(parts.count) && text.hasPrefix("eyJ")
    }

    private static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "-._~".utf8.contains(octet)
        }
    }
}
