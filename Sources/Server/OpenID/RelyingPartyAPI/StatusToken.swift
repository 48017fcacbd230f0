import BackendAPI
import ServerCore
import StrictJSON
import UAF

/// Token for the state of one transaction, a JWS with `typ` `signet-status+jwt`: it opens that and nothing else.
struct StatusToken: Sendable, Hashable {
    private static let type = "signet-status+jwt"

    let ceremony: CeremonyID
    let initiator: Initiator
    let operation: OperationName
    let createdAt: Timestamp
    /// External ID of the user whom the caller has named; nil where any user may answer.
    let user: UserName?

    /// Operation of a transaction, in the words of the API.
    enum OperationName: String, Sendable, Hashable {
        case enrollment, approval
    }

    /// The signed form, good for 15 minutes.
    func signed(by statements: SignedStatements) throws(ServerError) -> String {
        try statements.sign(
            [
                "sid": .string(ceremony.text), "initiator": .string(initiator.text),
                "op": .string(operation.rawValue), "created": .integer(createdAt.milliseconds),
                "user": user.map { .string($0.text) },
            ], type: Self.type, lifetime: SignedStatements.maximumLifetime)
    }

    /// Reads what ``signed(by:)`` wrote; nil for anything else, and once it has expired.
    init?(_ text: String, verifiedBy statements: SignedStatements) {
        guard let members = statements.members(of: text, type: Self.type), let sid = try? members.string("sid"),
            let ceremony = CeremonyID(text: sid), let name = try? members.string("initiator"),
            let initiator = Initiator(stored: name), let op = try? members.string("op"),
            let operation = OperationName(rawValue: op), let created: Int64 = try? members.integer("created")
        else { return nil }
        self.init(
            ceremony: ceremony, initiator: initiator, operation: operation,
            createdAt: Timestamp(milliseconds: created),
            user: (try? members.optionalString("user")).flatMap { $0 }.flatMap { UserName($0) })
    }

    init(
        ceremony: CeremonyID, initiator: Initiator, operation: OperationName, createdAt: Timestamp, user: UserName?
    ) {
        self.ceremony = ceremony
        self.initiator = initiator
        self.operation = operation
        self.createdAt = createdAt
        self.user = user
    }
}
