package import StrictJSON

/// A trust anchor of ECDAA attestation; read and kept, not evaluated.
///
/// FIDO Metadata Statements 1.1, 3.9. All members but the curve are base64url text.
public struct ECDAATrustAnchor: Hashable, Sendable {
    /// First part of the issuer's public key (`X`).
    public let x: String
    /// Second part of the issuer's public key (`Y`).
    public let y: String
    /// First part of the proof that the issuer has the private key (`c`).
    public let c: String
    /// Second part of the proof (`sx`).
    public let sx: String
    /// Third part of the proof (`sy`).
    public let sy: String
    /// Name of the curve (`G1Curve`).
    public let curve: String

    /// Creates an anchor.
    public init(x: String, y: String, c: String, sx: String, sy: String, curve: String) {
        self.x = x
        self.y = y
        self.c = c
        self.sx = sx
        self.sy = sy
        self.curve = curve
    }
}

extension ECDAATrustAnchor: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let text = { value throws(JSONTypeError) in try value.asNonEmptyString() } as Reader
        self.init(
            x: try members.required("X", text), y: try members.required("Y", text), c: try members.required("c", text),
            sx: try members.required("sx", text), sy: try members.required("sy", text),
            curve: try members.required("G1Curve", text))
    }

    private typealias Reader = (JSONValue) throws(JSONTypeError) -> String

    package var json: JSONValue {
        .object([
            "X": .string(x), "Y": .string(y), "c": .string(c), "sx": .string(sx), "sy": .string(sy),
            "G1Curve": .string(curve),
        ])
    }
}
