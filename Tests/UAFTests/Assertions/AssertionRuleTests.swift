import Testing
import UAF

@Suite("Authenticator Commands 1.1, 5.2: rules of assertions")
struct AssertionRuleTests {
    /// The fields of a good key registration data element, to be spoiled one at a time.
    private static let registrationFields: [(TLVTag, [UInt8])] = [
        (.aaid, Array("F1D0#1001".utf8)), (.assertionInfo, [1, 0, 1, 2, 0, 1, 1]),
        (.finalChallengeHash, [UInt8](repeating: 1, count: 32)), (.keyID, [UInt8](repeating: 2, count: 32)),
        (.counters, [UInt8](repeating: 0, count: 8)), (.publicKey, [4, 5]),
    ]

    private static let signedFields: [(TLVTag, [UInt8])] = [
        (.aaid, Array("F1D0#1001".utf8)), (.assertionInfo, [1, 0, 1, 2, 0]),
        (.authenticatorNonce, [UInt8](repeating: 3, count: 8)),
        (.finalChallengeHash, [UInt8](repeating: 1, count: 32)), (.transactionContentHash, []),
        (.keyID, [UInt8](repeating: 2, count: 32)), (.counters, [0, 0, 0, 0]),
    ]

    private static let surrogate: [(TLVTag, [UInt8])] = [(.attestationBasicSurrogate, [0x06, 0x2E, 1, 0, 9])]

    private func registration(
        _ fields: [(TLVTag, [UInt8])] = registrationFields, beside: [(TLVTag, [UInt8])] = surrogate
    ) throws -> RegistrationAssertion {
        let data = try element(.keyRegistrationData, fields)
        return try RegistrationAssertion(octets: element(.registrationAssertion, [], prefix: data, beside))
    }

    private func authentication(
        _ fields: [(TLVTag, [UInt8])] = signedFields, beside: [(TLVTag, [UInt8])] = [(.signature, [9])]
    ) throws -> AuthenticationAssertion {
        let data = try element(.signedData, fields)
        return try AuthenticationAssertion(octets: element(.authenticationAssertion, [], prefix: data, beside))
    }

    private func element(
        _ tag: TLVTag, _ fields: [(TLVTag, [UInt8])], prefix: [UInt8] = [], _ more: [(TLVTag, [UInt8])] = []
    ) throws -> [UInt8] {
        var writer = TLVWriter()
        try writer.write(tag) { writer throws(TLVError) in
            writer.write(encoded: prefix)
            for (tag, value) in fields + more { try writer.write(tag, value) }
        }
        return writer.octets
    }

    @Test("A registration and an authentication with all fields are read")
    func complete() throws {
        let data = try registration().keyRegistrationData
        #expect(data.credential.aaid == AAID("F1D0#1001"))
        #expect(data.publicKey.format == .eccX962DER)
        #expect(data.info.signatureAlgorithm == .secp256r1ECDSASHA256DER)
        #expect(try authentication().signedData.nonce.count == 8)
    }

    @Test("Fields may come in any order")
    func order() throws {
        let data = try registration(Self.registrationFields.reversed()).keyRegistrationData
        #expect(try data.credential == registration().keyRegistrationData.credential)
        #expect(try authentication(Self.signedFields.reversed()).signature == [9])
    }

    @Test("Each mandatory field is missed when it is not there")
    func missing() throws {
        for index in Self.registrationFields.indices {
            var fields = Self.registrationFields
            let tag = fields.remove(at: index).0
            #expect(throws: TLVError.missingTag(tag)) { try registration(fields) }
        }
        for index in Self.signedFields.indices {
            var fields = Self.signedFields
            let tag = fields.remove(at: index).0
            #expect(throws: TLVError.missingTag(tag)) { try authentication(fields) }
        }
    }

    @Test("An empty mandatory field is refused; only the transaction content hash may be empty")
    func empty() throws {
        for index in Self.registrationFields.indices {
            var fields = Self.registrationFields
            fields[index].1 = []
            #expect(throws: TLVError.self) { try registration(fields) }
        }
        for index in Self.signedFields.indices where Self.signedFields[index].0 != .transactionContentHash {
            var fields = Self.signedFields
            fields[index].1 = []
            #expect(throws: TLVError.self) { try authentication(fields) }
        }
    }

    @Test("A field that occurs twice is refused")
    func repeated() throws {
        for field in Self.registrationFields {
            #expect(throws: TLVError.self) { try registration(Self.registrationFields + [field]) }
        }
        for field in Self.signedFields {
            #expect(throws: TLVError.self) { try authentication(Self.signedFields + [field]) }
        }
    }

    @Test("Fields of fixed size are refused at one byte more or less", arguments: [-1, 1])
    func fixedSizes(change: Int) throws {
        for tag in [TLVTag.aaid, .assertionInfo, .counters] {
            let registered = Self.registrationFields.map { resized($0, tag, by: change) }
            #expect(throws: TLVError.self) { try registration(registered) }
            let signed = Self.signedFields.map { resized($0, tag, by: change) }
            #expect(throws: TLVError.self) { try authentication(signed) }
        }
    }

