import HTTPTypes
import HummingbirdCore
import Octets
package import ServerCore
import StrictJSON
import UAFService

/// Guard of a listener of the administration API: who sends a request, and in which roles.
package enum AdministrationDoor: Sendable {
    /// Unix socket in a folder of the server's account: its sender could write the database as well, and is an operator.
    ///
    /// The sender states the account behind the command; without a statement it is this one.
    case account(AuditActor)
    /// Listener that other programs reach, with access keys.
    case accessKeys
}

/// Sender of a request to the administration API.
struct AdministrationSender {
    let origin: AdministrativeAct.Origin
    let roles: Set<AdministrationRole>
    /// Key that reaches only the users that it has added.
    var reach: AccessKeyName?

    /// Account that a command on the server's machine states, as JSON.
    static let field = "Signet-Operator"

    /// Throws the refusal of a request without an access key that administers, or with too many of them.
    init(of exchange: Exchange, at door: AdministrationDoor, _ shared: RouteServices) throws(RequestRefusal) {
        switch door {
        case .account(let actor):
            origin = .account(Self.statement(of: exchange) ?? actor)
            roles = [.operator]
        case .accessKeys:
            let key = try shared.authenticator.administrator(of: exchange)
            origin = .accessKey(key.name)
            roles = key.roles
            if shared.services.settings.outOfBand.hasOwnUsers { reach = key.name }
        }
    }

    private static func statement(of exchange: Exchange) -> AuditActor? {
        guard let text = HTTPField.Name(field).flatMap({ exchange.request.headers[$0] }),
            let members = try? JSONParser.parse(Array(text.utf8)).asObject(),
            let userID = try? members.integer("uid", as: UInt32.self)
        else { return nil }
        return AuditActor(
            userID: userID, login: (try? members.optionalString("login")) ?? nil,
            sudoUser: (try? members.optionalString("sudoUser")) ?? nil)
    }
}

extension RequestAuthenticator {
    /// Access key of a request that administers, with its roles; a key without any uses nothing up.
    func administrator(
        of exchange: Exchange
    ) throws(RequestRefusal) -> (name: AccessKeyName, roles: Set<AdministrationRole>) {
        guard let token = credentials(of: exchange).bearerToken,
            let name = service.accessKeys.name(of: token.reveal())
        else { throw .unauthorized }
        let roles = service.accessKeys.rights(of: name)?.roles ?? []
        try require(name) { _ in !roles.isEmpty }
        return (name, roles)
    }
}
