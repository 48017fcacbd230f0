/// What `SHA256Value` can name; the cases are types only, so that values of different things never meet.
package enum Hashed {
    /// The value of a session cookie.
    package enum Cookie {}
    /// A challenge.
    package enum Challenge {}
    /// The text of a policy.
    package enum Policy {}
    /// The content of a transaction.
    package enum Transaction {}
    /// One record of an audit chain.
    package enum AuditRecord {}
}
