import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import OpenID
package import ServerAdministration
import ServerCore
import StrictJSON

/// Routes of the administration API: one handler for all of its operations.
struct AdministrationRoutes {
    let service: AdministrationService
    let shared: RouteServices
    let door: AdministrationDoor

    /// Description of the operations for programs, as the build has taken it from `docs/operate/admin-api.yaml`.
    static let documentPath = AdministrationOperation.root + "/openapi.yaml"

    func add(to routes: RouteBuilder) {
        let (service, shared, door) = (service, shared, door)
        let document = ByteBuffer(bytes: PackageResources.admin_api_yaml)
        routes.add(Endpoint(.get, Self.documentPath, roots: [""], answers: [.yaml])) { exchange in
            Response(
                status: .ok, headers: [.contentType: exchange.answerType.fieldValue],
                body: ResponseBody(byteBuffer: document))
        }
        for operation in AdministrationOperation.allCases {
            routes.add(operation.endpoint) { exchange in
                let sender = try AdministrationSender(of: exchange, at: door, shared)
                let call = try AdministrationCall(operation, by: sender, exchange, client: shared.client(of: exchange))
                do throws(AdministrationRefusal) {
                    return exchange.answer(try await service.answer(call))
                } catch {
                    // What an operation without a body in JSON finds malformed is a parameter.
                    if case .malformed(let path) = error, !operation.endpoint.requestTypes.contains(.json) {
                        throw RequestRefusal.malformed(parameter: path.first ?? "")
                    }
                    throw RequestRefusal(error)
                }
            }
        }
    }
}

extension AdministrationCall {
    private static let reasonField = HTTPField.Name("Signet-Reason")

    fileprivate init(
        _ operation: AdministrationOperation, by sender: AdministrationSender, _ exchange: Exchange,
        client: ClientContext
    ) throws(RequestRefusal) {
        let reason = Self.reasonField.flatMap { exchange.request.headers[$0] }
            .flatMap { ShownText.line($0, AdministrativeAct.reasonCounts) }
        do throws(AdministrationRefusal) {
            try self.init(operation, by: sender.origin, in: sender.roles, because: reason, client: client)
        } catch {
            throw RequestRefusal(error)
        }
        if operation.endpoint.parameter != nil { object = try? exchange.named() }
        guard let fields = exchange.query()?.fields else { throw .malformed(parameter: exchange.faultyParameter) }
        query = fields
        body = exchange.body
        if let tag = exchange.request.headers[.ifMatch] {
            guard let seen = ObjectVersion(entityTag: tag) else { throw .malformed(member: ["If-Match"]) }
            version = seen
        }
        reach = sender.reach
    }
}

extension Exchange {
    /// Name of the first parameter that is malformed, or stands twice; empty for none.
    fileprivate var faultyParameter: String {
        var names: Set<String> = []
        for part in (request.uri.query ?? "").split(separator: "&") {
            let name = String(part.prefix { $0 != "=" })
            guard FormPairs.read(part.utf8) != nil, names.insert(name).inserted else { return name }
        }
        return ""
    }

    fileprivate func answer(_ answer: AdministrationAnswer) -> Response {
        var headers: HTTPFields = [.cacheControl: "no-store"]
        headers[.eTag] = answer.version?.entityTag
        let status = HTTPResponse.Status(code: answer.status)
        guard let body = answer.body else { return Response(status: status, headers: headers) }
        return self.answer(bytes: body, status: status, headers: headers)
    }
}

extension AdministrationAnswer {
    /// Answer that a listener gives to a refused call, for a caller in the same process.
    package init(_ refusal: AdministrationRefusal) {
        let refusal = RequestRefusal(refusal)
        self.init(
            [
                "status": .integer(refusal.status.code), "code": .string(refusal.code.rawValue),
                "message": .string(refusal.message), "member": refusal.member.map { .string($0) },
            ], status: refusal.status.code)
    }
}

extension RequestRefusal {
    init(_ refusal: AdministrationRefusal) {
        switch refusal {
        case .forbidden: self = RequestRefusal(.forbidden, .insufficientScope, "The role does not allow this.")
        case .reasonMissing:
            self = RequestRefusal(
                .badRequest, ErrorCode(rawValue: "reasonMissing"),
                "Say why in the field Signet-Reason, with 3 to 256 characters."
            ).naming("Signet-Reason")
        case .versionMissing:
            self = RequestRefusal(
                .preconditionRequired, ErrorCode(rawValue: "versionMissing"),
                "Name the version that you have read, its ETag, in the field If-Match."
            ).naming("If-Match")
        case .changed(let version):
            self = RequestRefusal(
                .conflict, ErrorCode(rawValue: "changedMeanwhile"),
                "It was changed since it was read; read it again. Nothing was done.")
            headers[.eTag] = version.entityTag
        case .taken:
            self = RequestRefusal(.conflict, ErrorCode(rawValue: "nameTaken"), "There is one of this name already.")
        case .unknown: self = RequestRefusal(.notFound, .notFound, "There is no such object.")
        case .malformed(let path): self = .malformed(member: path)
        case .unfit(let member, let words):
            self = RequestRefusal(.badRequest, .malformedRequest, "The member \(member) \(words).").naming(member)
        case .rule(let words): self = RequestRefusal(.unprocessableContent, .malformedRequest, "Refused: \(words).")
        case .undispatched(let result, let words):
            self = RequestRefusal(
                .unprocessableContent, ErrorCode(rawValue: result.rawValue), "Nothing was dispatched: \(words).")
        case .server(let error): self = Self.administration(error)
        }
    }

    private static func administration(_ error: ServerError) -> RequestRefusal {
        switch error {
        case .userExists:
            RequestRefusal(.conflict, ErrorCode(rawValue: "nameTaken"), "The name or external ID is taken.")
        case .nameAlike:
            RequestRefusal(
                .conflict, ErrorCode(rawValue: "nameTaken"),
                "People would take the name for one of another user (mayBeAlike, --although-alike, adds it all the same)."
            )
        case .invalidName:
            RequestRefusal(
                .unprocessableContent, .malformedRequest,
                "A name has 1 to 128 visible characters, and no blanks at its ends or in a row.")
        case .invalidPassword:
            RequestRefusal(.unprocessableContent, .malformedRequest, "A password has 1 to 1024 bytes.")
        case .malformedRequest:
            RequestRefusal(
                .badRequest, .malformedRequest, "There is no such policy, or the text cannot be confirmed on a phone.")
        default: RequestRefusal(error)
        }
    }
}
