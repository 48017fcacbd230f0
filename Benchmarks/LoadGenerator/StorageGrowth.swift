/// Octets on the disk that a database has grown by, shared out among what it has grown with.
package struct StorageGrowth: Sendable, Hashable {
    /// Octets of the database before.
    package let before: Int
    /// Octets of the database afterwards.
    package let after: Int
    /// Number of credentials or operations that came meanwhile.
    package let count: Int

    /// Octets that one credential is expected to take, indexes included.
    private static let octetsOfCredential = 1_024
    /// Octets that one sign-in is expected to take, with the session, the audit, the challenge and the lines of the log.
    private static let octetsOfSignIn = 3 * 1_024

    /// Growth from one size to another.
    package init(from before: Int, to after: Int, with count: Int) {
        self.before = before
        self.after = after
        self.count = count
    }

    /// Octets for each; negative when the database has become smaller, 0 for nothing.
    package var octetsForEach: Double { count > 0 ? Double(after - before) / Double(count) : 0 }

    /// Octets on the disk that databases with these numbers of credentials take, all at once, when one of them has so
    /// many sign-ins.
    ///
    /// While the largest is written, its write-ahead log takes as much as the file.
    package static func space(credentials: [Int], signIns: Int) -> Int {
        (credentials.reduce(0, +) + (credentials.max() ?? 0)) * octetsOfCredential + signIns * octetsOfSignIn
    }
}
