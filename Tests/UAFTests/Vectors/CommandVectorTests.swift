import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite("Authenticator Commands 1.1, 6: command vectors", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct CommandVectorTests {
    @Test("Every command and answer is read to the stated fields and written back to the same bytes")
    func cases() throws {
        for entry in try VectorFile.cases("client-commands.json") {
            let id = try entry.string("id")
            if entry["hex"] != nil {
                entry.requireOnly("id", "hex", "fields", "note")
                let octets = try entry.octets(hex: "hex")
                let fields = try entry.object("fields")
                if octets.count > 1, octets[1] == 0x34 {
                    try check(AuthenticatorCommand(octets: octets), fields, octets, id)
                } else {
                    try check(AuthenticatorResponse(octets: octets), fields, octets, id)
                }
            } else if entry["sha256"] != nil {
                try checkToken(entry, id)
            } else {
                try checkEndPoints(entry, id)
            }
        }
    }

    private func check(_ command: AuthenticatorCommand, _ fields: JSONObject, _ octets: [UInt8], _ id: String) throws {
        #expect(try command.encoded() == octets, "\(id)")
        switch command {
        case .getInfo: fields.requireOnly()
        case .openSettings(let index):
            fields.requireOnly("index")
            #expect(try Int(index) == fields.integer("index"))
        case .register(let command):
            fields.requireOnly(
                "index", "appID", "finalChallengeHash", "username", "attestationType", "khAccessToken")
            #expect(try Int(command.index) == fields.integer("index"))
            #expect(try command.appID?.text == fields.string("appID"))
            #expect(try command.finalChallengeHash == fields.octets(hex: "finalChallengeHash"))
            #expect(try command.username.text == fields.string("username"))
            #expect(try Int(command.attestationType.rawValue) == fields.integer("attestationType"))
            #expect(try command.accessToken == fields.octets(hex: "khAccessToken"))
        case .sign(let command): try check(command, fields)
        case .deregister(let command):
            fields.requireOnly("index", "appID", "keyID", "khAccessToken")
            #expect(try Int(command.index) == fields.integer("index"))
            #expect(command.appID?.json == fields["appID"])
            #expect(try (command.keyID?.octets ?? []) == fields.octets(hex: "keyID"))
            #expect(try command.accessToken == fields.octets(hex: "khAccessToken"))
        }
    }

    private func check(_ command: SignCommand, _ fields: JSONObject) throws {
        fields.requireOnly(
            "index", "appID", "finalChallengeHash", "transactionContent", "khAccessToken", "keyHandles")
        #expect(try Int(command.index) == fields.integer("index"))
        #expect(try command.appID?.text == fields.string("appID"))
        #expect(try command.finalChallengeHash == fields.octets(hex: "finalChallengeHash"))
        #expect(try command.transaction == .content(fields.octets(hex: "transactionContent")))
        #expect(try command.accessToken == fields.octets(hex: "khAccessToken"))
        let handles = try fields.values("keyHandles").map { try Hex.decode($0.asString()) }
        #expect(command.keyHandles == handles)
    }

    private func check(
        _ response: AuthenticatorResponse, _ fields: JSONObject, _ octets: [UInt8], _ id: String
    ) throws {
        #expect(try response.encoded() == octets, "\(id)")
        #expect(try Int(response.status.rawValue) == fields.integer("status"), "\(id)")
        switch response {
        case .getInfo(let authenticators): try check(authenticators, fields)
        case .register(let assertion, let keyHandle):
            fields.requireOnly("status", "assertion", "keyHandle")
            #expect(try assertion == fields.octets(hex: "assertion"))
            #expect(try keyHandle == fields.octets(hex: "keyHandle"))
        case .sign(.choices(let choices)):
            fields.requireOnly("status", "usernamesAndKeyHandles")
            let expected = try fields.values("usernamesAndKeyHandles").map { pair in
                try pair.asArray { value throws(JSONTypeError) in try value.asString() }
            }
            #expect(choices.map { [$0.username, Hex.encode($0.keyHandle)] } == expected)
        case .sign(.assertion), .deregister, .openSettings, .failure: fields.requireOnly("status")
        }
    }

    private func check(_ authenticators: [AuthenticatorDescription], _ fields: JSONObject) throws {
        fields.requireOnly("status", "apiVersion", "authenticators")
        let expected = try fields.objects("authenticators")
        try #require(expected.count == authenticators.count)
        for (one, fields) in zip(authenticators, expected) {
            fields.requireOnly(
                "index", "aaid", "authenticatorType", "maxKeyHandles", "userVerification", "keyProtection",
                "matcherProtection", "tcDisplay", "authenticationAlg", "tcDisplayContentType", "assertionScheme",
                "attestationTypes")
            let model = one.characteristics
            let found = JSONObject([
                "index": .integer(one.index), "aaid": one.aaid.json, "authenticatorType": .integer(one.traits.rawValue),
                "maxKeyHandles": .integer(one.maxKeyHandles), "userVerification": model.userVerification.json,
                "keyProtection": model.keyProtection.json, "matcherProtection": model.matcherProtection.json,
                "tcDisplay": model.transactionConfirmationDisplay.json,
                "authenticationAlg": model.authenticationAlgorithms[0].json,
                "tcDisplayContentType": one.displayContentType?.json, "assertionScheme": model.assertionScheme.json,
                "attestationTypes": .array(model.attestationTypes.map(\.json)),
            ])
            for member in found.members { #expect(fields[member.name] == member.value, "\(member.name)") }
        }
    }

    private func checkToken(_ entry: JSONObject, _ id: String) throws {
        entry.requireOnly("id", "note", "inputs", "sha256")
        let inputs = try entry.object("inputs")
        inputs.requireOnly("appID", "asmToken", "personaID", "callerID")
        let appID = try inputs.required("appID", as: AppID.self, rules: .strict)
        let token =
            inputs["asmToken"] == nil
            ? KeyHandleAccessToken.roaming(appID: appID)
            : KeyHandleAccessToken.bound(
                appID: appID, asmToken: try inputs.octets(hex: "asmToken"), personaID: try inputs.string("personaID"),
                callerID: try inputs.string("callerID"))
        #expect(try token == entry.octets(hex: "sha256"), "\(id)")
    }

    private func checkEndPoints(_ entry: JSONObject, _ id: String) throws {
        entry.requireOnly("id", "note", "cases")
        let identifiers = [
            "sha1WithRSAEncryption": "1.2.840.113549.1.1.5", "sha256WithRSAEncryption": "1.2.840.113549.1.1.11",
            "ecdsa-with-SHA384": "1.2.840.10045.4.3.3", "ecdsa-with-SHA512": "1.2.840.10045.4.3.4",
            "Ed25519": "1.3.101.112",
        ]
        let hashes: [String: ServerEndPointHash?] = [
            "SHA-256": .sha256, "SHA-384": .sha384, "SHA-512": .sha512, "absent": nil,
        ]
        for pair in try entry.values("cases") {
            let texts = try pair.asArray { value throws(JSONTypeError) in try value.asString() }
            try #require(texts.count == 2)
            let identifier = try #require(identifiers[texts[0]], "\(id)")
            let expected = try #require(hashes[texts[1]], "\(id)")
            #expect(ServerEndPointHash(signatureAlgorithm: identifier) == expected, "\(id) \(texts[0])")
        }
    }
}
