/// Policies as they were sent, found by the hash of their text; an answer is judged by the policy it was asked under.
package protocol PolicyRevisions: Sendable {
    /// Keeps a revision; keeping it again changes nothing.
    func keep(_ revision: PolicyRevision, at now: Timestamp) async throws(ServerError)

    /// The text of a revision, nil when it was never kept.
    func revision(_ hash: PolicyHash) async throws(ServerError) -> PolicyRevision?
}
