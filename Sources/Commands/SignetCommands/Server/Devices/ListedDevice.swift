import BackendAPI
import ServerCore
import StrictJSON
import UAF

/// An account on a phone as the commands show it.
struct ListedDevice {
    static let head = ["USER", "DEVICE", "ID", "KEYS", "CREATED", "LAST USED"]

    /// The owner.
    let user: User
    /// The record of the phone; nil for keys that belong to none.
    let target: DispatchTarget?
    /// The keys on it.
    let credentials: [RegisteredCredential]

    /// The cells below ``head``.
    var cells: [String] {
        [
            ForeignText.name(user.name.text), target.map { ForeignText.name($0.name.text) } ?? "-",
            target?.id.text ?? "-", keys, target?.createdAt.iso8601 ?? "-", lastUsedAt?.iso8601 ?? "never",
        ]
    }

    /// The members for a program.
    var json: JSONValue {
        .object([
            "user": .string(user.name.text), "name": target.map { .string($0.name.text) } ?? .null,
            "id": target.map { .string($0.id.text) } ?? .null,
            "deviceId": target?.deviceID.map { .string($0.text) } ?? .null,
            "keys": .array(
                credentials.map {
                    .object([
                        "aaid": .string($0.id.aaid.text), "keyId": .string($0.id.keyID.base64URL),
                        "status": .string($0.status.rawValue),
                    ])
                }),
            "createdAt": target.map { .string($0.createdAt.iso8601) } ?? .null,
            "lastUsedAt": lastUsedAt.map { .string($0.iso8601) } ?? .null,
        ])
    }

    private var keys: String {
        let models = credentials.map { $0.status == .active ? $0.id.aaid.text : "\($0.id.aaid.text) (disabled)" }
        return models.isEmpty ? "none" : models.joined(separator: ", ")
    }

    private var lastUsedAt: Timestamp? { credentials.compactMap(\.lastSuccessAt).max() }
}