    private func resized(_ field: (TLVTag, [UInt8]), _ tag: TLVTag, by change: Int) -> (TLVTag, [UInt8]) {
        guard field.0 == tag else { return field }
        return (tag, change < 0 ? Array(field.1.dropLast()) : field.1 + [0x30])
    }

    @Test("A nonce of seven bytes is refused, one of eight accepted")
    func nonce() throws {
        var fields = Self.signedFields
        fields[2].1 = [UInt8](repeating: 0, count: 7)
        #expect(throws: TLVError.self) { try authentication(fields) }
        fields[2].1.append(0)
        #expect(throws: Never.self) { try authentication(fields) }
    }

    @Test("An unknown critical tag is refused, an unknown other one skipped but kept among the signed bytes")
    func unknownTags() throws {
        let critical = TLVTag(rawValue: 0x2EFE)
        #expect(throws: TLVError.self) { try registration(Self.registrationFields + [(critical, [1])]) }
        let other = try registration(Self.registrationFields + [(TLVTag(rawValue: 0x0201), [1, 2, 3])])
        #expect(other.keyRegistrationData.octets.suffix(3) == [1, 2, 3])
    }

    @Test("An unknown composite tag is not entered")
    func unknownComposite() throws {
        let fields = Self.registrationFields + [(TLVTag(rawValue: 0x1ABC), [UInt8](repeating: 0xFF, count: 5))]
        #expect(throws: Never.self) { try registration(fields) }
    }

    @Test("A tag with more than 14 bits is refused")
    func wideTag() {
        #expect(throws: TLVError.invalidTag(0x7E01, position: 0)) {
            try RegistrationAssertion(octets: [0x01, 0x7E, 0, 0])
        }
    }

    @Test("No attestation and two attestations are refused")
    func attestationCount() throws {
        #expect(throws: TLVError.attestationCount(0)) { try registration(beside: []) }
        #expect(throws: TLVError.attestationCount(2)) {
            try registration(beside: Self.surrogate + [(.attestationECDAA, [0x06, 0x2E, 1, 0, 9])])
        }
        #expect(throws: TLVError.attestationCount(2)) { try registration(beside: Self.surrogate + Self.surrogate) }
    }

    @Test("Full attestation needs a certificate, surrogate must not have one")
    func certificates() throws {
        let signature: [UInt8] = [0x06, 0x2E, 1, 0, 9]
        let certificate: [UInt8] = [0x05, 0x2E, 1, 0, 7]
        #expect(throws: TLVError.missingTag(.attestationCertificate)) {
            try registration(beside: [(.attestationBasicFull, signature)])
        }
        let full = try registration(beside: [(.attestationBasicFull, signature + certificate)])
        #expect(full.attestation == .full(signature: [9], certificates: [[7]]))
        #expect(throws: TLVError.self) {
            try registration(beside: [(.attestationBasicSurrogate, signature + certificate)])
        }
    }

    @Test("Later attestation types are unknown critical tags", arguments: [0x3E0A, 0x3E0B, 0x3E0C] as [UInt16])
    func laterAttestation(tag: UInt16) throws {
        #expect(throws: TLVError.self) { try registration(beside: [(TLVTag(rawValue: tag), [0x06, 0x2E, 1, 0, 9])]) }
    }

    @Test("An empty signature is refused")
    func emptySignature() throws {
        #expect(throws: TLVError.self) { try authentication(beside: [(.signature, [])]) }
        #expect(throws: TLVError.missingTag(.signature)) { try authentication(beside: []) }
        #expect(throws: TLVError.self) { try registration(beside: [(.attestationBasicSurrogate, [0x06, 0x2E, 0, 0])]) }
    }

    @Test("User verification index and state are read, up to 32 bytes")
    func pseudonyms() throws {
        let index = [UInt8](repeating: 7, count: 32)
        let both = Self.signedFields + [(.userVerificationIndex, index), (.userVerificationState, [1])]
        #expect(
            try authentication(both).signedData.userVerification == UserVerificationRecord(index: index, state: [1]))
        #expect(throws: TLVError.self) {
            try authentication(Self.signedFields + [(.userVerificationIndex, index + [0])])
        }
    }

    @Test("An assertion of more than 4096 bytes is refused, read or written")
    func tooLarge() throws {
        let limit = RegistrationAssertion.byteLimit
        #expect(throws: TLVError.tooLarge(byteCount: limit + 1, limit: limit)) {
            try RegistrationAssertion(octets: [UInt8](repeating: 0, count: limit + 1))
        }
        let good = try registration()
        let large = RegistrationAssertion(
            keyRegistrationData: good.keyRegistrationData,
            attestation: .surrogate(signature: [UInt8](repeating: 1, count: limit)))
        #expect(throws: TLVError.self) { try large.encoded() }
    }

    @Test("The extension fido.uaf.uvm has exactly eight bytes")
    func userVerificationMethod() {
        let used = UserVerificationMethodUsed(
            userVerification: .fingerprint, keyProtection: [.hardware, .trustedExecution], matcherProtection: .onChip)
        #expect(used.data == [2, 0, 0, 0, 6, 0, 4, 0])
        #expect(UserVerificationMethodUsed(data: used.data) == used)
        #expect(UserVerificationMethodUsed(data: used.data + [0]) == nil)
        #expect(UserVerificationMethodUsed(data: Array(used.data.dropLast())) == nil)
    }
}
