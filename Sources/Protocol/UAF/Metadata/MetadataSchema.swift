import StrictJSON

/// Reader of statements of schema 3 (FIDO Metadata Statement 3.0), in which names stand for the numbers of schema 2.
///
/// The metadata service hands out no other form. A statement is rewritten to the members that 1.1 has, and read as such. A
/// name that is not known here makes the statement unreadable.
enum MetadataSchema {
    /// The statement with the members of schema 2; one of that schema comes back as it is.
    static func numbered(_ json: JSONValue) throws(JSONTypeError) -> JSONValue {
        guard case .object(let members) = json, members["schema"] == .integer(3) else { return json }
        let family = try members.optionalString("protocolFamily") ?? "uaf"
        guard family == "uaf" else { throw JSONTypeError(path: ["protocolFamily"], .outOfRange) }
        let signing = try signing(members)
        var numbered = JSONObject(distinct: members.members.filter { !rewritten.contains($0.name) })
        numbered.append("assertionScheme", members["assertionScheme"] ?? .string("UAFV1TLV"))
        numbered.append("authenticationAlgorithm", signing.first?.0)
        numbered.append("publicKeyAlgAndEncoding", signing.first?.1)
        let others = signing.dropFirst().map { algorithm, format in
            JSONValue.object(["authenticationAlgorithm": algorithm, "publicKeyAlgAndEncoding": format])
        }
        numbered.append("additionalSigningProfiles", others.isEmpty ? nil : .array(others))
        numbered.append("attestationTypes", .array(try list("attestationTypes", in: members, attestationTypes)))
        numbered.append("userVerificationDetails", try userVerification(members))
        for (name, names) in sums { numbered.append(name, try sum(name, in: members, names)) }
        numbered.append("isSecondFactorOnly", members["isSecondFactorOnly"] ?? .bool(false))
        return .object(numbered)
    }

    private static let rewritten: Set<String> = [
        "assertionScheme", "authenticationAlgorithms", "publicKeyAlgAndEncodings", "authenticationAlgorithm",
        "publicKeyAlgAndEncoding", "additionalSigningProfiles", "attestationTypes", "userVerificationDetails",
        "keyProtection", "matcherProtection", "attachmentHint", "tcDisplay", "isSecondFactorOnly",
    ]

    private static func signing(_ members: JSONObject) throws(JSONTypeError) -> [(JSONValue, JSONValue)] {
        let used = try numbers("authenticationAlgorithms", in: members, algorithms)
        let formats = try numbers("publicKeyAlgAndEncodings", in: members, keyFormats)
        let elliptic: ClosedRange<Int64> = 0x100...0x101
        let pairs = used.flatMap { algorithm in
            formats.filter { elliptic.contains($0) == ellipticAlgorithms.contains(algorithm) }.map { (algorithm, $0) }
        }
        guard !pairs.isEmpty else { throw JSONTypeError(path: ["publicKeyAlgAndEncodings"], .outOfRange) }
        return pairs.map { (.integer($0.0), .integer($0.1)) }
    }

    private static func userVerification(_ members: JSONObject) throws(JSONTypeError) -> JSONValue? {
        guard let details = members["userVerificationDetails"] else { return nil }
        do throws(JSONTypeError) {
            return .array(
                try details.asArray { alternative throws(JSONTypeError) in
                    .array(
                        try alternative.asArray { method throws(JSONTypeError) in
                            let described = try method.asObject()
                            let number = try number(try described.string("userVerificationMethod"), of: methods)
                            var kept = JSONObject(
                                distinct: described.members.filter { ["caDesc", "paDesc"].contains($0.name) })
                            kept.append("userVerification", .integer(number))
                            return .object(kept)
                        })
                })
        } catch {
            throw error.inside("userVerificationDetails")
        }
    }

    /// The sum of the numbers of a list of names; nil without the member.
    private static func sum(
        _ name: String, in members: JSONObject, _ names: [String: Int64]
    ) throws(JSONTypeError) -> JSONValue? {
        guard members[name] != nil else { return name == "tcDisplay" ? .integer(0) : nil }
        return .integer(try numbers(name, in: members, names).reduce(0) { $0 | $1 })
    }

    private static func list(
        _ name: String, in members: JSONObject, _ names: [String: Int64]
    ) throws(JSONTypeError) -> [JSONValue] {
        try numbers(name, in: members, names).map { .integer($0) }
    }

    private static func numbers(
        _ name: String, in members: JSONObject, _ names: [String: Int64]
    ) throws(JSONTypeError) -> [Int64] {
        try members.required(name) { value throws(JSONTypeError) in
            try value.asArray { element throws(JSONTypeError) in try number(try element.asString(), of: names) }
        }
    }

    private static func number(_ name: String, of names: [String: Int64]) throws(JSONTypeError) -> Int64 {
        guard let number = names[name] else { throw JSONTypeError(.outOfRange) }
        return number
    }

    // MARK: - Names (FIDO Registry of Predefined Values 2.1, 3)

    private static let ellipticAlgorithms: Set<Int64> = [1, 2, 5, 6, 7]

    private static let algorithms: [String: Int64] = [
        "secp256r1_ecdsa_sha256_raw": 1, "secp256r1_ecdsa_sha256_der": 2, "rsassa_pss_sha256_raw": 3,
        "rsassa_pss_sha256_der": 4, "secp256k1_ecdsa_sha256_raw": 5, "secp256k1_ecdsa_sha256_der": 6, "sm2_sm3_raw": 7,
        "rsa_emsa_pkcs1_sha256_raw": 8, "rsa_emsa_pkcs1_sha256_der": 9,
    ]

    private static let keyFormats: [String: Int64] = [
        "ecc_x962_raw": 0x100, "ecc_x962_der": 0x101, "rsa_2048_raw": 0x102, "rsa_2048_der": 0x103,
    ]

    private static let attestationTypes: [String: Int64] = [
        "basic_full": 0x3E07, "basic_surrogate": 0x3E08, "ecdaa": 0x3E09, "attca": 0x3E0A, "anonca": 0x3E0B,
        "none": 0x3E0C,
    ]

    private static let methods: [String: Int64] = [
        "presence_internal": 0x1, "fingerprint_internal": 0x2, "passcode_internal": 0x4, "voiceprint_internal": 0x8,
        "faceprint_internal": 0x10, "location_internal": 0x20, "eyeprint_internal": 0x40, "pattern_internal": 0x80,
        "handprint_internal": 0x100, "none": 0x200, "all": 0x400, "passcode_external": 0x800,
        "pattern_external": 0x1000,
    ]

    /// Members that are a sum in schema 2 and a list of names in schema 3.
    private static let sums: [(String, [String: Int64])] = [
        ("keyProtection", ["software": 1, "hardware": 2, "tee": 4, "secure_element": 8, "remote_handle": 16]),
        ("matcherProtection", ["software": 1, "tee": 2, "on_chip": 4]),
        (
            "attachmentHint",
            [
                "internal": 1, "external": 2, "wired": 4, "wireless": 8, "nfc": 16, "bluetooth": 32, "network": 64,
                "ready": 128, "wifi_direct": 256,
            ]
        ),
        ("tcDisplay", ["any": 1, "privileged_software": 2, "tee": 4, "hardware": 8, "remote": 16]),
    ]
}
