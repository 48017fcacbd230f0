import MobileAuthentication
import StrictJSON

/// In what a phone and its servers do not agree, as a list for people and for programs.
struct MismatchList {
    private let mismatches: [DeviceInformationMismatch]

    init(_ mismatches: [DeviceInformationMismatch]) {
        self.mismatches = mismatches
    }

    /// A line for each: what is wrong, about what, and what would be done.
    var text: String {
        guard !mismatches.isEmpty else { return "This phone and its servers agree." }
        return mismatches.map { mismatch in
            let facts = mismatch.facts.map { "\($0.name) \(ForeignText.name($0.value))" }.joined(separator: ", ")
            return "- \(mismatch.explanation) (\(facts), \(mismatch.server.baseUrl.absoluteString))"
        }.joined(separator: "\n")
    }

    /// An object for each.
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
    /// The name of the case.
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

    /// What it is about; push tokens are left out, whoever has one can send to this phone.
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

    /// Whether mending it removes something, here or there.
    var isRemoval: Bool {
        switch proposedAction {
        case .removeFromServer, .removeFromMobileDevice: true
        case .takeFromServer, .sendToServer: false
        @unknown default: true
        }
    }
}

extension Phone {
    /// In what this phone and its servers do not agree; throws when a server could not be asked.
    func mismatches() async throws -> [DeviceInformationMismatch] {
        let result = await client.operations.deviceInformationCheck.perform()
        if let error = result.errors.first { throw error }
        return result.mismatches
    }

    /// Mends mismatches; throws the first error, what could be mended is mended.
    func mend(_ mismatches: [DeviceInformationMismatch]) async throws {
        let result = await client.operations.deviceInformationSync.mismatches(mismatches).perform()
        if let error = result.errors.first { throw error }
        if let name = client.localData.deviceInformation?.name, name != settings.name { try folder.rename(to: name) }
    }
}
