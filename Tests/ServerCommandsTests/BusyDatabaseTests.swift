import ServerPersistence
import Synchronization
import Testing

@testable import ServerCommands

@Suite("A database that another process has locked")
struct BusyDatabaseTests {
    /// Calls of what is tried and of what is told.
    private struct Calls {
        var tried = 0
        var told = 0
    }

    /// What was called, and the error in the end, when the first `failures` attempts fail with `error`.
    private func play(
        attempts: Int, failures: Int, _ error: ServerPersistenceError
    ) async -> (calls: Calls, error: ServerPersistenceError?) {
        let calls = Mutex(Calls())
        let patience = BusyDatabase(attempts: attempts) { calls.withLock { $0.told += 1 } }
        do throws(ServerPersistenceError) {
            try await patience.retried { () async throws(ServerPersistenceError) in
                let number = calls.withLock { calls in
                    calls.tried += 1
                    return calls.tried
                }
                if number <= failures { throw error }
            }
            return (calls.withLock { $0 }, nil)
        } catch {
            return (calls.withLock { $0 }, error)
        }
    }

    @Test("A server waits until it is free, and says so each time", arguments: [5, 6, 5 | 1 << 8])
    func waits(code: Int) async {
        let (calls, error) = await play(attempts: 120, failures: 3, .unavailable(code: code))
        #expect(error == nil && calls.tried == 4 && calls.told == 3)
    }

    @Test("A server that starts waits for the lock of a database server as for the lock of a file")
    func databaseServer() async {
        let failure = ServerPersistenceError.server(DatabaseServerFailure(.lockTimeout, state: "55P03"))
        let (calls, error) = await play(attempts: 120, failures: 3, failure)
        #expect(error == nil && calls.tried == 4 && calls.told == 3)
    }

    @Test("Who waits for too long is told, and a command at once")
    func ends() async {
        for attempts in [1, 4] {
            let (calls, error) = await play(attempts: attempts, failures: .max, .unavailable(code: 5))
            #expect(error == .unavailable(code: 5) && calls.tried == attempts && calls.told == attempts - 1)
        }
    }

    @Test("Nothing else is tried again")
    func others() async {
        for failure in [ServerPersistenceError.unavailable(code: 13), .newerSchema(number: 99), .overloaded] {
            let (calls, error) = await play(attempts: 120, failures: .max, failure)
            #expect(error == failure && calls.tried == 1 && calls.told == 0)
        }
    }
}
