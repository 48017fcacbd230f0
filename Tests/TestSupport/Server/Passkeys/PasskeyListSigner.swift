import Crypto
import Octets
package import StrictJSON
import X509

/// Signer of lists of models, with an authority of its own: plays the FIDO Alliance.
package struct PasskeyListSigner: Sendable {
    package static let model = "4d4d4d4d-4d4d-4d4d-4d4d-4d4d4d4d4d4d"

    /// Authority that certifies the signer.
    package let authority: AttestationAuthority
    private let key = P256.Signing.PrivateKey()

    package init() throws {
        authority = try AttestationAuthority()
    }

    /// An entry of a model whose statements end at this root.
    package static func entry(
        _ model: String? = model, root: [UInt8], _ words: [String] = ["FIDO_CERTIFIED_L1"]
    ) -> JSONValue {
        .object([
            "aaguid": model.map { .string($0) },
            "metadataStatement": .object([
                "description": .string("Model"),
                "attestationRootCertificates": .array([.string(Base64.encode(root))]),
            ]),
            "statusReports": .array(words.map { .object(["status": .string($0)]) }),
        ])
    }

    package static func list(
        _ entries: [JSONValue], number: Int64 = 7, nextUpdate: String = "2099-12-31"
    ) -> JSONObject {
        ["no": .integer(number), "nextUpdate": .string(nextUpdate), "entries": .array(entries)]
    }

    /// The signed text of a list; each test changes one thing.
    package func text(
        _ payload: JSONObject, name: String = "mds.fidoalliance.org", algorithm: String = "ES256",
        besides: [JSONValue] = [], signature: ([UInt8]) -> [UInt8] = { $0 }
    ) throws -> [UInt8] {
        let names = try Certificate.Extension(SubjectAlternativeNames([.dnsName(name)]), critical: false)
        let chain = try authority.certificates(for: .init(key.publicKey), .init(extensions: [names]))
        let header: JSONObject = [
            "alg": .string(algorithm), "x5c": .array(chain.map { .string(Base64.encode($0)) } + besides),
        ]
        let input = [header, payload].map { Base64URL.encode(JSONWriter.write(.object($0))) }.joined(separator: ".")
        let signed = signature(Array(try key.signature(for: Array(input.utf8)).rawRepresentation))
        return Array("\(input).\(Base64URL.encode(signed))".utf8)
    }
}
