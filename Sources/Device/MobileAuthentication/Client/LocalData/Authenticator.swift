import Authenticators
import Foundation
import HardwareKeys
import Octets
import UAF
import UAFClient

/// One kind of authenticator of this device, registered or not.
public protocol Authenticator: Encodable, Equatable, Sendable {
    /// The AAID, for example `F1D0#1001`.
    var aaid: String { get }
    /// Accounts for which the authenticator is registered.
    var registration: any RegistrationInfo { get }
    /// Whether the user has enrolled in it: ``SdkUserEnrollment`` or ``OsUserEnrollment``.
    var userEnrollment: any UserEnrollment { get }
    /// Whether the device has the hardware for it.
    var isSupportedByHardware: Bool { get }
    /// Whether the version of the operating system supports it.
    var isSupportedByOs: Bool { get }
}

/// Accounts that an authenticator is registered for on this device.
public protocol RegistrationInfo: Encodable, Sendable {
    /// The accounts, in the order of their registration.
    var registeredAccounts: [any Account] { get }

    /// Whether an account with this user name is registered.
    func isRegistered(_ username: Username) -> Bool

    /// Whether the registration of this user still works; a key that disappeared leaves an unusable registration.
    func isUsable(_ username: Username) -> Bool
}

extension RegistrationInfo {
    /// A registration is usable unless the implementation knows better.
    public func isUsable(_ username: Username) -> Bool { isRegistered(username) }
}

/// Snapshot of an authenticator, taken when the application asked for it.
struct AuthenticatorSnapshot: Authenticator {
    let aaid: String
    let registered: RegistrationSnapshot
    private(set) var enrollment: EnrollmentSnapshot
    private(set) var isSupportedByHardware: Bool
    private(set) var isSupportedByOs: Bool
    private var platform = FollowedPlatform()

    init(
        aaid: String, registered: RegistrationSnapshot, enrollment: EnrollmentSnapshot, isSupportedByHardware: Bool,
        isSupportedByOs: Bool
    ) {
        self.aaid = aaid
        self.registered = registered
        self.enrollment = enrollment
        self.isSupportedByHardware = isSupportedByHardware
        self.isSupportedByOs = isSupportedByOs
    }

    /// Copy with the platform's current support, and an enrolment that follows the platform; unchanged where the
    /// platform cannot tell at once.
    func following(_ support: @escaping @Sendable () -> PlatformSupport?) -> AuthenticatorSnapshot {
        guard case .os = enrollment, let now = support() else { return self }
        var copy = self
        copy.enrollment = .os(now.isEnrolled)
        copy.isSupportedByHardware = now.isSupportedByHardware
        copy.isSupportedByOs = now.isSupportedByOs
        copy.platform.support = support
        return copy
    }

    var registration: any RegistrationInfo { registered }

    var userEnrollment: any UserEnrollment {
        switch enrollment {
        case .sdk(let accounts): SdkUserEnrollment(enrolledAccounts: accounts)
        case .os(let enrolled):
            OsUserEnrollment(enrolled: enrolled, now: platform.isEnrolled)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case aaid
        case registration
        case userEnrollment
        case isSupportedByHardware
        case isSupportedByOs
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(aaid, forKey: .aaid)
        try container.encode(registered, forKey: .registration)
        try container.encode(userEnrollment, forKey: .userEnrollment)
        try container.encode(isSupportedByHardware, forKey: .isSupportedByHardware)
        try container.encode(isSupportedByOs, forKey: .isSupportedByOs)
    }
}

/// The platform that a snapshot follows; it makes no difference between two snapshots.
private struct FollowedPlatform: Equatable {
    var support: (@Sendable () -> PlatformSupport?)?

    var isEnrolled: (@Sendable () -> Bool?)? {
        guard let support else { return nil }
        return { support()?.isEnrolled }
    }

    static func == (one: FollowedPlatform, other: FollowedPlatform) -> Bool { true }
}

/// Snapshot of the registrations, taken when the application asked for them.
struct RegistrationSnapshot: RegistrationInfo, Equatable {
    let accounts: [RegisteredAccount]
    let unusableUsernames: [Username]

    var registeredAccounts: [any Account] { accounts }

    func isRegistered(_ username: Username) -> Bool {
        accounts.contains { $0.username.hasSameOctets(as: username) }
    }

    func isUsable(_ username: Username) -> Bool {
        isRegistered(username) && !unusableUsernames.contains { $0.hasSameOctets(as: username) }
    }

    private enum CodingKeys: String, CodingKey {
        case accounts = "registeredAccounts"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accounts, forKey: .accounts)
    }
}

/// Enrolment in an authenticator: by the SDK for accounts, or by the operating system.
enum EnrollmentSnapshot: Hashable {
    case sdk([RegisteredAccount])
    case os(Bool)
}

extension DeviceSnapshot {
    /// The accounts with at least one registration, in the order of their registration.
    var accounts: [RegisteredAccount] { Self.accounts(of: registrations) }

    var authenticators: [AuthenticatorSnapshot] { models.map { authenticator($0.aaid) } }

    func authenticator(_ aaid: AAID) -> AuthenticatorSnapshot {
        authenticator(
            AuthenticatorAaid(rawValue: aaid.text), aaid: aaid.text, models.first { $0.aaid == aaid }?.support)
    }

    private func authenticator(
        _ kind: AuthenticatorAaid?, aaid: String, _ support: Support?
    ) -> AuthenticatorSnapshot {
        let keys = registrations.filter { $0.aaid.text.hasSameOctets(as: aaid) }
        let accounts = Self.accounts(of: keys)
        let enrollment: EnrollmentSnapshot =
            switch kind {
            case .Pin, .Password: .sdk(accounts)
            default: .os(support?.isEnrolled ?? false)
            }
        return AuthenticatorSnapshot(
            aaid: aaid,
            registered: RegistrationSnapshot(
                accounts: accounts, unusableUsernames: keys.filter { !$0.isUsable }.map(\.username.text)),
            enrollment: enrollment, isSupportedByHardware: support?.isSupportedByHardware ?? false,
            isSupportedByOs: support?.isSupportedByOs ?? false)
    }

    private static func accounts(of registrations: [ServerScope.Registration]) -> [RegisteredAccount] {
        var seen: Set<UserName> = []
        return registrations.filter { seen.insert($0.username).inserted }.map {
            RegisteredAccount(username: $0.username.text, server: RegisteredServer(baseUrl: $0.server.url))
        }
    }
}

extension AuthenticatorSelectionState {
    init(_ question: SelectionQuestion, _ device: DeviceSnapshot, _ profile: DeviceProfile) {
        self.init(
            registeredAccount: RegisteredAccount(
                username: question.username.text, server: RegisteredServer(baseUrl: question.server.url)),
            choices: question.shown.map(device.authenticator), compliantAaids: question.accepted.map(\.text),
            transactionConfirmationData: question.transactionText.map { Data($0) }, profile: profile)
    }
}
