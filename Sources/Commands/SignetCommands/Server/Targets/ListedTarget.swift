import BackendAPI
import ServerCore
import StrictJSON
import UAF

/// A dispatch target as the commands show it.
struct ListedTarget {
    static let head = ["ID", "USER", "NAME", "DISPATCHER", "PUSH", "CREATED", "LAST USED"]

    private let target: DispatchTarget
    private let user: User
    /// When a key of the phone has last proved the user; nil for never.
    private let lastUsedAt: Timestamp?

    /// Takes a target, and its last use from the credentials of its user.
    init(_ target: DispatchTarget, of user: User, among credentials: [RegisteredCredential]) {
        self.target = target
        self.user = user
        lastUsedAt = credentials.filter { $0.targetID == target.id }.compactMap(\.lastSuccessAt).max()
    }

    /// The cells below ``head``.
    var cells: [String] {
        [
            target.id.text, ForeignText.name(user.name.text), ForeignText.name(target.name.text),
            target.dispatcher?.rawValue ?? "-", push, target.createdAt.iso8601, lastUsedAt?.iso8601 ?? "never",
        ]
    }

    /// The members for a program.
    var json: JSONValue {
        .object([
            "id": .string(target.id.text), "externalId": .string(target.externalID.text),
            "name": .string(target.name.text), "user": .string(user.name.text),
            "deviceId": target.deviceID.map { .string($0.text) } ?? .null,
            "dispatcher": target.dispatcher.map { .string($0.rawValue) } ?? .null, "push": .string(push),
            "createdAt": .string(target.createdAt.iso8601),
            "lastUsedAt": lastUsedAt.map { .string($0.iso8601) } ?? .null,
        ])
    }

    private var push: String {
        switch target.destination {
        case .token: "on"
        case .disabledByUser: "off"
        case nil: "unset"
        }
    }
}
