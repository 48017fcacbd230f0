package import ServerCore
package import StrictJSON

/// Change of the attributes of a user, with its record in the audit: names of attributes, and no values.
package struct ChangeAttributes: Sendable {
    private let changes: [UserAttributes.Name: JSONValue]
    private let user: User
    private let event: AuditEvent

    package init(_ changes: [UserAttributes.Name: JSONValue], of user: User, event: AuditEvent) {
        self.changes = changes
        self.user = user
        self.event = event
    }

    /// Whether anything has changed; the fault of a value that breaks a rule.
    package func run(
        in transaction: any ServerTransaction
    ) throws(ServerTransactionFailure) -> Result<Bool, UserAttributeFault> {
        let known = try transaction.attributes(of: user.id)?.attributes ?? UserAttributes()
        var attributes = known
        do throws(UserAttributeFault) {
            try attributes.apply(changes)
        } catch {
            return .failure(error)
        }
        let names = attributes.names(differingFrom: known)
        guard !names.isEmpty else { return .success(false) }
        try transaction.set(UserAttributesRecord(attributes, changedAt: event.at), of: user.id)
        var record = event
        record.reason = ((event.reason.map { [$0] } ?? []) + names.map(\.rawValue)).joined(separator: " ")
        try transaction.append(record)
        return .success(true)
    }
}
