import TestSupport
import Testing

@Suite("Unit of work, on SQLite and on PostgreSQL")
struct UnitOfWorkTests {
    @Test("A credential comes out as it went in", arguments: StoredDatabase.allCases)
    func roundTrip(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).roundTrip()
    }

    @Test(
        "The holder of credentials comes with all of them, by name, external id or identity",
        arguments: StoredDatabase.allCases)
    func holder(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).holder()
    }

    @Test(
        "What is asked for each sign-in is found by an index, however many users there are",
        arguments: StoredDatabase.allCases)
    func indices(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).indices()
    }

    @Test("A challenge is consumed once, also by a refusal", arguments: StoredDatabase.allCases)
    func consumption(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).consumption()
    }

    @Test(
        "A challenge that expired before the watermark is refused, also when its row is gone",
        arguments: StoredDatabase.allCases)
    func watermark(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).watermark()
    }

    @Test("A challenge that has not been purged stays consumed", arguments: StoredDatabase.allCases)
    func memory(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).memory()
    }

    @Test(
        "Who forgets challenges and who consumes them never wait for each other in a circle",
        arguments: StoredDatabase.allCases)
    func forgetting(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).forgetting()
    }

    @Test(
        "The counter is moved by compare-and-set", arguments: StoredDatabase.allCases,
        [(5, 6), (5, 900), (0, 0), (0, 1)] as [(UInt32, UInt32)])
    func counterGrows(storage: StoredDatabase, sample: (UInt32, UInt32)) async throws {
        try await UnitOfWorkStage(storage).counterGrows(stored: sample.0, seen: sample.1)
    }

    @Test(
        "A counter that does not grow is refused, and consumes", arguments: StoredDatabase.allCases,
        [(5, 5), (5, 4), (5, 0)] as [(UInt32, UInt32)])
    func counterStays(storage: StoredDatabase, sample: (UInt32, UInt32)) async throws {
        try await UnitOfWorkStage(storage).counterStays(stored: sample.0, seen: sample.1)
    }

    @Test("Locked, disabled and removed are judged at the moment of writing", arguments: StoredDatabase.allCases)
    func states(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).states()
    }

    @Test(
        "A key registered again is another credential: an answer proved for the old one does not count",
        arguments: StoredDatabase.allCases)
    func registeredAgain(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).registeredAgain()
    }

    @Test("A set of credentials is registered as a whole or not at all", arguments: StoredDatabase.allCases)
    func atomicSet(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).atomicSet()
    }

    @Test("Of many registrations at the same time exactly ten succeed", arguments: StoredDatabase.allCases)
    func limitRace(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).limitRace()
    }

    @Test("A session begins only with the authentication that grants it", arguments: StoredDatabase.allCases)
    func session(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).session()
    }

    @Test("A COMMIT that fails consumes nothing", arguments: StoredDatabase.allCases)
    func failingCommit(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).failingCommit()
    }

    @Test(
        "A statement that fails at any place leaves nothing of its outcome behind", arguments: StoredDatabase.allCases)
    func failingStatements(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).failingStatements()
    }

    @Test("The failures of the database are told to the operator", arguments: StoredDatabase.allCases)
    func reporting(storage: StoredDatabase) async throws {
        try await UnitOfWorkStage(storage).reporting()
    }
}
