import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite(
    "FIDO Registry 3.6.1: signatures of the Wycheproof sets", .enabled(if: VectorFolder.isPresent, VectorFolder.absence)
)
struct SignatureVectorTests {
    @Test("ECDSA on P-256 in DER: every case has its stated result")
    func ecdsaDER() throws {
        for group in try WycheproofFile("ecdsa_secp256r1_sha256").groups {
            let keys = [
                try key(try group.fields.hex("publicKeyDer"), .eccX962DER, .secp256r1ECDSASHA256DER),
                try key(
                    try group.fields.object("publicKey").hex("uncompressed"), .eccX962Raw, .secp256r1ECDSASHA256DER),
            ]
            for key in keys { try run(group, with: key) }
        }
    }

    @Test("ECDSA on P-256 as r and s: every case has its stated result")
    func ecdsaRaw() throws {
        for group in try WycheproofFile("ecdsa_secp256r1_sha256_p1363").groups {
            try run(
                group, with: try key(try group.fields.hex("publicKeyDer"), .eccX962DER, .secp256r1ECDSASHA256Raw))
        }
    }

    @Test("RSASSA-PKCS1-v1_5: every case has its stated result, bare and in an octet string")
    func rsaPKCS1() throws {
        for group in try WycheproofFile("rsa_signature_2048_sha256").groups {
            let numbers = try group.fields.object("publicKey")
            guard numbers["publicExponent"] == .string("010001") else {
                try expectRefusedKey(of: group, .unacceptableExponent)
                continue
            }
            try run(group, with: try key(try group.fields.hex("publicKeyAsn"), .rsa2048DER, .rsaPKCS1SHA256Raw))
            try run(
                group, with: try key(try group.fields.hex("publicKeyAsn"), .rsa2048DER, .rsaPKCS1SHA256DER),
                wrapped: true)
        }
    }

    @Test(
        "O-J5: RSASSA-PSS: every case has its stated result, bare and in an octet string",
        arguments: ["rsa_pss_2048_sha256_mgf1_32", "rsa_pss_2048_sha256_mgf1_32_params"])
    func rsaPSS(file: String) throws {
        for group in try WycheproofFile(file).groups {
            let numbers = try group.fields.object("publicKey")
            let raw = Array(try numbers.hex("modulus").drop { $0 == 0 }) + (try numbers.hex("publicExponent"))
            try run(group, with: try key(raw, .rsa2048Raw, .rsassaPSSSHA256Raw))
            try run(group, with: try key(raw, .rsa2048Raw, .rsassaPSSSHA256DER), wrapped: true)
        }
    }

    @Test("O-J5: a key that carries the parameters of PSS in its SubjectPublicKeyInfo is refused")
    func keyWithParameters() throws {
        for group in try WycheproofFile("rsa_pss_2048_sha256_mgf1_32_params").groups {
            let octets = try group.fields.hex("publicKeyDer")
            #expect(throws: VerificationKeyError.malformed) {
                _ = try key(octets, .rsa2048DER, .rsassaPSSSHA256Raw)
            }
        }
    }

    @Test("RSA keys of another size are refused", arguments: [3072, 4096])
    func rsaOfOtherSize(bits: Int) throws {
        for group in try WycheproofFile("rsa_signature_\(bits)_sha256").groups {
            try expectRefusedKey(of: group, .unacceptableModulus)
        }
    }

    @Test("RFC 6979, A.2.5: both encodings of the deterministic signatures verify")
    func deterministic() throws {
        let file = try JSONParser.parse(
            VectorFolder.bytes(of: "ecdsa-deterministic/rfc6979-p256-sha256.json"), limits: .document
        ).asObject()
        let point = try [0x04] + file.hex("public_x_hex") + file.hex("public_y_hex")
        let cases = try file.required("cases") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { entry throws(JSONTypeError) in try entry.asObject() }
        }
        for entry in cases {
            let message = Array(try entry.text("message_utf8").utf8)[...]
            let raw = try key(point, .eccX962Raw, .secp256r1ECDSASHA256Raw)
            let der = try key(point, .eccX962Raw, .secp256r1ECDSASHA256DER)
            try raw.requireSignature(try entry.hex("p1363_hex")[...], over: message)
            try der.requireSignature(try entry.hex("der_hex")[...], over: message)
            let plain = try SignatureDecoding.fixedLength(
                try entry.hex("der_hex")[...], scheme: SignatureScheme(.secp256r1ECDSASHA256DER))
            #expect(Array(plain) == (try entry.hex("p1363_hex")))
        }
    }

    // MARK: - Steps

    private func key(
        _ octets: [UInt8], _ format: PublicKeyFormat, _ algorithm: AuthenticationAlgorithm
    ) throws -> VerificationKey {
        try VerificationKey(octets, format: format, algorithm: algorithm)
    }

    /// Runs every case of a group; `acceptable` cases are refused (they lack a NULL that belongs there).
    private func run(_ group: WycheproofFile.Group, with key: VerificationKey, wrapped: Bool = false) throws {
        for test in group.cases {
            let signature = try test.fields.hex("sig")
            let presented = wrapped ? DER.element(0x04, signature) : signature
            let message = try test.fields.hex("msg")[...]
            if test.result == .valid {
                #expect(throws: Never.self, "case \(test.number)") {
                    try key.requireSignature(presented[...], over: message)
                }
            } else {
                #expect(throws: SignatureRefusal.self, "case \(test.number)") {
                    try key.requireSignature(presented[...], over: message)
                }
            }
        }
    }

    private func expectRefusedKey(of group: WycheproofFile.Group, _ error: VerificationKeyError) throws {
        let octets = try group.fields.hex("publicKeyAsn")
        #expect(throws: error) { _ = try key(octets, .rsa2048DER, .rsaPKCS1SHA256Raw) }
    }
}
