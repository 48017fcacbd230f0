import Octets

/// One component of a path, percent-encoded (RFC 3986, 2.1 and 3.3).
public enum PathComponent {
    /// The text with everything but unreserved characters encoded, so that no character of it can end the component.
    public static func encode(_ text: String) -> String {
        var encoded = ""
        for octet in text.utf8 {
            if isUnreserved(octet) {
                encoded.unicodeScalars.append(Unicode.Scalar(octet))
            } else {
                encoded += "%" + Hex.encode([octet]).uppercased()
            }
        }
        return encoded
    }

    /// The text that a component stands for; nil when an escape is incomplete or the result is not UTF-8.
    public static func decode(_ component: String) -> String? {
        var octets: [UInt8] = []
        var rest = Array(component.utf8)[...]
        while let octet = rest.popFirst() {
            guard octet == UInt8(ascii: "%") else {
                octets.append(octet)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let decoded = try? Hex.decode(String(decoding: [high, low], as: UTF8.self))
            else { return nil }
            octets += decoded
        }
        return String(validUTF8: octets)
    }

    private static func isUnreserved(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
