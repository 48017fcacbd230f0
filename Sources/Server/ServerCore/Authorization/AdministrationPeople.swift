import Synchronization
package import UAF

/// Users with a role in the console; a running server takes up others.
package final class AdministrationPeople: Sendable {
    private let roles: Mutex<[UserName: AdministrationRole]>

    package init(_ roles: [UserName: AdministrationRole] = [:]) { self.roles = Mutex(roles) }

    /// Replaces all roles: who is left out has none from now on.
    package func replace(with roles: [UserName: AdministrationRole]) { self.roles.withLock { $0 = roles } }

    package func role(of name: UserName) -> AdministrationRole? { roles.withLock { $0[name] } }

    package var names: Set<UserName> { roles.withLock { Set($0.keys) } }
}
