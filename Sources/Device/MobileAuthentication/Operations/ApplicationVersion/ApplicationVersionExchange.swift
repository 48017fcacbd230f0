import BackendAPI
import BackendTransport
import Foundation
import JOSE
import StrictJSON
import UAFClient

/// Exchange with a server about the version of an application: its answer, and the keys that have signed it.
///
/// The server is known by TLS, with the pins of the configuration. The signature tells its answer from what a cache or proxy
/// before it has made up, mixed up or kept for too long.
struct ApplicationVersionExchange: Sendable {
    private static let clockTolerance: Int64 = 60

    private let configuration: Configuration
    private let transport: any HTTPTransport
    private let clock: any CivilClock
    private let headers: [HeaderFields.Field]

    init(
        _ configuration: Configuration, _ transport: any HTTPTransport, _ clock: any CivilClock,
        headers: [String: String]
    ) {
        self.configuration = configuration
        self.transport = transport
        self.clock = clock
        self.headers = ApplicationFields.fields(headers)
    }

    func wanted(_ facet: String, _ version: String) async throws(ApplicationVersionError) -> WantedApplicationVersion {
        guard let asked = ApplicationVersion(version) else {
            throw .Unknown(cause: InvalidParameterError("version"))
        }
        let query = "?facet=\(PathComponent.encode(facet))&version=\(PathComponent.encode(version))"
        let service = BackendResource(
            server: ServerAddress(configuration.baseUrl), path: configuration.path(of: .applicationVersion))
        let token = try await get(try address(of: service) + query, .applicationVersion)
        let keys = try await get(keySetAddress(), .keySet)
        let statement: ApplicationVersionStatement
        do {
            let claims = try Self.claims(of: String(decoding: token, as: UTF8.self), by: try JWKS(json: keys))
            try requireTimely(claims)
            statement = try ApplicationVersionStatement(members: claims.members)
        } catch {
            throw .InvalidAnswer(cause: error)
        }
        guard statement.facet.utf8.elementsEqual(facet.utf8), statement.version == asked else {
            throw .InvalidAnswer(cause: BackendAPIError.invalidMember(path: ["version"]))
        }
        return WantedApplicationVersion(statement)
    }

    private static func claims(of token: String, by keys: JWKS) throws -> JWTClaims {
        let type = ApplicationVersionStatement.type
        let signed = try CompactJWS(parsing: token)
        guard signed.header.type == type else { throw BackendAPIError.invalidMember(path: ["typ"]) }
        let claims = try JWTClaims(payload: try signed.verified(by: keys).payload)
        guard claims.audience == [type] else { throw BackendAPIError.invalidMember(path: ["aud"]) }
        return claims
    }

    private func requireTimely(_ claims: JWTClaims) throws(BackendAPIError) {
        let now = clock.secondsSince1970
        guard let end = claims.expirationTime, now < end else { throw .invalidMember(path: ["exp"]) }
        guard let made = claims.issuedAt, made <= now + Self.clockTolerance else { throw .invalidMember(path: ["iat"]) }
    }

    // MARK: - HTTP

    private func address(of resource: BackendResource) throws(ApplicationVersionError) -> String {
        do throws(InsecureAddressError) {
            return try resource.url().absoluteString
        } catch {
            throw .Unknown(cause: error)
        }
    }

    /// The keys lie at the root of the host, wherever the services are.
    private func keySetAddress() throws(ApplicationVersionError) -> String {
        guard let url = URL(string: Endpoint.keySet.path, relativeTo: configuration.baseUrl), url.scheme == "https"
        else {
            throw .Unknown(cause: InsecureAddressError())
        }
        return url.absoluteString
    }

    private func get(_ address: String, _ endpoint: Endpoint) async throws(ApplicationVersionError) -> [UInt8] {
        var fields = HeaderFields(headers)
        fields.append("Accept", endpoint.responseTypes.map(\.fieldValue).joined(separator: ", "))
        fields.append("User-Agent", UserAgent.text)
        let request = BackendRequest(
            .get, address, headers: fields, timeout: Duration(bounded: configuration.networkTimeoutInSeconds))
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await transport.response(to: request)
        } catch {
            let cause = error.forApplication
            throw cause is CancellationError
                ? ApplicationVersionError.Unknown(cause: cause) : .NetworkError(cause: cause)
        }
        switch response.status {
        case 200: return response.body
        case 404 where endpoint == .applicationVersion: throw .UnknownApplication(cause: HTTPStatusError(response))
        default: throw .NetworkError(cause: HTTPStatusError(response))
        }
    }
}
