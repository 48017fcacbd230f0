import BackendAPI
import CommandSupport
import ServerCore
import StrictJSON
import UAF

struct ListedCredential: ListedRow {
    static let head = ["USER", "AAID", "KEY ID", "STATUS", "COUNTER", "CREATED", "LAST USED", "PROTECTION", "TARGET"]

    private let credential: RegisteredCredential
    private let user: User
    private let targetName: String?

    init(_ credential: RegisteredCredential, of user: User, among targets: [DispatchTarget]) {
        self.credential = credential
        self.user = user
        targetName = targets.first { $0.id == credential.targetID }?.name.text
    }

    var cells: [String] {
        [
            ForeignText.name(user.name.text), credential.id.aaid.text, credential.id.keyID.base64URL,
            credential.status.rawValue, String(credential.counters.signatures), credential.registeredAt.iso8601,
            credential.lastSuccessAt?.iso8601 ?? "never", credential.protection.rawValue,
            targetName.map(ForeignText.name) ?? "-",
        ]
    }

    var json: JSONValue {
        .object([
            "user": .string(user.name.text), "aaid": .string(credential.id.aaid.text),
            "keyId": .string(credential.id.keyID.base64URL), "status": .string(credential.status.rawValue),
            "createdAt": .string(credential.registeredAt.iso8601),
            "lastUsedAt": credential.lastSuccessAt.map { .string($0.iso8601) } ?? .null,
            "protection": .string(credential.protection.rawValue),
            "signCounter": .integer(Int64(credential.counters.signatures)),
            "targetId": credential.targetID.map { .string($0.text) } ?? .null,
            "targetName": targetName.map(JSONValue.string) ?? .null,
        ])
    }
}
