import Foundation
import Octets
import UAF

extension DeviceSnapshot {
    /// The accounts with at least one registration, in the order of their registration.
    var accounts: [RegisteredAccount] { Self.accounts(of: registrations) }

    /// All kinds of authenticators.
    var authenticators: [AuthenticatorSnapshot] { offers.map { authenticator($0.aaid) } }

    /// One authenticator that the device offers.
    func authenticator(_ aaid: AAID) -> AuthenticatorSnapshot {
        authenticator(
            AuthenticatorAaid(rawValue: aaid.text), aaid: aaid.text, offers.first { $0.aaid == aaid }?.support)
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
    /// The context of a question, with the authenticators as they stand now.
    init(_ question: SelectionQuestion, _ device: DeviceSnapshot) {
        self.init(
            registeredAccount: RegisteredAccount(
                username: question.username.text, server: RegisteredServer(baseUrl: question.server.url)),
            choices: question.shown.map(device.authenticator), compliantAaids: question.accepted.map(\.text),
            transactionConfirmationData: question.transactionText.map { Data($0) })
    }
}
