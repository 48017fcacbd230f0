import CommandSupport
import ServerConfiguration
import ServerCore
import ServerPersistence

/// Judgement of a database without content, before anything is made in it.
///
/// The usual cause is a copy of `signet.sqlite` alone: what was written last is in the file `-wal` beside it.
struct EmptyDatabase {
    enum Expectation: Sendable {
        /// It may begin a new one.
        case any
        /// It is about what is there.
        case content
    }

    /// Whether there is no file; false for a database on a server.
    let isMissing: Bool
    /// Failure when there is no database, or one with nothing in it; nil where it may be begun.
    let refusal: CommandFailure?

    /// Looks at what lies around the database of a deployment, which is not opened yet.
    init(_ deployment: Deployment, _ expectation: Expectation) {
        let files = PosixFiles()
        let mark = MarkFile(besides: deployment.leaseFile)
        isMissing = deployment.database.file.map { !files.exists($0) } ?? false
        let isMade = deployment.database.file != nil && !isMissing
        if let last = mark.content.mark {
            refusal = Self.lost(last, mark.path, deployment)
        } else if files.exists(deployment.masterKeyFile), expectation == .content || isMade && mark.content == .absent {
            refusal = Self.empty(deployment, isMade: isMade)
        } else {
            refusal = nil
        }
    }

    /// Throws where no file is to be made; otherwise nothing is known before a look into the database.
    func requireMayBeMade() throws(CommandFailure) {
        if isMissing, let refusal { throw refusal }
    }

    /// Whether a database is to be refused as it is, without anything that a server has put there.
    func refuses(_ database: any SQLDatabase) async throws(ServerPersistenceError) -> Bool {
        guard refusal != nil else { return false }
        return try await DatabaseCounts.isBlank(database)
    }

    private static func empty(_ deployment: Deployment, isMade: Bool) -> CommandFailure {
        let story =
            "the database \(deployment.database.place) is missing or empty, although its master key "
            + "\(deployment.masterKeyFile) is there. "
        guard let file = deployment.database.file else {
            return .local(
                "databaseEmpty", story + "Is it the right database? For a new one run \"serve\" or \"users add\"")
        }
        return .local(
            "databaseEmpty",
            story
                + "If you copied its files, copy \(file)-wal as well, or restore a backup with \"signet-server restore\". "
                + "For a new installation "
                + (isMade ? "remove \(file), and run " : "run ") + "\"serve\" or \"users add\"")
    }

    private static func lost(_ mark: DatabaseMark, _ file: String, _ deployment: Deployment) -> CommandFailure {
        .local(
            "databaseLost",
            "the database \(deployment.database.place) is gone or empty, but one was served here until "
                + "\(mark.servedUntil.iso8601) (\(file)). Put it back from a backup, with \"signet-server restore\"; to begin "
                + "anew without its users, remove \(file)")
    }
}
