/// Failure of a database server, or of the way to it.
package struct DatabaseServerFailure: Error, Hashable, Sendable {
    /// Cause, as far as it decides what helps.
    package enum Reason: Sendable, Hashable, CaseIterable {
        /// No server answers at the address, or not in time.
        case unreachable
        /// TLS with the server fails: it has none, its certificate is of an unknown authority, or names another host.
        case untrusted
        /// The server does not accept user or password.
        case unauthorized
        case databaseMissing
        /// The account may not do what is needed.
        case permission
        case outdated
        /// The server takes no writes: it is a copy of another one.
        case readOnly
        case tooManyConnections
        /// The server starts, stops, or was told to end the connection.
        case shutdown
        /// The connection has ended before a commit was asked for: nothing was written.
        case connectionLost
        /// The connection has ended while a commit was under way: its outcome is unknown.
        case commitUnknown
        /// The server has not answered in time, not even that a statement takes too long, before a commit was asked for:
        /// the connection was given up, and nothing was written.
        case unanswered
        case statementTimeout
        case lockTimeout
        /// The disk of the server is full, or it has no memory left.
        case resources
        /// More waits for a connection of this process than may, or the time of the request is over.
        case overloaded
        case other
    }

    package let reason: Reason
    /// SQLSTATE of the server; nil when it has not answered.
    package let state: String?
    /// Words of the client library about a connection that could not be made: they name addresses, never stored values.
    package let detail: String?

    package init(_ reason: Reason, state: String? = nil, detail: String? = nil) {
        self.reason = reason
        self.state = state
        self.detail = detail
    }

    /// Whether a new try may succeed without help from an operator.
    package var isPassing: Bool {
        switch reason {
        case .unreachable, .readOnly, .tooManyConnections, .shutdown, .connectionLost, .commitUnknown,
            .unanswered, .statementTimeout, .lockTimeout, .overloaded:
            true
        case .untrusted, .unauthorized, .databaseMissing, .permission, .outdated, .resources, .other: false
        }
    }

    /// Cause in words for an operator, without a subject.
    package var words: String {
        switch reason {
        case .unreachable: "the database server cannot be reached"
        case .untrusted: "the database server does not prove by TLS that it is the one that is configured"
        case .unauthorized: "the database server does not accept user or password"
        case .databaseMissing: "the database server has no database of this name"
        case .permission: "the database account may not do what the server needs"
        case .outdated: "the database server is older than PostgreSQL 15"
        case .readOnly: "the database server takes no writes"
        case .tooManyConnections: "the database server takes no further connections"
        case .shutdown: "the database server starts, stops, or has ended the connection"
        case .unanswered: "the database server does not answer"
        case .connectionLost, .commitUnknown: "the connection to the database server has ended"
        case .statementTimeout: "a statement took longer than it may"
        case .lockTimeout: "another transaction holds what is needed"
        case .resources: "the disk of the database server is full, or it has no memory left"
        case .overloaded: "too much waits for the database"
        case .other: "the database server reports an error" + (state.map { " (SQLSTATE \($0))" } ?? "")
        }
    }
}
