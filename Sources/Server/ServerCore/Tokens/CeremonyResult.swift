import Octets
import StrictJSON
import UAF

/// Statement about a ceremony that has succeeded, for the system that asks for its status.
///
/// It is made of what the database says at that moment, and of nothing but a success that still holds. As it is no
/// access token, it has another type and another audience.
package struct CeremonyResult: Sendable {
    /// The `typ` of the token that carries it (RFC 7515, 4.1.9).
    static let type = "signet-result+jwt"
    static let version: Int64 = 1
    /// The time between issue and expiry: as long as one question for the status may take to be answered and read.
    static let lifetime: Duration = .seconds(120)
    /// The audience for initiators without an access key.
    package static let commonAudience = "signet-result"

    private let user: User
    private let operation: OperationKind
    private let ceremonyID: CeremonyID
    private let authenticatedAt: Timestamp
    private let answer: CeremonyProgress.Answer
    private let text: String?

    /// The result of an out-of-band ceremony; nil unless its success holds and has proved possession of a key.
    package init?(_ status: OperationStatus, _ progress: CeremonyProgress, text: (TransactionHash) -> String?) {
        guard status.holds else { return nil }
        self.init(
            status.operation.id, status.operation.operation, progress, status.user,
            text: progress.answer?.transaction.flatMap(text))
    }

    /// The result of an in-band ceremony, of whose transaction only the hash is known here.
    package init?(_ answered: AnsweredCeremony, _ id: CeremonyID) {
        guard answered.holds, let operation = answered.operation else { return nil }
        self.init(id, operation, answered.progress, answered.user, text: nil)
    }

    private init?(
        _ id: CeremonyID, _ operation: OperationKind, _ progress: CeremonyProgress, _ user: User?, text: String?
    ) {
        guard progress.status == .succeeded, let user, user.status == .active, let answer = progress.answer,
            answer.statusCode == .ok, !answer.credentials.isEmpty
        else { return nil }
        self.user = user
        self.operation = operation
        self.answer = answer
        self.text = text
        ceremonyID = id
        authenticatedAt = progress.changedAt
    }

    /// The claims, except issuer, audience and time of the statement.
    var members: JSONObject {
        [
            "ver": .integer(Self.version),
            "sub": .string(user.externalID.text),
            "preferred_username": .string(user.name.text),
            "sid": .string(ceremonyID.text),
            "op": .string(operation.rawValue),
            "auth_time": .integer(authenticatedAt.seconds),
            "amr": .array([.string(AuthenticationMethod.fidoUAF.rawValue)]),
            "authenticators": .array(
                answer.credentials.map { credential in
                    .object([
                        "aaid": .string(credential.id.aaid.text), "extId": .string(credential.registrationID.text),
                    ])
                }),
            "txn": answer.transaction.map { hash in
                .object(["text": text.map { .string($0) }, "sha256": .string(Base64URL.encode(hash.octets))])
            },
        ]
    }
}
