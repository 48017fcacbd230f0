import CommandSupport
import ServerCore
import Synchronization

/// Failures of the database during a command, the last of which explains why it could not be done.
///
/// Services say to strangers only that nothing can be stored; the operator who runs a command is to know the reason.
final class DatabaseFailures: Sendable {
    /// The failures of the command that runs; nil in a server, whose log has them.
    @TaskLocal static var current: DatabaseFailures?

    private let last = Mutex<CommandFailure?>(nil)

    func note(_ failure: CommandFailure) { last.withLock { $0 = failure } }

    /// Runs the body of a command; when it ends because nothing could be stored or read, throws the reason.
    static func explaining<Value>(_ body: () async throws -> Value) async throws -> Value {
        let failures = DatabaseFailures()
        do {
            return try await $current.withValue(failures) { try await body() }
        } catch ServerError.storageUnavailable {
            throw failures.last.withLock { $0 } ?? ServerError.storageUnavailable
        }
    }
}
