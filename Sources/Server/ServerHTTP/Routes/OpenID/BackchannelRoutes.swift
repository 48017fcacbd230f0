import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import OpenID
import ServerCore

/// Routes of CIBA, of Keycloak's channel, and of the public keys of receipts.
struct BackchannelRoutes {
    let shared: RouteServices
    let sites: ConfiguredServices

    func add(to routes: RouteBuilder) {
        if let receipts = sites.receipts {
            routes.add(.receiptKeySet) { exchange in
                exchange.answer(
                    bytes: try await receipts.keySetDocument, headers: [.cacheControl: "public, max-age=30"])
            }
        }
        let shared = shared
        if let backchannel = sites.backchannel, let clients = sites.openID?.authentication {
            routes.add(.backchannelAuthorize) { exchange in
                try await OpenIDRoutes.answering(exchange, shared, clients) {
                    request, client async throws(OpenIDRefusal) in
                    try await backchannel.begin(request, of: client)
                }
            }
        }
        guard let keycloak = sites.keycloak else { return }
        routes.add(.decoupledAuthentication) { exchange in
            guard let field = HTTPField.Name("Signet-Access-Key") else { throw RequestRefusal.unauthorized }
            let key = try shared.authenticator.accessKey(in: field, of: exchange, scope: .approve)
            let token = shared.authenticator.credentials(of: exchange).bearerToken
            guard let bearer = token.flatMap({ BackchannelBearer($0.reveal()) }) else {
                throw RequestRefusal.unauthorized
            }
            try await keycloak.begin(
                exchange.body, accessKey: key, bearer: bearer, client: shared.client(of: exchange))
            return Response(status: .created)
        }
    }
}
