import BackchannelAuthentication
import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import OpenIDProvider
import ServerCore

/// Routes of CIBA, of Keycloak's channel, and of the public keys of receipts.
struct BackchannelRoutes {
    private let shared: RouteServices
    private let sites: WebSiteServices

    init(shared: RouteServices, sites: WebSiteServices) {
        self.shared = shared
        self.sites = sites
    }

    func add(to routes: RouteBuilder) {
        if let receipts = sites.receipts {
            routes.add(.receiptKeySet) { exchange in
                exchange.answer(
                    bytes: try await receipts.keySetDocument, headers: [.cacheControl: "public, max-age=30"])
            }
        }
        guard let backchannel = sites.backchannel, let provider = sites.provider else { return }
        let shared = shared
        routes.add(.backchannelAuthorize) { exchange in
            do throws(OpenIDRefusal) {
                let request = try Self.request(exchange, shared)
                let client = try await provider.authenticate(request)
                let answer = try await backchannel.begin(request, of: client)
                return exchange.answer(bytes: answer, headers: [.cacheControl: "no-store"])
            } catch {
                return try Self.answer(error, to: exchange)
            }
        }
        routes.add(.decoupledAuthentication) { exchange in
            guard let field = HTTPField.Name("Signet-Access-Key") else { throw RequestRefusal.unauthorized }
            let key = try shared.authenticator.accessKey(in: field, of: exchange, scope: .approve)
            let token = shared.authenticator.credentials(of: exchange).bearerToken
            guard let bearer = token.flatMap({ BackchannelBearer($0.reveal()) }) else {
                throw RequestRefusal.unauthorized
            }
            try await backchannel.beginForKeycloak(
                exchange.body, accessKey: key, bearer: bearer, client: shared.client(of: exchange))
            return Response(status: .created)
        }
    }

    private static func request(
        _ exchange: Exchange, _ shared: RouteServices
    ) throws(OpenIDRefusal) -> ClientRequest {
        guard let fields = exchange.form else { throw OpenIDRefusal(.invalidRequest) }
        let address = shared.services.settings.outOfBand.origin + exchange.endpoint.path
        return ClientRequest(
            fields: fields, authorization: exchange.request.headers[.authorization].map { Sensitive($0) },
            address: address, client: shared.client(of: exchange))
    }

    /// The refusal in the words of the standard; overload is answered as everywhere.
    private static func answer(_ refusal: OpenIDRefusal, to exchange: Exchange) throws -> Response {
        if refusal.code == .temporarilyUnavailable {
            throw RequestRefusal.tooManyOperations(retryAfterSeconds: refusal.retryAfter ?? 5)
        }
        var headers: HTTPFields = [.cacheControl: "no-store"]
        if refusal.code == .invalidClient { headers[.wwwAuthenticate] = "Basic realm=\"signet\"" }
        var members = "{\"error\":\"\(refusal.code.rawValue)\""
        if let field = refusal.field { members += ",\"error_description\":\"The field \(field) is missing or wrong.\"" }
        return exchange.answer(
            bytes: Array((members + "}").utf8), status: HTTPResponse.Status(code: refusal.status), headers: headers)
    }
}
