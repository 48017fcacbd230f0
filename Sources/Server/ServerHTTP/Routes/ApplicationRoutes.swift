import BackendAPI
import HTTPTypes
import Hummingbird
import OpenID
import ServerCore
import UAF
import UAFService

/// The service that tells applications which of their versions the operator wants.
struct ApplicationRoutes {
    let shared: RouteServices

    /// Time for which caches keep an answer: a third of the time for which its signature holds, so that none arrives expired.
    private static let cacheSeconds = 300

    func add(to routes: RouteBuilder) {
        let services = shared.services
        let statements = SignedStatements(
            issuer: services.settings.tokens.issuer, keys: services.keys, wall: services.ports.wall)
        routes.add(.applicationVersion) { exchange in
            let query = exchange.query()
            guard let facet = query?["facet"].flatMap({ FacetID($0) }) else {
                throw RequestRefusal.malformed(parameter: "facet")
            }
            guard let version = query?["version"].flatMap({ ApplicationVersion($0) }) else {
                throw RequestRefusal.malformed(parameter: "version")
            }
            guard let application = services.acceptance.current.applicationVersions[facet] else {
                throw RequestRefusal(.notFound, .notFound, "There is no such application.")
            }
            let statement = application.statement(on: version)
            let signed = try statements.sign(
                statement.members, type: ApplicationVersionStatement.type, lifetime: SignedStatements.maximumLifetime)
            return exchange.answer(
                bytes: Array(signed.utf8), headers: [.cacheControl: "public, max-age=\(Self.cacheSeconds)"])
        }
    }
}
