import CommandSupport
import MobileAuthentication
import StrictJSON

struct MismatchList {
    private let mismatches: [DeviceInformationMismatch]

    init(_ mismatches: [DeviceInformationMismatch]) {
        self.mismatches = mismatches
    }

    var text: TerminalText {
        guard !mismatches.isEmpty else { return "This phone and its servers agree." }
        let lines = mismatches.map { mismatch in
            let facts = mismatch.facts.map { "\($0.name) \(ForeignText.name($0.value))" }.joined(separator: ", ")
            return "- \(mismatch.explanation) (\(facts), \(mismatch.server.baseUrl.absoluteString))"
        }
        return TerminalText(lines: lines)
    }

    var json: [JSONValue] {
        mismatches.map { mismatch in
            var members = [
                JSONObject.Member("kind", .string(mismatch.kind)),
                JSONObject.Member("action", .string(mismatch.proposedAction.rawValue)),
                JSONObject.Member("explanation", .string(mismatch.explanation)),
                JSONObject.Member("server", .string(mismatch.server.baseUrl.absoluteString)),
            ]
            members += mismatch.facts.map { JSONObject.Member($0.name, .string($0.value)) }
            return .object(JSONObject(distinct: members))
        }
    }
}

extension DeviceInformationMismatch {
    var kind: String {
        switch self {
        case .MissingAuthenticatorInMobileDevice: "MissingAuthenticatorInMobileDevice"
        case .MissingAuthenticatorInServer: "MissingAuthenticatorInServer"
        case .MissingDeviceInformationInMobileDevice: "MissingDeviceInformationInMobileDevice"
        case .MissingDeviceInformationInServer: "MissingDeviceInformationInServer"
        case .DeviceNameMismatch: "DeviceNameMismatch"
        case .FcmRegistrationTokenMismatch: "FcmRegistrationTokenMismatch"
        @unknown default: "unknown"
        }
    }

    /// Attributes of the mismatch; push tokens are left out, because a token is enough to send to this phone.
    var facts: [(name: String, value: String)] {
        switch self {
        case .MissingAuthenticatorInMobileDevice(let keyID, let aaid, _): [("aaid", aaid), ("keyId", keyID)]
        case .MissingAuthenticatorInServer(let keyID, let aaid, let account):
            [("aaid", aaid), ("keyId", keyID), ("username", account.username)]
        case .MissingDeviceInformationInMobileDevice(let id, _): [("record", id)]
        case .MissingDeviceInformationInServer(let pair, _):
            [("record", pair.identifier), ("username", pair.username)]
        case .DeviceNameMismatch(let there, let here, _): [("nameInServer", there), ("nameInMobileDevice", here)]
        case .FcmRegistrationTokenMismatch(let there, let here, _):
            [("pushInServer", there == nil ? "off" : "on"), ("pushInMobileDevice", here == nil ? "off" : "on")]
        @unknown default: []
        }
    }

    /// Whether the repair removes something, on the phone or at the server.
    var isRemoval: Bool {
        switch proposedAction {
        case .removeFromServer, .removeFromMobileDevice: true
        case .sendToServer: false
        @unknown default: true
        }
    }
}

extension Phone {
    /// Mismatches between this phone and its servers; throws when a server could not be queried.
    func mismatches() async throws -> [DeviceInformationMismatch] {
        let result = await client.operations.deviceInformationCheck.perform()
        if let error = result.errors.first { throw error }
        return result.mismatches
    }

    /// Repairs mismatches; continues after an error and throws the first one at the end.
    func mend(_ mismatches: [DeviceInformationMismatch]) async throws {
        let result = await client.operations.deviceInformationSync.mismatches(mismatches).perform()
        if let error = result.errors.first { throw error }
    }
}
