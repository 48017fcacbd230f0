import CPostgreSQL
import Octets
import ServerPersistence

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Connection to a PostgreSQL server, in pipeline mode; it belongs to one thread.
///
/// A statement is prepared once for each connection. Statements that nothing is asked of wait, and are sent with the
/// next one whose result is wanted: one exchange with the server for all of them. After the first error of an exchange
/// the server skips the rest.
final class PostgreSQLSession {
    /// Result of a statement.
    struct Reply {
        let rows: [SQLRow]
        /// Rows that it changed.
        let count: Int
        /// Its words, such as `COMMIT`.
        let tag: String
    }

    /// Behaviour of the server in the last exchange.
    enum State {
        case answering
        /// It ended the exchange, with its reason, while it was at an earlier statement than the last.
        case endedBeforeLast
        /// It has not answered in time: its answers are not read any more.
        case givenUp
    }

    private enum Sent {
        case preparation(of: String, name: String)
        case statement
    }

    /// Prepared statements of a connection at most; the product has some hundred and fifty.
    private static let statementLimit = 400
    private static let waitingLimit = 256

    let connection: OpaquePointer
    private var names: [String: String] = [:]
    private var preparations = 0
    private var waiting: [(sql: String, arguments: PostgreSQLArguments)] = []
    /// Exchanges whose results were not read yet.
    private var unread: [[Sent]] = []

    /// Time for which it waits for the server; each transaction sets its own.
    var waitLimit: PostgreSQLWaitLimit
    private(set) var state = State.answering
    private var settings: PostgreSQLSessionSettings

    /// Connects until a moment at the latest; the result can be used, and is one that keeps what it commits.
    ///
    /// Throws ``DatabaseServerFailure/Reason/unreachable`` when no address of the host answers in time.
    init(
        _ settings: PostgreSQLSettings, for purpose: PostgreSQLSessionSettings.Purpose = .writing,
        until end: ContinuousClock.Instant? = nil
    ) throws(ServerPersistenceError) {
        let opened = try Self.open(settings)
        let limit = PostgreSQLWaitLimit(until: end)
        do throws(ServerPersistenceError) {
            try limit.connect(opened, addressTime: settings.connectTimeout)
        } catch {
            PQfinish(opened)
            throw error
        }
        guard PQstatus(opened) == CONNECTION_OK else {
            let message = PQerrorMessage(opened).map { String(cString: $0) } ?? ""
            PQfinish(opened)
            throw PostgreSQLFailure.connecting(message)
        }
        connection = opened
        self.settings = PostgreSQLSessionSettings(settings)
        waitLimit = PostgreSQLWaitLimit(statementTimeout: settings.connectTimeout, deadline: end)
        PQsetNoticeReceiver(opened, { _, _ in }, nil)
        guard PQserverVersion(opened) >= 150_000 else { throw .server(DatabaseServerFailure(.outdated)) }
        try require(PQsetnonblocking(opened, 1) == 0 && PQenterPipelineMode(opened) == 1)
        if purpose == .reading {
            try enqueue(
                "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY", [])
        }
        try requireDurability()
        waitLimit = PostgreSQLWaitLimit(statementTimeout: settings.statementTimeout)
    }

    deinit { PQfinish(connection) }

    /// Begins to connect.
    private static func open(_ settings: PostgreSQLSettings) throws(ServerPersistenceError) -> OpaquePointer {
        let parameters = settings.parameters
        let names = parameters.map { UnsafePointer<CChar>(strdup($0.name)) }
        let values = parameters.map { UnsafePointer<CChar>(strdup($0.value)) }
        let passwordName = UnsafePointer<CChar>(strdup("password"))
        defer { for text in names + values + [passwordName] { free(UnsafeMutablePointer(mutating: text)) } }
        let opened: OpaquePointer?
        if let path = settings.passwordFile {
            let password = try PostgreSQLPassword(path: path)
            opened = password.withCString { PQconnectStartParams(names + [passwordName, nil], values + [$0, nil], 0) }
        } else {
            opened = PQconnectStartParams(names + [nil], values + [nil], 0)
        }
        guard let opened else { throw .server(DatabaseServerFailure(.resources)) }
        return opened
    }

