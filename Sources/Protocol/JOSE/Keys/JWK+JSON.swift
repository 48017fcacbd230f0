import Octets
package import StrictJSON

extension JWK {
    /// Reads the JSON text of a public key; members that RFC 7517 does not name are ignored.
    ///
    /// Throws ``JOSEError/malformedKey``, ``JOSEError/unsupportedKey``, or ``JOSEError/privateKeyMaterial`` when the
    /// document holds more than a public key.
    public init(json text: [UInt8]) throws(JOSEError) {
        guard let value = try? JSONParser.parse(text, limits: JSONLimits(byteCount: 16 * 1024, depth: 4)) else {
            throw .malformedKey
        }
        try self.init(value)
    }

    /// The JSON text of the key.
    public var json: [UInt8] { JSONWriter.write(.object(members)) }

    package init(_ value: JSONValue) throws(JOSEError) {
        guard let members = try? value.asObject() else { throw .malformedKey }
        guard Self.privateMembers.allSatisfy({ members[$0] == nil }) else { throw .privateKeyMaterial }
        let type = try Self.text("kty", in: members)
        let material: Material
        if type.hasSameOctets(as: "EC") {
            material = try Self.point(in: members)
        } else if type.hasSameOctets(as: "RSA") {
            material = .rsa(modulus: try Self.octets("n", in: members), exponent: try Self.octets("e", in: members))
        } else {
            throw .unsupportedKey
        }
        try self.init(
            material, keyID: try Self.optionalText("kid", in: members), use: try Self.use(in: members),
            algorithmName: try Self.optionalText("alg", in: members), operations: try Self.operations(in: members))
    }

    /// The members of the key, the required ones first.
    package var members: JSONObject {
        var members = material.members
        members.append("kid", keyID.map(JSONValue.string))
        members.append("use", (use?.rawValue).map(JSONValue.string))
        members.append("alg", algorithmName.map(JSONValue.string))
        members.append("key_ops", operations.map { .array($0.map(JSONValue.string)) })
        return members
    }

    // MARK: - Members

    /// Everything that makes a key private or symmetric (RFC 7518, 6.2.2, 6.3.2 and 6.4.1).
    private static let privateMembers = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]

    private static func point(in members: JSONObject) throws(JOSEError) -> Material {
        guard try text("crv", in: members).hasSameOctets(as: "P-256") else { throw .unsupportedKey }
        return .p256(x: try octets("x", in: members), y: try octets("y", in: members))
    }

    private static func use(in members: JSONObject) throws(JOSEError) -> Use? {
        guard let name = try optionalText("use", in: members) else { return nil }
        if name.hasSameOctets(as: Use.signature.rawValue) { return .signature }
        if name.hasSameOctets(as: Use.encryption.rawValue) { return .encryption }
        throw .unsupportedKey
    }

    private static func operations(in members: JSONObject) throws(JOSEError) -> [String]? {
        do throws(JSONTypeError) {
            return try members.optional("key_ops") { value throws(JSONTypeError) -> [String]? in
                if case .null = value { return nil }
                return try value.asArray { element throws(JSONTypeError) in try element.asString() }
            } ?? nil
        } catch {
            throw .malformedKey
        }
    }

    private static func optionalText(_ name: String, in members: JSONObject) throws(JOSEError) -> String? {
        do throws(JSONTypeError) {
            return try members.optionalString(name)
        } catch {
            throw .malformedKey
        }
    }

    private static func text(_ name: String, in members: JSONObject) throws(JOSEError) -> String {
        guard let text = try optionalText(name, in: members) else { throw .malformedKey }
        return text
    }

    private static func octets(_ name: String, in members: JSONObject) throws(JOSEError) -> [UInt8] {
        let text = try text(name, in: members)
        do throws(Base64Error) {
            return try Base64URL.decode(text)
        } catch {
            throw .malformedKey
        }
    }
}

extension JWK.Material {
    /// The members that make up the key itself, in the order that a thumbprint needs (RFC 7638, 3.2).
    var members: JSONObject {
        switch self {
        case .p256(let x, let y):
            [
                "crv": .string("P-256"), "kty": .string("EC"), "x": .string(Base64URL.encode(x)),
                "y": .string(Base64URL.encode(y)),
            ]
        case .rsa(let modulus, let exponent):
            [
                "e": .string(Base64URL.encode(exponent)), "kty": .string("RSA"),
                "n": .string(Base64URL.encode(modulus)),
            ]
        }
    }
}
