import ServerConfiguration
import ServerCore
import ServerHTTP
import ServerPersistence

/// Why a command of `signet-server` did not do what it was asked.
struct ServerCommandFailure: Error, Hashable {
    /// Who is at fault, which is what the exit code says.
    enum Kind: Int32 {
        /// The server knows better (exit code 1).
        case refused = 1
        /// Something on this machine is missing or broken (exit code 2).
        case local = 2
    }

    let kind: Kind
    /// Stable word for scripts.
    let code: String
    /// Sentence for people, which says what to do.
    let message: String
    /// Whether the same command may succeed later.
    var isRetryable = false

    /// Finds the words for an error of the layers below.
    init(_ error: any Error) {
        switch error {
        case let known as ServerCommandFailure: self = known
        case let error as ConfigurationError:
            self.init(.local, "invalidConfiguration", error.description)
        case let error as PosixFiles.Failure:
            self.init(.local, "fileUnusable", error.description)
        case let error as ServerError: self.init(service: error)
        case let error as ServerPersistenceError:
            self.init(.local, "databaseUnusable", "the database cannot be used: \(error)")
        case let error as ServerHTTPError:
            self.init(.local, "listenerUnusable", "the listener cannot be opened: \(error)")
        default: self.init(.local, "failed", "\(error)")
        }
    }

    init(_ kind: Kind, _ code: String, _ message: String) {
        self.kind = kind
        self.code = code
        self.message = message
    }

    private init(service error: ServerError) {
        switch error {
        case .userExists: self.init(.refused, "userExists", "there is a user with this name or external id already")
        case .userUnknown: self.init(.refused, "userUnknown", "there is no such user")
        case .invalidName:
            self.init(.refused, "invalidName", "a name has 1 to 128 characters and no control characters")
        case .invalidPassword: self.init(.refused, "invalidPassword", "a password has 1 to 1024 bytes")
        case .wrongMasterKey:
            self.init(.local, "wrongMasterKey", "the master key file is not the one this database was made with")
        case .invalidMasterKey: self.init(.local, "invalidMasterKey", "the master key file must hold 32 bytes")
        case .invalidMetadata(let name):
            self.init(.local, "invalidMetadata", "\(name) holds no readable metadata statements")
        case .invalidSetting(let name):
            self.init(.local, "invalidConfiguration", "the setting \(name) cannot be used")
        case .storageUnavailable:
            self.init(.local, "databaseUnusable", "the database does not answer; try again later")
            isRetryable = true
        default: self.init(.local, "failed", "\(error)")
        }
    }
}
