package import UAF

/// The listener of the administration API; there is none unless it is configured.
package struct AdministrationSettings: Sendable, Hashable {
    package var address = ListenerAddress(host: "127.0.0.1", port: 9443)
    package var security = TransportSecurity.plain
    /// Roles in the console, by the names of users.
    package var people: [UserName: AdministrationRole] = [:]

    package init() {}
}
