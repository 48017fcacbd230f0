import StrictJSON
import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.1.12 and 3.1.13: rules of policies")
struct PolicyRuleTests {
    private func policy(_ text: String) throws -> Policy {
        try Policy(json: JSONParser.parse(text), rules: .strict)
    }

    private func fault(_ text: String) -> MemberFault? {
        do {
            _ = try policy(text)
            return nil
        } catch let error as JSONTypeError {
            guard case .invalidMember(_, let fault) = MessageError(error) else { return nil }
            return fault
        } catch {
            return nil
        }
    }

    private static let good = #"{"aaid":["F1D0#1001"]}"#

    @Test(
        "A named model may only be narrowed by keys, attachment, version and extensions",
        arguments: [
            (#""keyIDs":["AAAA"]"#, true), (#""attachmentHint":1"#, true), (#""authenticatorVersion":2"#, true),
            (#""exts":[{"id":"a","data":"","fail_if_unknown":false}]"#, true), (#""vendorID":["F1D0"]"#, false),
            (#""userVerification":2"#, false), (#""keyProtection":2"#, false), (#""matcherProtection":2"#, false),
            (#""tcDisplay":1"#, false), (#""authenticationAlgorithms":[2]"#, false),
            (#""assertionSchemes":["UAFV1TLV"]"#, false), (#""attestationTypes":[15880]"#, false),
        ])
    func combination(member: String, isAllowed: Bool) {
        let criteria = #"{"aaid":["F1D0#1001"],\#(member)}"#
        #expect((fault(#"{"accepted":[[\#(criteria)]]}"#) == nil) == isAllowed)
        #expect((fault(#"{"accepted":[[\#(Self.good)]],"disallowed":[\#(criteria)]}"#) == nil) == isAllowed)
    }

    @Test("Without a model both algorithms and schemes are needed, in accepted and in disallowed")
    func description() {
        for (criteria, isAllowed) in [
            (#"{"authenticationAlgorithms":[2],"assertionSchemes":["UAFV1TLV"]}"#, true),
            (#"{"authenticationAlgorithms":[2]}"#, false), (#"{"assertionSchemes":["UAFV1TLV"]}"#, false),
            ("{}", false),
        ] {
            #expect((fault(#"{"accepted":[[\#(criteria)]]}"#) == nil) == isAllowed)
            #expect((fault(#"{"accepted":[[\#(Self.good)]],"disallowed":[\#(criteria)]}"#) == nil) == isAllowed)
        }
    }

    @Test(
        "Members of another type are refused",
        arguments: [
            #""aaid":"F1D0#1001""#, #""aaid":[1]"#, #""aaid":["F1D0#100"]"#, #""aaid":["F1D0-1001"]"#, #""aaid":[]"#,
            #""vendorID":["F1D"]"#, #""vendorID":["G1D0"]"#, #""keyIDs":["***"]"#, #""keyIDs":[""]"#,
            #""keyIDs":"AAAA""#,
            #""userVerification":"2""#, #""userVerification":4294967296"#, #""keyProtection":65536"#,
            #""matcherProtection":-1"#, #""attachmentHint":1.5"#, #""tcDisplay":true"#,
            #""authenticationAlgorithms":2"#, #""authenticationAlgorithms":["2"]"#, #""assertionSchemes":[1]"#,
            #""attestationTypes":[null]"#, #""authenticatorVersion":"1""#, #""exts":{}"#, #""exts":["x"]"#,
            #""aaid":null"#,
        ])
    func types(member: String) {
        #expect(fault(#"{"accepted":[[{\#(member)}]]}"#) != nil)
        #expect(fault(#"{"accepted":[[\#(Self.good)]],"disallowed":[{\#(member)}]}"#) != nil)
    }

    @Test("Accepted is two-dimensional and nowhere empty; disallowed is an array if it is there")
    func shape() {
        for text in [
            "{}", #"{"accepted":null}"#, #"{"accepted":[]}"#, #"{"accepted":[[]]}"#, #"{"accepted":{}}"#,
            #"{"accepted":[\#(Self.good)]}"#, #"{"accepted":[[1]]}"#,
            #"{"accepted":[[\#(Self.good)]],"disallowed":{}}"#, #"{"accepted":[[\#(Self.good)]],"disallowed":null}"#,
        ] { #expect(fault(text) != nil) }
        #expect(fault(#"{"accepted":[[\#(Self.good)]]}"#) == nil)
        #expect(fault(#"{"accepted":[[\#(Self.good)]],"disallowed":[]}"#) == nil)
    }

    @Test("An AAID is the same whatever the case of its digits")
    func aaidCase() {
        #expect(AAID("f1d0#10ab") == AAID("F1D0#10AB"))
        #expect(AAID("f1d0#10ab")?.text == "F1D0#10AB")
        #expect(AAID("F1D0#1001 ") == nil)
        #expect(AAID("F1D0#100١") == nil)
    }

    @Test(
        "User verification: worked examples of the rule",
        arguments: [
            (2, 1023, true), (1042, 18, false), (1042, 1042, true), (18, 2, true), (4, 2, false),
        ] as [(UInt32, UInt32, Bool)])
    func userVerification(authenticator: UInt32, criteria: UInt32, matches: Bool) {
        #expect(
            UserVerification(rawValue: criteria).accepts(UserVerification(rawValue: authenticator)) == matches)
    }

    @Test("The attestation asked for is the first preference that the model supports")
    func attestation() {
        var model = AuthenticatorCharacteristics(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], userVerification: .passcode,
            keyProtection: .software, matcherProtection: .software)
        model.attestationTypes = [.basicSurrogate, .basicFull]
        var criteria = MatchCriteria(aaids: [])
        #expect(criteria.attestationType(for: model) == .basicSurrogate)
        criteria.attestationTypes = [.ecdaa, .basicFull, .basicSurrogate]
        #expect(criteria.attestationType(for: model) == .basicFull)
        criteria.attestationTypes = [.ecdaa]
        #expect(criteria.attestationType(for: model) == nil)
    }

    @Test("A criteria with an unknown critical extension cannot be judged")
    func criticalExtension() throws {
        let text = #"{"aaid":["F1D0#1001"],"exts":[{"id":"x","data":"","fail_if_unknown":true}]}"#
        let evaluation = PolicyEvaluation(candidates: [], purpose: .registration)
        let policies = [
            try policy(#"{"accepted":[[\#(text)]]}"#),
            try policy(#"{"accepted":[[\#(Self.good)]],"disallowed":[\#(text)]}"#),
        ]
        for policy in policies {
            #expect(throws: MessageError.unknownCriticalExtension) { try evaluation.choices(for: policy) }
            #expect(throws: Never.self) {
                try evaluation.choices(for: policy, knownExtensions: [ExtensionID("x").unwrapped()])
            }
        }
    }

    @Test("A transaction needs a display that shows one of its forms")
    func transactionDisplay() throws {
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], userVerification: .passcode,
            keyProtection: .software, matcherProtection: .software)
        let aaid = try AAID("F1D0#1001").unwrapped()
        let keyID = try KeyID([UInt8](repeating: 1, count: 32)).unwrapped()
        let policy = Policy(accepted: [[MatchCriteria(aaids: [aaid])]])
        let blind = AuthenticatorCandidate(aaid: aaid, characteristics: characteristics, keyIDs: [keyID])
        characteristics.transactionConfirmationDisplay = .any
        var seeing = AuthenticatorCandidate(aaid: aaid, characteristics: characteristics, keyIDs: [keyID])
        seeing.displayContentType = .plainText
        for (form, expected) in [([ContentType.plainText], [[1]]), ([.png], []), ([], [[0], [1]])] {
            let evaluation = PolicyEvaluation(candidates: [blind, seeing], purpose: .authentication(showing: form))
            #expect(try evaluation.choices(for: policy).map { $0.map(\.candidate) } == expected)
        }
    }

    @Test("A hostile set of many criteria ends within a bounded number of steps")
    func boundedSearch() {
        var search = AssignmentSearch(stepLimit: 1_000)
        let everything = [[Int]](repeating: Array(0..<12), count: 12)
        #expect(search.assignments(of: everything).count < 1_000)
        #expect(search.assignments(of: everything).isEmpty)
    }
}
