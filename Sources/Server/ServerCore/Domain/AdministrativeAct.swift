import StrictJSON

/// Role of an administrator; the rights of each stand in the table of operations.
package enum AdministrationRole: String, Sendable, Hashable, CaseIterable {
    /// Reads people and phones.
    case viewer
    /// Helps people as well: locks them, removes their phones, invites them.
    case helpDesk = "help-desk"
    /// Reads everything, the audit among it, and changes nothing.
    case auditor
    case `operator`
}

/// A request of an administrator: who asks, in which role, and why.
package struct AdministrativeAct: Sendable, Hashable {
    /// Administrator behind a request.
    package enum Origin: Sendable, Hashable {
        /// Account on the server's machine.
        case account(AuditActor)
        case accessKey(AccessKeyName)
        /// Person who has signed in to the server.
        case person(UserID)
    }

    /// Number of characters of a reason.
    package static let reasonCounts = 3...256

    /// Request that the present task answers: its records in the audit name who asked, in whatever service they are made.
    @TaskLocal package static var current: AdministrativeAct?

    package let origin: Origin
    package let role: AdministrationRole
    /// Reason that the administrator gives; nil where none is needed.
    package let reason: String?
    package let client: ClientContext

    package init(_ origin: Origin, as role: AdministrationRole, because reason: String?, client: ClientContext) {
        (self.origin, self.role, self.reason, self.client) = (origin, role, reason, client)
    }

    var json: JSONValue {
        var members: JSONObject =
            switch origin {
            case .account(let actor): actor.members
            case .accessKey(let name): ["accessKey": .string(name.text)]
            case .person(let id): ["userId": .string(id.text)]
            }
        members.append("role", .string(role.rawValue))
        return .object(members)
    }
}