    /// Refuses a server that answers before what was committed is on its disk, or that would change texts.
    private func requireDurability() throws(ServerPersistenceError) {
        let reply = try run(
            """
            SELECT current_setting('fsync'), current_setting('synchronous_commit'), current_setting('server_encoding')
            """, [])
        guard let values = reply.rows.first?.values, values.count == 3 else { throw .statement(code: 0) }
        if values[0] == .text("off") { throw .unsafeSetting(name: "fsync") }
        if values[2] != .text("UTF8") { throw .unsafeSetting(name: "server_encoding") }
        // The others do not wait for the disk of a standby, where there are synchronous ones.
        if values[1] != .text("on"), values[1] != .text("remote_apply") {
            _ = try run("SET synchronous_commit = on", [])
        }
    }

    // MARK: - State

    /// Whether neither side has ended the connection; it costs no exchange.
    var isAlive: Bool {
        if state == .givenUp { return false }
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
        // Its last words come before the end.
        while PQstatus(connection) == CONNECTION_OK, poll(&descriptor, 1, 0) > 0 {
            guard PQconsumeInput(connection) == 1 else { return false }
        }
        return PQstatus(connection) == CONNECTION_OK
    }

    // MARK: - Statements

    /// Lets a statement wait for the next one whose result is wanted.
    func enqueue(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) {
        if waiting.count >= Self.waitingLimit { _ = try flush() }
        waiting.append((sql, try PostgreSQLArguments(arguments)))
    }

    /// Runs a statement after the waiting ones, and returns its result.
    func run(_ sql: String, _ arguments: [SQLValue]) throws(ServerPersistenceError) -> Reply {
        try enqueue(sql, arguments)
        guard let reply = try flush().last else { throw .server(DatabaseServerFailure(.connectionLost)) }
        return reply
    }

    /// Runs the statements that wait in one exchange, and returns their results.
    func flush() throws(ServerPersistenceError) -> [Reply] {
        let sent = try send()
        while !unread.isEmpty { _ = try? receive(unread.removeFirst()) }
        return try receive(sent)
    }

    /// Sends the statements that wait, and does not wait for their results.
    func post() throws(ServerPersistenceError) {
        unread.append(try send())
    }

    /// Lets a setting have a value from the next statement on, in this transaction and later ones.
    func set(_ name: PostgreSQLSessionSettings.Name, to value: String) throws(ServerPersistenceError) {
        guard settings.change(name, to: value) else { return }
        try enqueue("SELECT set_config($1, $2, false)", [.text(name.rawValue), .text(value)])
    }

    /// Forgets the statements that wait, and the settings: the transaction is undone.
    func discard() {
        waiting = []
        settings.forget()
    }

    private func send() throws(ServerPersistenceError) -> [Sent] {
        let statements = waiting
        waiting = []
        var sent: [Sent] = []
        var fresh: [String: String] = [:]
        for (sql, arguments) in statements {
            var name = names[sql] ?? fresh[sql]
            if name == nil {
                let isKept = names.count + fresh.count < Self.statementLimit
                preparations += 1
                let new = isKept ? "s\(preparations)" : ""
                try require(PQsendPrepare(connection, new, sql, 0, nil) == 1)
                sent.append(.preparation(of: sql, name: new))
                if isKept { fresh[sql] = new }
                name = new
            }
            try require(arguments.send(connection, name ?? ""))
            sent.append(.statement)
        }
        try require(PQpipelineSync(connection) == 1)
        return sent
    }

