package import ServerCore

/// Everything an operator decides about one server.
package struct Deployment: Sendable {
    /// How forgiving the checks are.
    package enum Profile: String, CaseIterable, Sendable {
        /// For trying things out: facets that look like wildcards, and match nothing, pass with a warning.
        case development
        /// Facets that look like wildcards and plain HTTP are refused.
        case production
    }

    /// How much is logged, by the words of swift-log.
    package enum LogLevel: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// In which form events are logged.
    package enum LogFormat: String, CaseIterable, Sendable {
        /// Lines for a person in a terminal, JSON elsewhere.
        case automatic
        /// Lines for a person.
        case text
        /// One JSON object on each line.
        case json
    }

    /// How forgiving the checks are.
    package var profile: Profile
    /// Folder of database, keys and the server's own certificate; made with mode 0700.
    package var dataDirectory: String
    /// File of the key that wraps all keys in the database; made with mode 0600 if absent.
    package var masterKeyFile: String
    /// File of the embedded database.
    package var databaseFile: String
    /// How much is logged.
    package var logLevel: LogLevel
    /// In which form events are logged.
    package var logFormat: LogFormat
    /// How the server meets the network.
    package var http: HTTPSettings
    /// Name of this process in the audit; distinct among processes that share a database.
    package var instanceName: String
    /// Age at which records of this process's audit chain are removed; nil keeps them.
    package var auditRetention: Duration?
    /// FIDO UAF.
    package var uaf: UAFDeployment
    /// Who may ask for what.
    package var authorization: AuthorizationSettings
    /// Tokens given out and taken.
    package var tokens: TokenDeployment
    /// Login sessions held by cookies.
    package var sessions: SessionSettings
    /// Operations that are answered on another device; the origin is filled in when it is known.
    package var outOfBand: OutOfBandSettings
    /// Login by password; nil: switched off.
    package var passwordLogin: PasswordLoginSettings?
    /// Whether the routes of the FIDO conformance tool answer.
    package var conformance: Bool
    /// Time between two looks at the files that are read again while the server runs.
    package var reloadInterval: Duration
}
