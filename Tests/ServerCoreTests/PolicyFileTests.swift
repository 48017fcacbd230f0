import ServerCore
import StrictJSON
import Testing
import UAF

@Suite("Policy files: UAF JSON, and the extensions of the closed product")
struct PolicyFileTests {
    private static let android = "ch.nevis.auth.fido.uaf.android-app-attestation-policy"
    private static let apple = "ch.nevis.auth.fido.uaf.ios-app-attestation-policy"
    private static let keys = "ch.nevis.auth.fido.uaf.android-key-attestation-verifications"

    private func read(_ text: String) throws(PolicyFile.Fault) -> PolicyFile { try PolicyFile(Array(text.utf8)) }

    /// A policy that accepts one model with extensions.
    private func demands(_ extensions: String) throws -> [PolicyDemand] {
        let file = try read(#"{"accepted":[[{"aaid":["F1D0#0001"],"exts":[\#(extensions)]}]]}"#)
        #expect(file.policy.accepted == [[MatchCriteria(aaids: try [#require(AAID("F1D0#0001"))])]])
        return file.demands.alternatives.first ?? []
    }

    private func statement(_ id: String, _ data: String? = nil) -> String {
        let text = data.map { JSONWriter.text(.string($0)) }
        return #"{"id":"\#(id)"\#(text.map { #","data":\#($0)"# } ?? "")}"#
    }

    @Test("Each member of the dictionary is taken")
    func whole() throws {
        let keyID = String(repeating: "A", count: 43)
        let file = try read(
            """
            {"accepted": [[{"vendorID": ["F1D0"], "keyIDs": ["\(keyID)"], "userVerification": 18, "keyProtection": 6,
              "matcherProtection": 2, "attachmentHint": 1, "tcDisplay": 3, "authenticationAlgorithms": [2, 9],
              "assertionSchemes": ["UAFV1TLV"], "attestationTypes": [15879, 15880], "authenticatorVersion": 2,
              "exts": [{"id": "a", "data": "b", "fail_if_unknown": false}]}],
             [{"aaid": ["F1D0#0001"]}, {"aaid": ["F1D0#0002"], "keyIDs": ["\(keyID)"], "attachmentHint": 1,
              "authenticatorVersion": 3}]],
             "disallowed": [{"aaid": ["F1D0#0005"]}]}
            """)
        let criteria = try #require(file.policy.accepted.first?.first)
        #expect(criteria.vendorIDs?.map(\.number) == [0xF1D0] && criteria.keyIDs?.count == 1)
        #expect(criteria.userVerification?.rawValue == 18 && criteria.keyProtection == [.hardware, .trustedExecution])
        #expect(criteria.matcherProtection?.rawValue == 2 && criteria.attachmentHint == .internal)
        #expect(criteria.transactionConfirmationDisplay?.rawValue == 3)
        #expect(criteria.authenticationAlgorithms?.map(\.rawValue) == [2, 9])
        #expect(criteria.assertionSchemes == [.uafV1TLV] && criteria.authenticatorVersion == 2)
        #expect(criteria.attestationTypes == [.basicFull, .basicSurrogate])
        #expect(criteria.extensions.map(\.id.text) == ["a"])
        #expect(file.policy.accepted.map(\.count) == [1, 2] && file.policy.disallowed.count == 1)
        #expect(file.demands.isEmpty)
    }

    @Test("Applications are demanded by name, or all that the server takes, also without a word on unknown receivers")
    func applications() throws {
        #expect(try demands(statement(Self.android)) == [PolicyDemand(packages: [])])
        #expect(try demands(statement(Self.android, "{}")) == [PolicyDemand(packages: [])])
        #expect(try demands(statement(Self.apple)) == [PolicyDemand(bundles: [])])
        let named = [
            statement(Self.android, #"{ "allowed_package_names": [ "a.b" ] }"#),
            statement(Self.apple, #"{ "allowed_bundle_ids": [ "c.d" ] }"#),
        ]
        #expect(try demands(named.joined(separator: ",")) == [PolicyDemand(packages: ["a.b"], bundles: ["c.d"])])
        let flagged = #"{"id":"\#(Self.android)","data":"{}","fail_if_unknown":true}"#
        #expect(try demands(flagged) == [PolicyDemand(packages: [])])
    }

    @Test("Demands on devices are alternatives, each with what it names")
    func devices() throws {
        var chip = AndroidDeviceDemand()
        chip.isStrongBoxRequired = true
        chip.isVerifiedBootRequired = false
        var patched = AndroidDeviceDemand()
        patched.oldestPatchLevel = 202_601
        patched.patchAge = 6
        patched.isRollbackResistanceRequired = true
        let texts = [
            #"{"security_level":"STRONG_BOX"}"#,
            #"{"security_level":"TRUSTED_ENVIRONMENT","verified_boot":true,"oldest_patch_level":202601,"#
                + #""max_patch_age_months":6,"rollback_resistance":true}"#,
        ]
        let both = try demands(statement(Self.keys, "[\(texts.joined(separator: ","))]"))
        #expect(both == [PolicyDemand(packages: [], device: chip), PolicyDemand(packages: [], device: patched)])
        let one = try demands(statement(Self.keys, texts[0]) + "," + statement(Self.android))
        #expect(one == [PolicyDemand(packages: [], device: chip)])
    }

    @Test("Extensions of the policy hold for each of its alternatives")
    func everywhere() throws {
        let file = try read(
            """
            {"accepted": [[{"aaid": ["F1D0#0001"]}], [{"aaid": ["F1D0#1001"], "exts": [\(statement(Self.apple))]}]],
             "exts": [\(statement(Self.android))]}
            """)
        #expect(
            file.demands.alternatives
                == [[PolicyDemand(packages: [])], [PolicyDemand(packages: [], bundles: [])]])
    }

    @Test("A revision keeps the demands; the policy in it is the one that UAF knows")
    func revision() throws {
        let file = try read(
            #"{"accepted":[[{"aaid":["F1D0#0001"],"exts":[\#(statement(Self.keys, #"{"verified_boot":true}"#))]}]]}"#)
        let json = try JSONParser.parse(JSONWriter.write(file.demands.json(with: file.policy)))
        #expect(try PolicyDemands(json: json) == file.demands)
        #expect(try Policy(json: json, rules: .strict) == file.policy)
        #expect(PolicyDemands().json(with: file.policy) == file.policy.json)
    }

    /// A text that is refused, and the beginning of the words.
    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let words: String

        init(_ testDescription: String, _ text: String, _ words: String) {
            self.testDescription = testDescription
            self.text = text
            self.words = words
        }

        /// With one accepted alternative.
        static func criteria(_ name: String, _ members: String, _ words: String) -> Hostile {
            Hostile(name, "{\n\"accepted\": [[\n{\(members)}]]}", words)
        }

        /// With one extension.
        static func statement(_ name: String, _ id: String, _ data: String, _ words: String) -> Hostile {
            let text = JSONWriter.text(.string(data))
            return criteria(
                name, #""aaid":["F1D0#0001"],"# + "\n" + #""exts":[{"id":"\#(id)","# + "\n" + #""data":\#(text)}]"#,
                words)
        }
    }

    private static let model = #""aaid":["F1D0#0001"]"#
    private static let described = #""authenticationAlgorithms":[2],"assertionSchemes":["UAFV1TLV"]"#
    private static let place = "accepted.0.0"

    private static let hostile: [Hostile] = [
        Hostile("nothing", "", "1:1: is no JSON"), Hostile("no object", "[]", "1:1: must be of the type object"),
        Hostile("no accepted set", "{}", "1:1: accepted: must be given"),
        Hostile("an empty list", "{\n\"accepted\":[]}", "2:1: accepted: is out of range, or empty"),
        Hostile("an empty set", "{\"accepted\":\n[[]]}", "1:2: accepted.0: is out of range, or empty"),
        Hostile("one dimension", #"{"accepted":[{}]}"#, "1:2: accepted.0: must be of the type array"),
        Hostile(
            "an unknown member", "{\"accepted\":[[{\(model)}]],\n\"require\":1}", "2:1: require: stands for nothing"),
        Hostile("a repeated member", "{\n\"accepted\":[[{\(model),\n\(model)}]]}", "3:"),
        Hostile(
            "a repeated member with an escape", "{\"accepted\":[[{\(model)}]],\n\"\\u0061ccepted\":[]}", "2:"),
        Hostile("10 MB", String(repeating: " ", count: 10_000_000), "1:1: is larger than 262144 bytes"),
        Hostile("100,000 levels", String(repeating: "[", count: 100_000), "1:"),
        Hostile(
            "2,000 sets",
            "{\"accepted\":[" + Array(repeating: "[{\(model)}]", count: 2_000).joined(separator: ",") + "]}",
            "1:"),
        Hostile("text behind it", "{\"accepted\":[[{\(model)}]]}\n{}", "2:1: is no JSON"),
        .criteria("an unknown criterion", model + ",\n\"colour\":1", "4:1: \(place).colour: stands for nothing here"),
        .criteria("a description beside a model", model + ",\"keyProtection\":1", "3:2: \(place).aaid: with aaid only"),
        .criteria(
            "no algorithm", #""assertionSchemes":["UAFV1TLV"]"#, "3:2: \(place).authenticationAlgorithms: must be"),
        .criteria("no scheme", #""authenticationAlgorithms":[2]"#, "3:2: \(place).assertionSchemes: must be given"),
        .criteria(
            "a text for a number", described + ",\n\"userVerification\":\"2\"", "4:1: \(place).userVerification: "),
        .criteria(
            "a number that is too large", described + ",\n\"keyProtection\":65536", "4:1: \(place).keyProtection: "),
        .criteria("a wrong model", #""aaid":["F1D0"]"#, "3:10: \(place).aaid.0: is not of the required form"),
        .criteria("no models", #""aaid":[]"#, "3:2: \(place).aaid: is out of range, or empty"),
        .criteria("a key ID that is none", model + #","keyIDs":["!"]"#, "3:33: \(place).keyIDs.0: "),
        .criteria(
            "an extension that must be known", model + #","exts":[{"id":"a","data":"","fail_if_unknown":true}]"#,
            "3:51: \(place).exts.0.fail_if_unknown: this server does not know"),
        .criteria(
            "an unknown identifier of 33 characters",
            model + #","exts":[{"id":"\#(String(repeating: "a", count: 33))","data":"","fail_if_unknown":false}]"#,
            "3:32: \(place).exts.0.id: is out of range, or empty"),
        .criteria(
            "a statement that is demanded twice", model + #","exts":[{"id":"\#(android)"},{"id":"\#(android)"}]"#,
            "3:95: \(place).exts.1.id: is longer than 32 characters, or stands there twice"),
        .criteria(
            "an unknown member of an extension", model + #","exts":[{"id":"\#(android)","flag":true}]"#,
            "3:93: \(place).exts.0.flag: stands for nothing here"),
        .criteria("device demands without data", model + #","exts":[{"id":"\#(keys)"}]"#, "3:"),
        Hostile(
            "statements beside another authenticator",
            #"{"accepted":[[{"aaid":["F1D0#0001"],"exts":[{"id":"\#(android)"}]},{"aaid":["F1D0#0002"]}]]}"#,
            "1:16: accepted.0: a set of several authenticators cannot demand statements"),
        Hostile(
            "statements of a disallowed authenticator",
            #"{"accepted":[[{\#(model)}]],"disallowed":[{"aaid":["F1D0#0002"],"exts":[{"id":"\#(android)"}]}]}"#,
            "1:76: disallowed.0.exts: only accepted sets can demand statements"),
        Hostile(
            "another extension of the policy",
            #"{"accepted":[[{\#(model)}]],"exts":[{"id":"a","data":"","fail_if_unknown":false}]}"#,
            "1:40: exts: only accepted sets"),
        .statement("data that are no JSON", android, "{", "5:1: \(place).exts.0.data: is not of the required form"),
        .statement("data of another type", android, "[]", "5:1: \(place).exts.0.data: must be of the type object"),
        .statement(
            "a list without names", android, #"{"allowed_package_names":[]}"#, "5:1: \(place).exts.0.data.allowed"),
        .statement("the list of the other platform", apple, #"{"allowed_package_names":["a"]}"#, "5:1: "),
        .statement("a name that is none", apple, #"{"allowed_bundle_ids":[""]}"#, "5:1: "),
        .statement("no alternative", keys, "[]", "5:1: \(place).exts.0.data: is out of range, or empty"),
        .statement("a level that is software", keys, #"{"security_level":"SOFTWARE"}"#, "5:1: "),
        .statement("month 13", keys, #"{"oldest_patch_level":202613}"#, "5:1: "),
        .statement("a negative age", keys, #"{"max_patch_age_months":-1}"#, "5:1: "),
        .statement(
            "an unknown member of an alternative", keys, #"[{"verified_boot":true},{"bootloader":"locked"}]"#,
            "5:1: \(place).exts.0.data.1.bootloader: stands for nothing here"),
    ]

    @Test("A file with a fault is refused with line, column, path and cause", arguments: hostile)
    func refuses(hostile: Hostile) {
        let fault = #expect(throws: PolicyFile.Fault.self) { try read(hostile.text) }
        let words = fault?.description ?? ""
        #expect(words.hasPrefix(hostile.words), "\(words)")
    }
}