    private func receive(_ sent: [Sent]) throws(ServerPersistenceError) -> [Reply] {
        var replies: [Reply] = []
        var failure: ServerPersistenceError?
        if state == .endedBeforeLast { state = .answering }
        for (place, item) in sent.enumerated() {
            do throws(ServerPersistenceError) {
                let reply = try next()
                switch item {
                case .preparation(let sql, let name): if !name.isEmpty { names[sql] = name }
                case .statement: replies.append(reply)
                }
            } catch {
                if failure == nil, error.hasServerState, place < sent.count - 1 { state = .endedBeforeLast }
                failure = failure ?? error
            }
        }
        let end: OpaquePointer?
        do throws(ServerPersistenceError) { end = try result() } catch { throw failure ?? error }
        defer { PQclear(end) }
        if let failure { throw failure }
        try require(PQresultStatus(end) == PGRES_PIPELINE_SYNC)
        return replies
    }

    /// The result of the next statement; a statement that the server has skipped throws an error that is never
    /// reported.
    private func next() throws(ServerPersistenceError) -> Reply {
        let result = try result()
        defer {
            PQclear(result)
            // Behind each result there is the end of it, which the library knows already.
            if result != nil { PQclear(PQgetResult(connection)) }
        }
        guard let result else { throw .server(DatabaseServerFailure(.connectionLost)) }
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return try Self.reply(result)
        case PGRES_FATAL_ERROR: throw PostgreSQLFailure.error(of: result)
        default: throw .server(DatabaseServerFailure(.connectionLost))
        }
    }

    /// Next result that the library has; nil for the end of the results of a statement.
    private func result() throws(ServerPersistenceError) -> OpaquePointer? {
        if state != .givenUp, PQisBusy(connection) == 0 { return PQgetResult(connection) }
        let limit = waitLimit.ofNextResult
        while state != .givenUp, PQisBusy(connection) == 1 { try wait(until: limit) }
        guard state != .givenUp else { throw .server(DatabaseServerFailure(.unanswered)) }
        return PQgetResult(connection)
    }

    /// Waits for the server, and sends it what it takes meanwhile; at the limit the connection is given up.
    private func wait(until limit: ContinuousClock.Instant?) throws(ServerPersistenceError) {
        // What cannot be sent for a lost connection is found out by reading, together with the last words of the server.
        let events = PQflush(connection) == 1 ? POLLIN | POLLOUT : POLLIN
        try require(PQsocket(connection) >= 0)
        if !PostgreSQLWaitLimit.wait(for: Int32(events), of: connection, until: limit) { state = .givenUp }
        try require(state == .givenUp || PQconsumeInput(connection) == 1)
    }

    private static func reply(_ result: OpaquePointer) throws(ServerPersistenceError) -> Reply {
        var rows: [SQLRow] = []
        for row in 0..<PQntuples(result) { rows.append(try SQLRow(row, of: result)) }
        let count = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
        return Reply(rows: rows, count: count, tag: PQcmdStatus(result).map { String(cString: $0) } ?? "")
    }

    private func require(_ holds: Bool) throws(ServerPersistenceError) {
        guard holds else { throw .server(DatabaseServerFailure(.connectionLost)) }
    }
}

/// Password from a file, for the length of one attempt to connect.
struct PostgreSQLPassword: ~Copyable {
    private let secret: SecretOctets

    /// Reads the file without the line break at its end.
    ///
    /// Throws ``ServerPersistenceError/file(errorNumber:)``; a file over 4 KiB is none with a password (EFBIG).
    init(path: String) throws(ServerPersistenceError) {
        let descriptor = Self.opened(path)
        guard descriptor >= 0 else { throw .file(errorNumber: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4_097)
        defer { SecretOctets.wipe(&bytes) }
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .file(errorNumber: errno) }
        guard count < bytes.count else { throw .file(errorNumber: EFBIG) }
        // The NUL that ends it in C, in place of a line break.
        let end = bytes[..<count].last == UInt8(ascii: "\n") ? count - 1 : count
        bytes[end] = 0
        secret = SecretOctets(copying: bytes[...end])
    }

    private static func opened(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

    borrowing func withCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result) -> Result {
        secret.withUnsafeBytes { bytes in body(bytes.baseAddress?.assumingMemoryBound(to: CChar.self)) }
    }
}
