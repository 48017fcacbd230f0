/// A user whose phones keep a server busy while it is killed, and who knows what was acknowledged.
protocol CrashUser: Actor {
    nonisolated var name: String { get }

    /// What the server accepted from these phones.
    var acceptedCount: Int { get }

    /// Gets ready before the first kill.
    func begin(_ server: LoadConnection) async throws

    /// Works until the server dies.
    func work(_ server: LoadConnection) async throws

    /// Finds out, on the server that was started again, what became of the requests under way.
    func recover(_ server: LoadConnection) async throws

    /// Does the last checks, after the last kill.
    func settle(_ server: LoadConnection) async throws
}

extension CrashUser {
    func begin(_ server: LoadConnection) async throws {}
}
