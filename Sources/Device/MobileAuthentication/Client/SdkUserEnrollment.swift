import Octets

/// Enrolment that the SDK holds for each account: PIN and password.
public struct SdkUserEnrollment: UserEnrollment, Hashable {
    /// The accounts that have enrolled.
    public let enrolledAccounts: [any Account]

    /// Names the accounts that have enrolled.
    public init(enrolledAccounts: [any Account]) {
        self.enrolledAccounts = enrolledAccounts
    }

    /// Whether an account with this user name has enrolled.
    public func isEnrolled(_ username: Username) -> Bool {
        enrolledAccounts.contains { $0.username.hasSameOctets(as: username) }
    }

    /// Compares the accounts one by one.
    public static func == (one: SdkUserEnrollment, other: SdkUserEnrollment) -> Bool {
        AccountList.keys(of: one.enrolledAccounts) == AccountList.keys(of: other.enrolledAccounts)
    }

    /// Hashes the accounts one by one.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(AccountList.keys(of: enrolledAccounts))
    }

    private enum CodingKeys: String, CodingKey {
        case enrolledAccounts
    }

    /// Writes the list of accounts.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        var list = container.nestedUnkeyedContainer(forKey: .enrolledAccounts)
        try AccountList.encode(enrolledAccounts, into: &list)
    }
}
