import CommandSupport
import Foundation
import ServerCommandSupport
import ServerPersistence

extension Program {
    static let server = Program(name: "signet-server") { CommandFailure(serving: $0) }
}

extension CommandFailure {
    init(serving error: any Error) {
        switch error {
        case let error as ServerPersistenceError: self.init(database: error, place: nil)
        default: self.init(operating: error)
        }
    }
}

extension CommandFailure {
    /// Failure that explains a database error to the operator; `place` says where the database is, if known.
    init(database error: ServerPersistenceError, place: String?) {
        let file = place.map { "the database \($0)" } ?? "the database"
        switch error {
        case .unavailable(let code):
            // The lowest byte of an extended result code of SQLite is the primary result code.
            self = .unusable(Self.words(for: code & 0xFF, file), isRetryable: error.isLock)
        case .overloaded:
            self = .unusable("too much waits to be written to \(file)", isRetryable: true)
        case .server(let failure):
            self = .unusable("\(file) cannot be used: " + Self.words(for: failure), isRetryable: failure.isPassing)
        case .conflict:
            self = .unusable(
                "\(file) keeps giving this transaction up for others: try later", isRetryable: true)
        case .unfinishedCopy:
            self = .local(
                "unfinishedCopy",
                "\(file) holds a part of a copy: finish it with \"signet-server copy\", or empty the database")
        case .olderSchema:
            self = .local(
                "outdatedDatabase",
                "\(file) has the form of an earlier version: run \"signet-server migrate apply\" with a configuration that "
                    + "names it (and \"keys replace\" behind that, where it is a restored backup), or start this version on it. "
                    + "Servers of the version before cannot start on it from then on"
            )
        case .newerSchema(let number):
            self = .unusable(
                "\(file) was written by a newer signet-server (step \(number) of its form is unknown here): "
                    + "upgrade this one, or restore a backup that is older")
        case .foreignSchema, .constraint, .statement:
            self = .unusable(
                "\(file) is not one of signet-server, or was changed by another program: name another one "
                    + "(database), or restore a backup")
        case .corruptRow(let table, _):
            self = .unusable("\(file) was changed from outside or is damaged (table \(table)): restore a backup")
        case .unsafeSetting(let name):
            self = .unusable(
                "\(file) lies where what is committed is not kept safe (\(name)): take a local disk, or a database "
                    + "server that waits for its disk (fsync) and has the encoding UTF8")
        case .file(let number):
            self = .unusable("\(file) cannot be made or protected: \(String(cString: strerror(number)))")
        @unknown default: self = .unusable("\(file) cannot be used: \(error)")
        }
    }

    /// Failure of a command that has to be alone with a database server, on which a server process has reported.
    init(databaseInUseBy process: String, place: String) {
        self = .local(
            "databaseInUse",
            "the server \(process) runs on \(place), or was killed within the last minute; stop all of them first, on every "
                + "machine: this command has to be alone with it")
    }

    private static func unusable(_ words: String, isRetryable: Bool = false) -> CommandFailure {
        .local("databaseUnusable", words, isRetryable: isRetryable)
    }

    private static func words(for failure: DatabaseServerFailure) -> String {
        let remedy =
            switch failure.reason {
            case .unreachable: "is it running, and does it listen there? (database.host, database.port)"
            case .unanswered: "is it stopped, or does the network drop packets to it?"
            case .untrusted: "see database.tls; nothing was sent to it"
            case .unauthorized:
                "see database.user and database.password-file, database.tls.certificate-file where it asks for one, and "
                    + "pg_hba.conf of the server"
            case .databaseMissing: "create it, or see database.name"
            case .permission:
                "the account needs to own the database, or its schema, and may need the right to connect (GRANT CONNECT)"
            case .outdated: "upgrade it"
            case .readOnly: "name the primary server (database.host)"
            case .tooManyConnections:
                "lower database.connections, or raise max_connections of the server, or the limit of the role or the database"
            case .resources: "make room"
            case .shutdown, .connectionLost, .commitUnknown, .statementTimeout, .lockTimeout, .overloaded: "try again"
            case .other: "see the log of the server"
            }
        return "\(failure.words): \(remedy)" + (failure.detail.map { " [\($0)]" } ?? "")
    }

    private static func words(for code: Int, _ file: String) -> String {
        switch code {
        case 5, 6:
            "\(file) is locked by another program, perhaps one that migrates it: wait until that is done, or stop it"
        case 3, 8: "\(file) or its folder may not be written by this account: change the owner or the mode"
        case 10: "\(file) cannot be read or written: the disk reports an error"
        case 11: "\(file) is damaged: restore a backup, with the master.key that belongs to it"
        case 13: "\(file) cannot grow: the disk is full"
        case 14:
            "\(file) cannot be opened: is it a folder, is its folder missing, or may this account not read it? "
                + "(database.file, data-directory)"
        case 26: "\(file) is no database of signet-server: name another file (database.file), or restore a backup"
        default: "\(file) cannot be used (SQLite \(code))"
        }
    }
}
