package import BackendAPI
package import ServerCore

/// Operation of the administration API: its method and path, who may ask for it, and what a request has to have.
///
/// The table below is the only place that says so: routes, rights and the test of all of them follow it.
/// `docs/operate/admin-api.yaml` describes the same operations for clients.
package enum AdministrationOperation: String, Sendable, Hashable, CaseIterable {
    case listUsers, addUser, user, changeUser, removeUser

    private struct Row {
        let method: Endpoint.Method
        /// Path below ``AdministrationOperation/root``.
        let path: String
        let roles: Set<AdministrationRole>
        /// Whether a request has to name the version of the object that it changes.
        var needsVersion = false
    }

    private static let readers = Set(AdministrationRole.allCases)
    private static let helpers: Set<AdministrationRole> = [.helpDesk, .operator]
    private static let operators: Set<AdministrationRole> = [.operator]

    private var row: Row {
        switch self {
        case .listUsers: Row(method: .get, path: "/users", roles: Self.readers)
        case .addUser: Row(method: .post, path: "/users", roles: Self.operators)
        case .user: Row(method: .get, path: "/users/{userId}", roles: Self.readers)
        case .changeUser: Row(method: .patch, path: "/users/{userId}", roles: Self.helpers, needsVersion: true)
        case .removeUser: Row(method: .delete, path: "/users/{userId}", roles: Self.operators, needsVersion: true)
        }
    }

    package static let root = "/admin/v1"

    package var roles: Set<AdministrationRole> { row.roles }
    package var needsVersion: Bool { row.needsVersion }
    /// Whether a request has to say why it is made: each that changes something.
    package var needsReason: Bool { row.method != .get }

    package var endpoint: Endpoint {
        let takes: [MediaType] = [.post, .patch].contains(row.method) ? [.json] : []
        return Endpoint(row.method, Self.root + row.path, roots: [""], takes: takes, answers: [.json])
    }
}
