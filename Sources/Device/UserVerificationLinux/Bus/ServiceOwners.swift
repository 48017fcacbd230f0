#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The accounts that may own a service which says what a user has shown.
struct ServiceOwners: Hashable, Sendable {
    private let uids: Set<UInt32>

    /// The administrator alone; in debug builds the account of this process too, for services that tests play.
    static var trusted: ServiceOwners {
        #if DEBUG
            ServiceOwners([0, geteuid()])
        #else
            ServiceOwners([0])
        #endif
    }

    init(_ uids: Set<UInt32>) { self.uids = uids }

    /// Refuses a connection of the bus whose owner, as the bus knows it, is none of them.
    func require(_ name: String, on connection: BusConnection) throws(BusFailure) {
        let uid = try connection.call(.bus("GetConnectionUnixUser", name)).readNumber()
        guard uids.contains(uid) else { throw .untrusted(uid: uid) }
    }
}
