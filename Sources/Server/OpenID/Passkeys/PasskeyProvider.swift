import Crypto
package import ServerCore
package import StrictJSON
import UAF
import UAFService
import WebAuthn

/// Passkeys of users: the service behind the sign-in page and the page of the devices.
///
/// Each end is one transaction: of a sign-in, with the session, the state of the passkey and the audit; of a registration; of
/// a change.
package struct PasskeyProvider: PasskeyService {
    /// Passkeys that a user may have.
    package static let limit = 10
    /// Age of a sign-in up to which it is good for a new passkey, or for the removal of one.
    static let freshness: Duration = .seconds(120)
    static let offerLifetime: Duration = .seconds(300)

    private let configured: PasskeySettings
    private let models: PasskeyModels
    let removalWait: Duration
    let sessions: SignInPageSessions
    let transactions: any OpenIDTransactionRunner
    let keys: KeyService
    let log: ServiceLog
    let ports: ServerPorts
    /// Key of no user, by which answers for unknown credentials are judged, so that these take as long.
    let standIn: CredentialKey?

    /// The settings with the models of the list that is in use.
    var settings: PasskeySettings {
        var settings = configured
        settings.attestation.models = models.current?.models ?? [:]
        return settings
    }

    var secrets: PasskeySecrets { PasskeySecrets(keys: keys) }
    var verification: PasskeyVerification { PasskeyVerification(settings: settings) }

    /// The service of the provider at `address`; nil where there are no passkeys (`openid.passkeys`).
    init?(_ server: OpenIDServer, at address: String, sessions: SignInPageSessions) {
        guard let passkeys = server.settings.openID?.passkeys else { return nil }
        configured = PasskeySettings(passkeys, at: address, name: server.settings.pages.serviceName)
        removalWait = passkeys.removalWait
        self.sessions = sessions
        models = server.passkeyModels
        transactions = server.transactions
        keys = server.services.keys
        log = server.services.log
        ports = server.services.ports
        let point = P256.Signing.PrivateKey().publicKey.rawRepresentation
        // COSE_Key of ES256 on P-256.
        standIn = try? CredentialKey(
            octets: [0xA5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32] + point.prefix(32) + [0x22, 0x58, 32]
                + point.suffix(32))
    }

    package func passkeys(of user: UserID) async throws(ServerError) -> [Passkey] {
        try await transactions.read { snapshot throws(ServerTransactionFailure) in try snapshot.passkeys(of: user) }
    }

    // MARK: - Request of a sign-in

    package func signInOptions(
        of session: OpenSignIn, username: String?
    ) async throws(ServerError) -> JSONObject {
        let page = session.session
        guard let username else {
            return RequestOffer(challenge: try secrets.challenge(of: page, for: nil)).options(of: settings)
        }
        let (name, now) = (UserService.name(username), ports.clock.now())
        // The same statements run for a name that no user has.
        let stranger =
            try name.map { name throws(ServerError) in try keys.decoy().userID(named: name) }
            ?? UserID(from: ports.random)
        let (wait, user, passkeys) = try await transactions.transaction {
            transaction throws(ServerTransactionFailure) -> (Duration?, UserID, [Passkey]) in
            if let wait = try PasskeyThrottle.names.count(page, from: page.network, at: now, in: transaction) {
                return (wait, stranger, [])
            }
            let known = try name.flatMap { name throws(ServerTransactionFailure) in try transaction.user(named: name) }
            let id = known?.id ?? stranger
            return (nil, id, try transaction.passkeys(of: id))
        }
        if let wait { throw .tooManyOperations(retryAfter: wait) }
        var offer = RequestOffer(challenge: try secrets.challenge(of: page, for: user))
        offer.allowed = passkeys.isEmpty ? [try secrets.decoy(of: username)] : passkeys.map(\.record.descriptor)
        return offer.options(of: settings)
    }
}
