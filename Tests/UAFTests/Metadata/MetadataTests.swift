import StrictJSON
import Testing
import UAF

@Suite("Metadata Statements 1.1, 4: statements and the product's catalogue")
struct MetadataTests {
    private static let methods = #"[[{"userVerification":4}]]"#
    private static let statement = [
        "aaid": #""F1D0#1001""#, "description": #""PIN""#, "authenticatorVersion": "1",
        "upv": #"[{"major":1,"minor":1}]"#, "assertionScheme": #""UAFV1TLV""#, "authenticationAlgorithm": "2",
        "publicKeyAlgAndEncoding": "257", "attestationTypes": "[15880]", "userVerificationDetails": methods,
        "keyProtection": "1", "matcherProtection": "1", "attachmentHint": "1", "isSecondFactorOnly": "false",
        "tcDisplay": "1", "tcDisplayContentType": #""text/plain""#, "attestationRootCertificates": "[]",
    ]

    private func read(
        _ changes: [String: String] = [:], without missing: String = ""
    ) throws -> MetadataStatement {
        let members = Self.statement.merging(changes) { $1 }.filter { $0.key != missing }
        return try MetadataStatement(json: JSONParser.parse(MessageSample.text(members)), rules: .strict)
    }

    @Test(
        "Public keys of roots stand in an extension of the closed product: in base64 or PEM, one or a list, also in a text"
    )
    func rootKeys() throws {
        let id = "nevis.auth.fido.uaf.google-attestation-root-keys"
        let pem = #"-----BEGIN PUBLIC KEY-----\nAAEC\n-----END PUBLIC KEY-----\n"#
        let forms = [#""AAEC""#, #"["AAEC"]"#, #""[\"AAEC\"]""#, #""\#(pem)""#]
        for data in forms {
            let statement = try read(["supportedExtensions": #"[{"id":"\#(id)","data":\#(data)}]"#])
            #expect(statement.attestationRootKeys == [[0, 1, 2]] && statement.supportedExtensions.isEmpty)
            #expect(try MetadataStatement(json: statement.json, rules: .strict) == statement)
        }
        let several = try read(["supportedExtensions": #"[{"id":"\#(id)","data":["AAEC","AAED"]}]"#])
        #expect(several.attestationRootKeys.count == 2)
        for data in ["1", "[]", #""""#, #"["?"]"#, #"[["AAEC"]]"#] {
            let error = #expect(throws: JSONTypeError.self) {
                try read(["supportedExtensions": #"[{"id":"\#(id)","data":\#(data)}]"#])
            }
            #expect(error?.path.prefix(3) == ["supportedExtensions", "0", "data"])
        }
    }

    @Test("A statement is read, written and read to an equal value")
    func roundTrip() throws {
        let details =
            #"[[{"userVerification":4,"caDesc":{"base":10,"minLength":4,"maxRetries":5}}],"#
            + #"[{"userVerification":2,"baDesc":{"FAR":0.002,"FRR":1e-2,"maxReferenceDataSets":3,"blockSlowdown":30}}],"#
            + #"[{"userVerification":128,"paDesc":{"minComplexity":34000}}]]"#
        let anchor = #"[{"X":"a","Y":"b","c":"c","sx":"d","sy":"e","G1Curve":"BN_P256"}]"#
        let extensions = #"[{"id":"x","data":{"a":1},"fail_if_unknown":false}]"#
        let statement = try read([
            "userVerificationDetails": details, "ecdaaTrustAnchors": anchor, "supportedExtensions": extensions,
            "icon": #""data:image/png;base64,AAAA""#, "attestationRootCertificates": #"["AAEC"]"#,
            "isKeyRestricted": "false", "protocolFamily": #""uaf""#,
        ])
        #expect(try MetadataStatement(json: statement.json, rules: .strict) == statement)
        #expect(statement.attestationRootCertificates == [[0, 1, 2]])
        #expect(statement.userVerification == [.passcode, .fingerprint, .pattern])
    }

    // MARK: - Files of the field

    private static let third = [
        "aaid": #""F1D0#1001""#, "description": #""PIN""#, "authenticatorVersion": "1", "protocolFamily": #""uaf""#,
        "schema": "3", "upv": #"[{"major":1,"minor":1}]"#,
        "authenticationAlgorithms": #"["secp256r1_ecdsa_sha256_der"]"#,
        "publicKeyAlgAndEncodings": #"["ecc_x962_der"]"#, "attestationTypes": #"["basic_surrogate"]"#,
        "userVerificationDetails": #"[[{"userVerificationMethod":"passcode_internal"}]]"#,
        "keyProtection": #"["software"]"#, "matcherProtection": #"["software"]"#, "attachmentHint": #"["internal"]"#,
        "tcDisplay": #"["any"]"#, "tcDisplayContentType": #""text/plain""#, "attestationRootCertificates": "[]",
    ]

    private func readThird(_ changes: [String: String] = [:]) throws -> MetadataStatement {
        let text = MessageSample.text(Self.third.merging(changes) { $1 })
        return try MetadataStatement(json: JSONParser.parse(text), rules: .strict)
    }

    @Test("A statement of schema 3, which has names for numbers, says the same as one of schema 2")
    func thirdSchema() throws {
        #expect(try readThird() == read(["protocolFamily": #""uaf""#]))
        let both = try readThird([
            "authenticationAlgorithms": #"["secp256r1_ecdsa_sha256_raw","rsa_emsa_pkcs1_sha256_der"]"#,
            "publicKeyAlgAndEncodings": #"["ecc_x962_raw","rsa_2048_der"]"#, "keyProtection": #"["hardware","tee"]"#,
            "matcherProtection": #"["tee"]"#, "attestationTypes": #"["basic_full","attca"]"#,
            "userVerificationDetails":
                #"[[{"userVerificationMethod":"fingerprint_internal","baDesc":{"selfAttestedFAR":0.1}}],"#
                + #"[{"userVerificationMethod":"passcode_external","caDesc":{"base":10,"minLength":4}}]]"#,
        ])
        #expect(both.signing.algorithm == .secp256r1ECDSASHA256Raw && both.signing.publicKeyFormat == .eccX962Raw)
        #expect(both.additionalSigningProfiles == [.rsa])
        #expect(both.keyProtection == [.hardware, .trustedExecution] && both.matcherProtection == .trustedExecution)
        #expect(both.attestationTypes.map(\.rawValue) == [0x3E07, 0x3E0A])
        #expect(both.userVerificationDetails.map { $0.map(\.userVerification.rawValue) } == [[2], [0x800]])
    }

    @Test(
        "A name that is not known, another family and nothing that goes together make a statement of schema 3 unreadable",
        arguments: [
            ("authenticationAlgorithms", #"["ed25519_eddsa_sha512_raw"]"#), ("authenticationAlgorithms", "[]"),
            ("publicKeyAlgAndEncodings", #"["rsa_2048_der"]"#), ("protocolFamily", #""fido2""#),
            ("keyProtection", #"["magic"]"#), ("attachmentHint", "1"), ("attestationTypes", #"[15879]"#),
            ("userVerificationDetails", #"[[{"userVerification":4}]]"#), ("upv", "[]"),
        ])
    func unknownNames(member: String, value: String) {
        #expect(throws: JSONTypeError.self) { try readThird([member: value]) }
    }

    @Test(
        "A certificate is read in lines, behind white space and between the lines of PEM",
        arguments: [
            #"\tAAECAwQF"#, #"AAEC\nAwQF"#, #"AAEC\r\nAwQF\r\n"#, #"  AAEC AwQF "#,
            #"-----BEGIN CERTIFICATE-----\nAAECAwQF\n-----END CERTIFICATE-----\n"#,
        ])
    func spreadCertificates(text: String) throws {
        let statement = try read(["attestationRootCertificates": "[\"\(text)\"]"])
        #expect(statement.attestationRootCertificates == [[0, 1, 2, 3, 4, 5]])
    }

    @Test(
        "Of a list the entries that cannot be read are left out by number, model and reason; a byte order mark is ignored"
    )
    func entries() throws {
        let good = MessageSample.text(Self.statement)
        let odd = MessageSample.text(
            Self.statement.merging(["keyProtection": #""x""#, "aaid": #""F1D0#1002""#]) { $1 })
        let list = #"[{"aaguid":"00","protocolFamily":"fido2"},\#(good),\#(odd),1]"#
        let entries = try MetadataEntries(document: [0xEF, 0xBB, 0xBF] + Array(list.utf8))
        #expect(entries.statements.map(\.aaid.text) == ["F1D0#1001"])
        #expect(entries.leftOut.map(\.number) == [1, 3, 4])
        #expect(entries.leftOut.map(\.aaid?.text) == [nil, "F1D0#1002", nil])
        #expect(entries.leftOut[1].error == .invalidMember(path: ["2", "keyProtection"], .wrongType))
        #expect(try MetadataEntries(document: Array(good.utf8)).statements.count == 1)
        #expect(throws: MessageError.self) { try MetadataEntries(document: Array(odd.utf8)) }
        #expect(throws: MessageError.self) { try MetadataEntries(document: Array("[".utf8)) }
    }

    @Test("Booleans written as strings are read")
    func stringBooleans() throws {
        #expect(try !read(["isSecondFactorOnly": #""false""#]).isSecondFactorOnly)
        #expect(try read(["isSecondFactorOnly": #""true""#]).isSecondFactorOnly)
        #expect(throws: JSONTypeError.self) { try read(["isSecondFactorOnly": #""no""#]) }
    }

    @Test("A statement without one of its required members is refused")
    func required() {
        for name in Self.statement.keys where name != "tcDisplayContentType" {
            #expect(throws: JSONTypeError.self, "\(name)") { try read(without: name) }
        }
    }

    @Test(
        "User verification is derived from the details",
        arguments: [
            (#"[[{"userVerification":2},{"userVerification":4}]]"#, 0x406),
            (#"[[{"userVerification":2}],[{"userVerification":4}]]"#, 0x006),
            (#"[[{"userVerification":346}]]"#, 346),
            (#"[[{"userVerification":2},{"userVerification":4}],[{"userVerification":16}]]"#, nil),
        ] as [(String, UInt32?)])
    func derived(details: String, expected: UInt32?) throws {
        #expect(try read(["userVerificationDetails": details]).userVerification?.rawValue == expected)
    }

    @Test("A model whose user verification cannot be expressed is matched by name only")
    func notExpressible() throws {
        let statement = try read([
            "userVerificationDetails":
                #"[[{"userVerification":2},{"userVerification":4}],[{"userVerification":16}]]"#
        ])
        #expect(statement.characteristics == nil)
        #expect(MatchCriteria(aaids: [statement.aaid]).matchesModel(statement.aaid, statement.characteristics))
        let described = MatchCriteria(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], assertionSchemes: [.uafV1TLV])
        #expect(!described.matchesModel(statement.aaid, statement.characteristics))
    }

    @Test("A hint about attachment is judged by the client only")
    func attachment() throws {
        let statement = try read()
        var criteria = MatchCriteria(aaids: [statement.aaid])
        criteria.attachmentHint = .nfc
        #expect(!criteria.matchesModel(statement.aaid, statement.characteristics))
        #expect(criteria.matchesModel(statement.aaid, statement.characteristics, judgingAttachment: false))
    }

    @Test("The product has ten models for phones, five of each platform, with the numbers of the vendor's table")
    func product() throws {
        let catalog = MetadataCatalog(Array(MetadataCatalog.product.statements.prefix(10)))
        let expected: [(String, UInt32, UInt16, UInt16)] = [
            ("F1D0#0001", 4, 1, 1), ("F1D0#0002", 2, 4, 2), ("F1D0#0003", 346, 4, 2), ("F1D0#0004", 132, 4, 2),
            ("F1D0#0005", 4, 1, 1), ("F1D0#1001", 4, 1, 1), ("F1D0#1002", 2, 6, 2), ("F1D0#1003", 16, 6, 2),
            ("F1D0#1004", 4, 6, 2), ("F1D0#1005", 4, 1, 1),
        ]
        #expect(catalog.statements.map(\.aaid.text) == expected.map(\.0))
        for (aaid, verification, keys, matcher) in expected {
            let statement = try catalog[AAID(aaid).unwrapped()].unwrapped()
            #expect(statement.userVerification?.rawValue == verification)
            #expect(statement.keyProtection.rawValue == keys && statement.matcherProtection.rawValue == matcher)
            let isAndroid = aaid.contains("#0")
            #expect(statement.authenticationAlgorithms.contains(.rsaPKCS1SHA256DER) == isAndroid)
            #expect(statement.authenticationAlgorithms.contains(.secp256r1ECDSASHA256DER))
            #expect(!MetadataLinter.warnings(for: statement).contains(.keyFormatContradictsAlgorithm))
            #expect(!MetadataLinter.warnings(for: statement).contains(.iconMissing))
            #expect(!MetadataLinter.warnings(for: statement).contains(.rootCertificatesInconsistent))
        }
        #expect(try MetadataCatalog(document: catalog.document) == catalog)
    }

    @Test("Linux has ten models more, which say whether a TPM holds the keys and that software compares")
    func linux() throws {
        let statements = MetadataCatalog.product.statements.dropFirst(10)
        let numbers = [0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2101, 0x2102, 0x2103, 0x2104, 0x2105]
        #expect(statements.map(\.aaid.text) == numbers.map { "FFFF#" + String($0, radix: 16) })
        for statement in statements {
            let hasChip = statement.aaid.text.hasPrefix("FFFF#20")
            #expect(statement.keyProtection == (hasChip ? .hardware : .software))
            #expect(statement.matcherProtection == .software)
            #expect(statement.authenticationAlgorithms == [.secp256r1ECDSASHA256DER])
            #expect(statement.attestationTypes == [.basicSurrogate])
            #expect(MetadataLinter.warnings(for: statement) == [.displayKindUndeclared])
        }
        let methods = statements.prefix(5).map { $0.userVerificationDetails.map { $0.map(\.userVerification) } }
        #expect(
            methods == [
                [[.passcode]], [[.fingerprint], [.passcode]], [[.faceprint], [.passcode]], [[.passcode]], [[.passcode]],
            ])
    }

    @Test("The vendor's own Android entry is read, corrected by known alternatives and warned about")
    func vendorEntry() throws {
        let statement = try read([
            "aaid": #""f1d0#0003""#, "authenticationAlgorithm": "9", "publicKeyAlgAndEncoding": "256",
            "userVerificationDetails": #"[[{"userVerification":346}]]"#, "keyProtection": "4",
            "matcherProtection": "2",
        ])
        #expect(statement.authenticationAlgorithms == [.rsaPKCS1SHA256DER, .secp256r1ECDSASHA256DER])
        #expect(
            Set(MetadataLinter.warnings(for: statement))
                == [
                    .keyFormatContradictsAlgorithm, .severalMethodsInOneDescriptor, .keyProtectionLacksHardware,
                    .displayKindUndeclared, .iconMissing,
                ])
    }

    @Test(
        "Contradictions are warned about",
        arguments: [
            (["keyProtection": "3"], .keyProtectionInconsistent), (["keyProtection": "0"], .keyProtectionInconsistent),
            (["keyProtection": "12"], .keyProtectionInconsistent),
            (["matcherProtection": "3"], .matcherProtectionInconsistent),
            (["attachmentHint": "3"], .attachmentHintInconsistent),
            (["attachmentHint": "0"], .attachmentHintInconsistent),
            (["tcDisplay": "0"], .displayContentInconsistent),
            (["tcDisplayContentType": #""image/png""#], .displayContentInconsistent),
            (["attestationTypes": "[15879]"], .rootCertificatesInconsistent),
            (["attestationRootCertificates": #"["AAEC"]"#], .rootCertificatesInconsistent),
            (["upv": #"[{"major":1,"minor":0}]"#], .versionMissing),
        ] as [([String: String], MetadataWarning)])
    func contradictions(changes: [String: String], warning: MetadataWarning) throws {
        #expect(MetadataLinter.warnings(for: try read(changes)).contains(warning))
        #expect(!MetadataLinter.warnings(for: try read()).contains(warning))
    }

    @Test("A file holds one statement or an array; the last of several for one model wins")
    func documents() throws {
        var second = Self.statement
        second["description"] = #""other""#
        let one = MessageSample.text(Self.statement)
        let aaid = try AAID("F1D0#1001").unwrapped()
        #expect(try MetadataCatalog(document: Array(one.utf8))[aaid]?.description == "PIN")
        let both = "[\(one),\(MessageSample.text(second))]"
        #expect(try MetadataCatalog(document: Array(both.utf8))[aaid]?.description == "other")
        #expect(throws: MessageError.self) { try MetadataCatalog(document: Array("{".utf8)) }
        #expect(throws: MessageError.self) { try MetadataCatalog(document: Array("[{}]".utf8)) }
        let merged = try MetadataCatalog.product.merging(MetadataCatalog(document: Array(one.utf8)))
        #expect(
            merged[aaid]?.description == "PIN" && merged.statements.count == MetadataCatalog.product.statements.count)
    }
}
