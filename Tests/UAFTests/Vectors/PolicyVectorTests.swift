import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "UAF Protocol 1.1, 3.4.6.1 and 3.5.7.1: policy vectors", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct PolicyVectorTests {
    @Test("Every policy gives the stated choices in the stated order, or the stated error")
    func cases() throws {
        for entry in try VectorFile.cases("client-policy.json") {
            entry.requireOnly("id", "op", "authenticators", "policy", "expectedCombinations", "error", "why")
            let id = try entry.string("id")
            let expected = try entry.values("expectedCombinations").map { tuple in
                try tuple.asArray { value throws(JSONTypeError) in try value.asString() }
            }
            let result = try evaluate(entry)
            #expect(result.choices == expected, "\(id)")
            #expect(result.error == entry["error"]?.errorCode, "\(id)")
        }
    }

    private func evaluate(_ entry: JSONObject) throws -> (choices: [[String]], error: ClientErrorCode?) {
        let candidates = try entry.objects("authenticators").map(candidate)
        let purpose: PolicyEvaluation.Purpose
        switch try entry.string("op") {
        case "Reg": purpose = .registration
        case "Auth": purpose = .authentication(showing: [])
        case let other: throw UnknownExpectation(text: other)
        }
        do {
            let policy = try Policy(json: #require(entry["policy"]), rules: .strict)
            let choices = try PolicyEvaluation(candidates: candidates, purpose: purpose).choices(for: policy)
            let names = choices.map { $0.map { candidates[$0.candidate].aaid.text } }
            return (names, names.isEmpty ? .noSuitableAuthenticator : nil)
        } catch let error as JSONTypeError {
            return ([], MessageError(error).clientErrorCode)
        }
    }

    private func candidate(_ members: JSONObject) throws -> AuthenticatorCandidate {
        members.requireOnly(
            "aaid", "assertionScheme", "authenticationAlgorithm", "attestationTypes", "userVerification",
            "keyProtection", "matcherProtection", "attachmentHint", "tcDisplay", "isSecondFactorOnly", "keyIDs")
        return AuthenticatorCandidate(
            aaid: try members.required("aaid", rules: .strict),
            characteristics: try AuthenticatorCharacteristics(members: members),
            keyIDs: try members.list("keyIDs", rules: .strict))
    }
}

extension AuthenticatorCharacteristics {
    /// Reads the characteristics of a candidate.
    fileprivate init(members: JSONObject) throws(JSONTypeError) {
        let rules = DecodingRules.strict
        self.init(
            authenticationAlgorithms: [try members.required("authenticationAlgorithm", rules: rules)],
            userVerification: try members.required("userVerification", rules: rules),
            keyProtection: try members.required("keyProtection", rules: rules),
            matcherProtection: try members.required("matcherProtection", rules: rules))
        assertionScheme = try members.required("assertionScheme", rules: rules)
        attestationTypes = try members.requiredArray("attestationTypes", rules: rules)
        attachmentHint = try members.required("attachmentHint", rules: rules)
        transactionConfirmationDisplay = try members.required("tcDisplay", rules: rules)
        isSecondFactorOnly = try members.required("isSecondFactorOnly") { value throws(JSONTypeError) in
            try value.asBool()
        }
    }
}

/// A vector expects something this test does not know.
struct UnknownExpectation: Error {
    let text: String
}
