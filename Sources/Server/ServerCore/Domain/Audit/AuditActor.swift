import StrictJSON

/// Operating-system user who administers a server by a command, for the audit.
package struct AuditActor: Sendable, Hashable {
    /// The numeric identity of the process's owner.
    package let userID: UInt32
    /// The login name that belongs to ``userID``; nil when the system knows none.
    package let login: String?
    /// The login name of the person behind `sudo`, as `SUDO_USER` says; nil without one.
    ///
    /// It is a statement of the process's environment: it holds as far as whoever may run commands as ``userID`` is
    /// trusted.
    package let sudoUser: String?

    /// Names an operator.
    package init(userID: UInt32, login: String?, sudoUser: String?) {
        self.userID = userID
        self.login = login
        self.sudoUser = sudoUser
    }

    /// The member of an audit event.
    var json: JSONValue {
        .object([
            "uid": .integer(Int64(userID)), "login": AuditEvent.clipped(login),
            "sudoUser": AuditEvent.clipped(sudoUser),
        ])
    }
}
