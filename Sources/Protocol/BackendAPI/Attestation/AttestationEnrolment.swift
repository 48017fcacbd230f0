import Octets
import StrictJSON

/// Bodies by which a phone shows a server that a genuine chip holds its attestation key.
///
/// Two exchanges: certificates and key against a credential, the recovered secret against a proof. Only servers whose
/// policy demands attested keys are sent them, since the certificate of a chip tells it from all others. Members,
/// limits and errors: `docs/web/http-api.md`.
package enum AttestationEnrolment {
    /// Certificates of a chip at most: its own, then the issuers'.
    package static let certificateLimit = 8
    fileprivate static let certificateByteCounts = 1...16_384
    fileprivate static let structureByteCounts = 1...1_024
    fileprivate static let sealedByteCounts = 1...512

    /// Request for a credential.
    package struct Request: MessageBody {
        /// Certificate of the endorsement key (DER), then its issuers' as far as the phone has them.
        package let certificates: [[UInt8]]
        /// Public area of the attestation key (TPMT_PUBLIC).
        package let attestationKey: [UInt8]

        package init(certificates: [[UInt8]], attestationKey: [UInt8]) {
            self.certificates = certificates
            self.attestationKey = attestationKey
        }
    }

    /// Credential that only the chip of both keys opens.
    package struct Credential: MessageBody {
        /// TPM2B_ID_OBJECT.
        package let credential: [UInt8]
        /// TPM2B_ENCRYPTED_SECRET.
        package let encryptedSeed: [UInt8]
        /// State of the server, to be sent back unchanged.
        package let enrolment: [UInt8]

        package init(credential: [UInt8], encryptedSeed: [UInt8], enrolment: [UInt8]) {
            self.credential = credential
            self.encryptedSeed = encryptedSeed
            self.enrolment = enrolment
        }
    }

    /// Answer to a credential.
    package struct Answer: MessageBody {
        /// State of the server, as it came with the credential.
        package let enrolment: [UInt8]
        /// The secret that the chip has recovered.
        package var secret: [UInt8] { sensitiveSecret.reveal() }
        private let sensitiveSecret: Sensitive<[UInt8]>

        package init(enrolment: [UInt8], secret: [UInt8]) {
            self.enrolment = enrolment
            sensitiveSecret = Sensitive(secret)
        }
    }

    /// Proof that a genuine chip holds the attestation key; it goes beside the registrations that the key vouches for.
    package struct Proof: MessageBody {
        /// The proof, sealed for the server that has issued it.
        package let proof: [UInt8]
        /// Time for which the server takes it, in milliseconds.
        package let lifetimeMillis: Int64

        package init(proof: [UInt8], lifetimeMillis: Int64) {
            self.proof = proof
            self.lifetimeMillis = lifetimeMillis
        }
    }
}

// MARK: - Bodies

extension AttestationEnrolment.Request: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        let certificates = try members.required("certificates") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in
                try element.asOctets(AttestationEnrolment.certificateByteCounts)
            }
        }
        guard certificates.count <= AttestationEnrolment.certificateLimit else {
            throw JSONTypeError(path: ["certificates"], .outOfRange)
        }
        self.init(certificates: certificates, attestationKey: try members.structure("attestationKey"))
    }

    var json: JSONValue {
        .object([
            "certificates": .array(certificates.map(\.text)), "attestationKey": attestationKey.text,
        ])
    }
}

extension AttestationEnrolment.Credential: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            credential: try members.structure("credential"), encryptedSeed: try members.structure("encryptedSeed"),
            enrolment: try members.sealed("enrolment"))
    }

    var json: JSONValue {
        .object([
            "credential": credential.text, "encryptedSeed": encryptedSeed.text, "enrolment": enrolment.text,
        ])
    }
}

extension AttestationEnrolment.Answer: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(enrolment: try members.sealed("enrolment"), secret: try members.structure("secret"))
    }

    var json: JSONValue { .object(["enrolment": enrolment.text, "secret": secret.text]) }
}

extension AttestationEnrolment.Proof: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(proof: try members.sealed("proof"), lifetimeMillis: try members.integer("lifetimeMillis"))
    }

    var json: JSONValue { .object(["proof": proof.text, "lifetimeMillis": .integer(lifetimeMillis)]) }
}

// MARK: - Members

extension AttestationEnrolment {
    fileprivate static func structure(_ value: JSONValue) throws(JSONTypeError) -> [UInt8] {
        try value.asOctets(structureByteCounts)
    }

    fileprivate static func sealed(_ value: JSONValue) throws(JSONTypeError) -> [UInt8] {
        try value.asOctets(sealedByteCounts)
    }
}

extension JSONObject {
    /// A structure of the TPM library, or the secret of a credential.
    fileprivate func structure(_ name: String) throws(JSONTypeError) -> [UInt8] {
        try required(name, AttestationEnrolment.structure)
    }

    fileprivate func sealed(_ name: String) throws(JSONTypeError) -> [UInt8] {
        try required(name, AttestationEnrolment.sealed)
    }
}

extension JSONValue {
    /// The bytes that a text of unpadded base64url stands for.
    fileprivate func asOctets(_ byteCounts: ClosedRange<Int>) throws(JSONTypeError) -> [UInt8] {
        let text = try asString()
        guard let octets = try? Base64URL.decode(text) else { throw JSONTypeError(.invalidForm) }
        guard byteCounts.contains(octets.count) else { throw JSONTypeError(.outOfRange) }
        return octets
    }
}

extension [UInt8] {
    fileprivate var text: JSONValue { .string(Base64URL.encode(self)) }
}
