import ServerCore
import ServerHTTP
import ServerPersistence
import StrictYAML

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension CommandFailure {
    /// Failure that explains an error of the server's layers to the operator.
    init(serving error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as ConfigurationError: self = .local("invalidConfiguration", error.description)
        case let error as PosixFiles.Failure: self = .local("fileUnusable", error.description)
        case let error as ServerError: self.init(service: error)
        case let error as ServerPersistenceError: self.init(database: error, path: nil)
        case let error as ServerHTTPError: self = .local("listenerUnusable", Self.words(for: error))
        default: self = .local("failed", "\(error)")
        }
    }

    private static func words(for error: ServerHTTPError) -> String {
        switch error {
        case .unusableCertificate: "the certificate or its private key cannot be used (server.tls)"
        case .unusableAuthority:
            "the server's own authority (tls/ca.pem and tls/ca.key in the data directory) cannot be read: remove the "
                + "folder tls, and give the new ca.pem to the phones"
        case .plainListenerOutsideLoopback:
            "server.protocol: http is for loopback addresses only; give a certificate, or listen on 127.0.0.1"
        case .addressUnusable(let address, let number):
            number == EADDRINUSE
                ? "another program listens on \(address) already: stop it, or choose another port "
                    + "(serve --port, --management-port, or server.port and management.server.port)"
                : "the system does not let the server listen on \(address): \(String(cString: strerror(number)))"
        case .addressUnknown(let address): "\(address) is no address of this machine (server.host)"
        @unknown default: "the listener cannot be opened: \(error)"
        }
    }

    private init(service error: ServerError) {
        switch error {
        case .userExists: self = .refused("userExists", "there is a user with this name or external id already")
        case .userUnknown: self = .refused("userUnknown", "there is no such user")
        case .invalidName: self = .refused("invalidName", "a name has 1 to 128 characters and no control characters")
        case .invalidPassword: self = .refused("invalidPassword", "a password has 1 to 1024 bytes")
        case .credentialUnknown: self = .refused("credentialUnknown", "the user has no such credential")
        case .targetUnknown: self = .refused("targetUnknown", "there is no such dispatch target")
        case .targetNameInUse:
            self = .refused("targetNameInUse", "another dispatch target of the user has this name")
        case .malformedRequest:
            self = .refused("malformedRequest", "there is no such policy, or the text cannot be confirmed on a phone")
        case .policyViolation:
            self = .refused("policyViolation", "the configuration asks for a stronger way of linking")
        case .tooManyOperations(let time):
            self = .refused(
                "tooManyOperations",
                "another operation of the user is pending, or the user was asked too often; "
                    + "try again in \(time.components.seconds) s")
            isRetryable = true
        case .quietHours(let time):
            self = .refused(
                "quietHours",
                "nothing is pushed at this time of the day; take a link or a QR code, or wait \(time.components.seconds) s"
            )
            isRetryable = true
        case .wrongMasterKey:
            self = .local("wrongMasterKey", "the master key file is not the one this database was made with")
        case .invalidMasterKey: self = .local("invalidMasterKey", "the master key file must hold 32 bytes")
        case .invalidMetadata(let name, let problem):
            self = .local("invalidMetadata", "\(name) holds no readable metadata statements: \(problem)")
        case .invalidSetting(let name):
            self = .local("invalidConfiguration", "the setting \(name) cannot be used")
        case .storageUnavailable:
            self = .local("databaseUnusable", "the database does not answer; try again later", isRetryable: true)
        // Answers to requests over the network; no command meets them.
        case .refused, .unauthorized, .throttled, .overloaded, .signingFailed, .sealingFailed, .notConfigured,
            .tooManyTargets, .dispatcherUnknown, .forbidden, .signatureInvalid, .requestReplayed, .clockSkewTooBig:
            self = .local("failed", "\(error)")
        }
    }
}

extension CommandFailure {
    /// Failure that explains a database error to the operator; `path` is the database file where that is known.
    init(database error: ServerPersistenceError, path: String?) {
        let file = path.map { "the database \($0)" } ?? "the database"
        switch error {
        case .unavailable(let code):
            // The lowest byte of an extended result code of SQLite is the primary result code.
            self = .local(
                "databaseUnusable", Self.words(for: code & 0xFF, file), isRetryable: [5, 6].contains(code & 0xFF))
        case .newerSchema(let number):
            self = .local(
                "databaseUnusable",
                "\(file) was written by a newer signet-server (step \(number) of its form is unknown here): "
                    + "upgrade this one, or restore a backup that is older")
        case .foreignSchema, .constraint, .statement:
            self = .local(
                "databaseUnusable",
                "\(file) is not one of signet-server, or was changed by another program: name another file "
                    + "(database.file), or restore a backup")
        case .corruptRow(let table, _):
            self = .local(
                "databaseUnusable", "\(file) was changed from outside or is damaged (table \(table)): restore a backup")
        case .unsafeSetting(let name):
            self = .local(
                "databaseUnusable",
                "\(file) lies where what is committed is not kept safe (\(name)): take a local disk")
        case .file(let number):
            self = .local(
                "databaseUnusable", "\(file) cannot be made or protected: \(String(cString: strerror(number)))")
        @unknown default: self = .local("databaseUnusable", "\(file) cannot be used: \(error)")
        }
    }

    /// Explanations of SQLite's primary result codes.
    private static func words(for code: Int, _ file: String) -> String {
        switch code {
        case 5, 6: "\(file) is locked by another program: wait until that is done, or stop it"
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
