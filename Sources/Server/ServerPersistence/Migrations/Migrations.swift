/// All steps, in order.
package enum Migrations {
    /// From an empty database to the current form.
    package static let all: [Migration] = [
        .users, .credentials, .consumption, .policies, .keys, .sessions, .audit, .credentialKeys,
        .dispatchTargets, .operations, .deviceRequests, .ceremonyAnswers, .loginEvidence, .serverClock, .processState,
        .operationOrigins, .ceremonyResults,
    ]
}
