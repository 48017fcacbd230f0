import Octets

/// Whether a user has enrolled in an authenticator.
///
/// It is always one of ``SdkUserEnrollment`` and ``OsUserEnrollment``; find out with `as?`.
public protocol UserEnrollment: Encodable, Equatable, Sendable {}

/// Enrolment that the SDK holds for each account: PIN and password.
public struct SdkUserEnrollment: UserEnrollment, Hashable {
    /// The accounts that have enrolled.
    public let enrolledAccounts: [any Account]

    /// Names the accounts that have enrolled.
    public init(enrolledAccounts: [any Account]) { self.enrolledAccounts = enrolledAccounts }

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

/// Enrolment that the operating system holds: a finger, a face, a device passcode.
///
/// Two are equal when they were the same at the time when ``LocalData/authenticators`` was read.
public struct OsUserEnrollment: UserEnrollment, Hashable {
    private let enrolled: Bool
    private let now: (@Sendable () -> Bool?)?

    /// Says whether something is enrolled in the operating system.
    public init(enrolled: Bool) { self.init(enrolled: enrolled, now: nil) }

    /// Follows a platform that tells at once how it is now.
    init(enrolled: Bool, now: (@Sendable () -> Bool?)?) {
        self.enrolled = enrolled
        self.now = now
    }

    /// Whether a finger, a face or a passcode is set up: now where the platform tells it at once, otherwise as the last
    /// operation or ``LocalData/refresh()`` saw it.
    public func isEnrolled() -> Bool { now?() ?? enrolled }

    /// Compares what was set up.
    public static func == (one: OsUserEnrollment, other: OsUserEnrollment) -> Bool { one.enrolled == other.enrolled }

    /// Hashes what was set up.
    public func hash(into hasher: inout Hasher) { hasher.combine(enrolled) }

    private enum CodingKeys: String, CodingKey {
        case enrolled
    }
}

/// The accounts of a list, written and compared one by one; `any Account` is itself neither `Encodable` nor
/// `Equatable`.
enum AccountList {
    static func encode(_ accounts: [any Account], into container: inout some UnkeyedEncodingContainer) throws {
        for account in accounts { try container.encode(account) }
    }

    static func key(of account: any Account) -> [String] {
        [account.username, account.server.baseUrl.absoluteString]
    }

    static func keys(of accounts: [any Account]) -> [[String]] { accounts.map(key) }
}
