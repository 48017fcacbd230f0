import StrictJSON
import UAF

extension SessionStatus: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            status: Status(rawValue: try members.string("status")), timestamp: try members.string("timestamp"),
            outcome: try Outcome(members),
            tokenInformation: try members.optional("tokenInformation", TokenInformation.init(json:)),
            result: try members.optionalString("result"))
        self = carrying(receipt: try members.optionalString("receipt"))
    }

    var json: JSONValue {
        var members: JSONObject = ["status": .string(status.rawValue), "timestamp": .string(timestamp)]
        for member in outcome.members.members { members.append(member.name, member.value) }
        members.append("tokenInformation", tokenInformation?.json)
        members.append("result", result.map(JSONValue.string))
        members.append("receipt", receipt.map(JSONValue.string))
        return .object(members)
    }
}

extension SessionStatus.Outcome {
    init(_ members: JSONObject) throws(JSONTypeError) {
        self.init(
            userID: try members.optionalString("userId"),
            uafStatus: try members.optionalInteger("uafStatusCode").map(StatusCode.init(rawValue:)),
            asmStatus: try members.optionalInteger("asmStatusCode").map(ASMStatus.init(rawValue:)),
            clientErrorCode: try members.optionalInteger("clientErrorCode").map(ClientErrorCode.init(rawValue:)),
            isReported: try members.optional("reported") { value throws(JSONTypeError) in try value.asBool() } ?? false,
            authenticators: try members.optional("authenticators") { value throws(JSONTypeError) in
                try value.asArray(SessionStatus.UsedAuthenticator.init(json:))
            } ?? [])
    }

    var members: JSONObject {
        [
            "userId": userID.map(JSONValue.string),
            "uafStatusCode": (uafStatus?.rawValue).map(JSONValue.integer),
            "asmStatusCode": (asmStatus?.rawValue).map(JSONValue.integer),
            "clientErrorCode": (clientErrorCode?.rawValue).map(JSONValue.integer),
            "reported": isReported ? .bool(true) : nil,
            "authenticators": authenticators.isEmpty ? nil : .array(authenticators.map(\.json)),
        ]
    }
}

extension SessionStatus.TokenInformation: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            dispatchTargetExternalID: try members.optionalString("dispatchTargetExtId"),
            result: try members.optional("tokenResult") { value throws(JSONTypeError) in
                guard let result = SessionStatus.TokenResult(rawValue: try value.asString()) else {
                    throw JSONTypeError(.outOfRange)
                }
                return result
            },
            dispatcherInformation: try members.optional("dispatcherInformation", DispatcherInformation.init(json:)))
    }

    var json: JSONValue {
        .object([
            "dispatchTargetExtId": dispatchTargetExternalID.map(JSONValue.string),
            "tokenResult": (result?.rawValue).map(JSONValue.string),
            "dispatcherInformation": dispatcherInformation?.json,
        ])
    }
}

extension SessionStatus.UsedAuthenticator: StrictlyCoded {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(credential: try CredentialID(members, keyID: "keyId"), externalID: try members.string("extId"))
    }

    var json: JSONValue {
        .object([
            "aaid": .string(credential.aaid.text), "keyId": .string(credential.keyID.base64URL),
            "extId": .string(externalID),
        ])
    }
}
