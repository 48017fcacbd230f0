import Crypto
import CryptoExtras
import Octets
package import StrictCBOR
package import StrictJSON
package import WebAuthn

/// Authenticator and browser in software: makes answers of each format, and every field can be given another value.
package struct SoftwareAuthenticator {
    package let key: PasskeyKeyPair
    package var id = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
    package var model = [UInt8](repeating: 0x4D, count: 16)
    package var relyingPartyID = "example.org"
    /// User present and verified.
    package var flags: UInt8 = 0x05
    package var counter: UInt32 = 0
    /// Extensions of the authenticator; their flag is set when there are some.
    package var extensions: CBORMap?
    package var client = SoftwareBrowser()

    package init(_ key: PasskeyKeyPair = .es256(P256.Signing.PrivateKey())) {
        self.key = key
    }

    package func authenticatorData(ofNewKey isNew: Bool, trailing: [UInt8] = []) -> [UInt8] {
        var octets = Array(SHA256.hash(data: Array(relyingPartyID.utf8)))
        octets.append(flags | (isNew ? 0x40 : 0) | (extensions == nil ? 0 : 0x80))
        octets += (0..<4).reversed().map { UInt8(truncatingIfNeeded: counter >> UInt32($0 * 8)) }
        if isNew { octets += model + [UInt8(id.count >> 8), UInt8(id.count & 0xFF)] + id + CBORWriter.write(key.cose) }
        if let extensions { octets += CBORWriter.write(.map(extensions)) }
        return octets + trailing
    }

    // MARK: - Answers

    /// An answer with a new key and a sound statement of a format.
    package func registration(
        _ offer: CreationOffer, _ format: AttestationFormat = .none,
        stating: ((SignedParts) throws -> [String: CBORValue])? = nil
    ) throws -> MadeRegistration {
        let clientData = client.data("webauthn.create", challenge: offer.challenge)
        let report = authenticatorData(ofNewKey: true)
        let signed = SignedParts(report: report, clientDataDigest: Array(SHA256.hash(data: clientData)))
        let statement: [String: CBORValue] =
            if let stating {
                try stating(signed)
            } else if format == .packed {
                ["alg": .integer(key.algorithm.rawValue), "sig": .bytes(try key.sign(signed.octets))]
            } else {
                [:]
            }
        return MadeRegistration(
            id: id, clientData: clientData, format: format.rawValue, statement: statement, authenticatorData: report)
    }

    /// An answer with a signature.
    package func assertion(_ offer: RequestOffer, user: [UInt8]? = [7]) throws -> MadeAssertion {
        let clientData = client.data("webauthn.get", challenge: offer.challenge)
        let report = authenticatorData(ofNewKey: false)
        let signature = try key.sign(report + Array(SHA256.hash(data: clientData)))
        return MadeAssertion(
            id: id, clientData: clientData, authenticatorData: report, signature: signature, user: user)
    }
}

/// Bytes that a statement is about.
package struct SignedParts {
    package let report: [UInt8]
    package let clientDataDigest: [UInt8]

    package var octets: [UInt8] { report + clientDataDigest }
}

/// Part of the browser: client data.
package struct SoftwareBrowser {
    /// Ceremony; nil for the right one.
    package var type: String?
    package var origin = "https://example.org"
    /// Members behind the origin, as text.
    package var others = #","crossOrigin":false"#
    /// Whole text; nil for the one of the other fields.
    package var text: String?

    package init() {}

    package func data(_ ceremony: String, challenge: [UInt8]) -> [UInt8] {
        let text =
            text
            ?? #"{"type":"\#(type ?? ceremony)","challenge":"\#(Base64URL.encode(challenge))","origin":"\#(origin)"\#(others)}"#
        return Array(text.utf8)
    }
}

/// Answer with a new key, before it is written.
package struct MadeRegistration {
    package var id: [UInt8]
    package var clientData: [UInt8]
    package var format: String
    package var statement: [String: CBORValue]
    package var authenticatorData: [UInt8]
    /// The attestation object; nil for the one of the other fields.
    package var object: [UInt8]?
    package var extensionResults: JSONObject = ["credProps": .object(["rk": .bool(true)])]

    package init(
        id: [UInt8], clientData: [UInt8], format: String, statement: [String: CBORValue], authenticatorData: [UInt8],
        object: [UInt8]? = nil
    ) {
        (self.id, self.clientData, self.format, self.statement) = (id, clientData, format, statement)
        (self.authenticatorData, self.object) = (authenticatorData, object)
    }

    package var attestationObject: [UInt8] {
        object
            ?? CBORWriter.write(
                .map(
                    CBORMap([
                        .init(.text("fmt"), .text(format)),
                        .init(.text("attStmt"), .map(CBORMap(statement.map { .init(.text($0.key), $0.value) }))),
                        .init(.text("authData"), .bytes(authenticatorData)),
                    ])))
    }

    package var json: JSONObject {
        [
            "id": .string(Base64URL.encode(id)), "rawId": .string(Base64URL.encode(id)), "type": .string("public-key"),
            "response": .object([
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "attestationObject": .string(Base64URL.encode(attestationObject)),
                "transports": .array([.string("internal")]),
            ]),
            "clientExtensionResults": .object(extensionResults),
        ]
    }

    package var text: [UInt8] { JSONWriter.write(.object(json)) }
}

/// Answer with a signature, before it is written.
package struct MadeAssertion {
    package var id: [UInt8]
    package var clientData: [UInt8]
    package var authenticatorData: [UInt8]
    package var signature: [UInt8]
    package var user: [UInt8]?

    package init(
        id: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8], user: [UInt8]? = nil
    ) {
        (self.id, self.clientData, self.authenticatorData) = (id, clientData, authenticatorData)
        (self.signature, self.user) = (signature, user)
    }

    package var json: JSONObject {
        [
            "id": .string(Base64URL.encode(id)), "rawId": .string(Base64URL.encode(id)), "type": .string("public-key"),
            "response": .object([
                "clientDataJSON": .string(Base64URL.encode(clientData)),
                "authenticatorData": .string(Base64URL.encode(authenticatorData)),
                "signature": .string(Base64URL.encode(signature)),
                "userHandle": user.map { .string(Base64URL.encode($0)) },
            ]),
            "clientExtensionResults": .object([:]),
        ]
    }

    package var text: [UInt8] { JSONWriter.write(.object(json)) }
}
