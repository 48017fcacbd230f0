/// The table of contents of the metadata service.
///
/// FIDO Metadata Service 1.1, 3.1.6: payload of a JWS whose signature and certificates the caller has checked.
public struct MetadataTOC: Hashable, Sendable {
    /// One model.
    public struct Entry: Hashable, Sendable {
        /// The model.
        public let aaid: AAID
        /// base64url hash of the statement's text.
        public let hash: String?
        /// Where the statement is.
        public let url: String?
        /// Reports, oldest first; the latest counts.
        public let statusReports: [StatusReport]
        /// ISO 8601 date of the latest change.
        public let timeOfLastStatusChange: String
        /// Where the list of rogue ECDAA keys is, and its hash.
        public let rogueList: RogueListReference?
    }

    /// Where a list of rogue keys is.
    public struct RogueListReference: Hashable, Sendable {
        /// Its URL.
        public let url: String
        /// base64url hash of it.
        public let hash: String
    }

    /// Serial number; it has to grow.
    public let number: Int64
    /// ISO 8601 date of the next issue.
    public let nextUpdate: String
    /// The models of the UAF family; entries for other families are left out.
    public let entries: [Entry]
}
