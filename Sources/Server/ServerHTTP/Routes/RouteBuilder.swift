import BackendAPI
import HTTPEngine
import HTTPTypes
import Hummingbird
import NIOCore
import ServerCore

/// Builder of a table of routes: adds services at all their paths.
final class RouteBuilder {
    typealias Handler = @Sendable (Exchange) async throws -> Response

    private(set) var table = RouteTable()
    private let limits: RequestLimits
    /// Admission under load; nil where every request is served.
    let admission: RequestAdmission?

    init(limits: RequestLimits, admission: RequestAdmission?) {
        self.limits = limits
        self.admission = admission
    }

    /// Adds a service; with and without a slash at the end of its path, and never with a redirect.
    func add(_ endpoint: Endpoint, _ handler: @escaping Handler) {
        let method = endpoint.method.httpMethod
        let (admission, step, serve) = (admission, endpoint.admissionStep, serving(endpoint, handler))
        for root in endpoint.roots {
            table.insert(
                method, root + endpoint.path, name: endpoint.path, step: step, endpoint: endpoint
            ) { request, context in
                context.requestLog.endpoint = endpoint.path
                do {
                    guard let admission else { return try await serve(request, context, RequestAdmission.Place()) }
                    return try await admission.run(step, request, context) { try await serve(request, context, $0) }
                } catch let error as BackendAPIError {
                    throw RequestRefusal(error, at: endpoint)
                } catch let error as ServerError {
                    throw RequestRefusal(error)
                }
            }
        }
    }

    /// Adds a service whose answers pages of other origins may read by `rule`; browsers ask for that by OPTIONS first.
    func add(_ endpoint: Endpoint, readableBy rule: CrossOriginRule?, _ handler: @escaping Handler) {
        guard let rule else { return add(endpoint, handler) }
        add(endpoint) { exchange in
            var response = try await handler(exchange)
            for field in await rule.fields(for: exchange.request) { response.headers[field.name] = field.value }
            return response
        }
        for root in endpoint.roots {
            table.insert(.options, root + endpoint.path, name: endpoint.path, step: endpoint.admissionStep) {
                request, context in
                context.requestLog.endpoint = endpoint.path
                return await rule.answer(to: request)
            }
        }
    }

    /// The handler behind its exchange, whose body is read while the request gives its place up.
    private func serving(
        _ endpoint: Endpoint, _ handler: @escaping Handler
    ) -> @Sendable (Request, BackendRequestContext, RequestAdmission.Place) async throws -> Response {
        { [limits] request, context, place in
            try await handler(
                Self.exchange(at: endpoint, request: request, context: context) {
                    try await place.body { try await request.boundedBody(limits) }
                })
        }
    }

    /// Negotiates the types, then reads the body of a service that takes one.
    private static func exchange(
        at endpoint: Endpoint, request: Request, context: BackendRequestContext, body: () async throws -> [UInt8]
    ) async throws -> Exchange {
        guard !endpoint.requestTypes.isEmpty else {
            let type = try endpoint.responseType(accept: request.acceptField)
            return Exchange(endpoint: endpoint, request: request, context: context, body: [], answerType: type)
        }
        _ = try endpoint.requestType(contentType: request.headers[.contentType])
        let type = try endpoint.responseType(accept: request.acceptField)
        return Exchange(
            endpoint: endpoint, request: request, context: context, body: try await body(), answerType: type)
    }
}

extension Request {
    /// Field `Accept` of the request; nil without one.
    var acceptField: String? {
        let fields = headers[values: .accept]
        return fields.isEmpty ? nil : fields.joined(separator: ", ")
    }

    /// The whole body, or a refusal when it is too large or encoded; the connection sees to its time.
    fileprivate func boundedBody(_ limits: RequestLimits) async throws -> [UInt8] {
        if let encoding = headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw RequestRefusal.encodedBody
        }
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limits.bodyByteCount {
            throw RequestRefusal.tooLarge
        }
        var bytes: [UInt8] = []
        do {
            for try await part in body {
                guard bytes.count + part.readableBytes <= limits.bodyByteCount else { throw RequestRefusal.tooLarge }
                bytes.append(contentsOf: part.readableBytesView)
            }
        } catch let fault as RequestFault {
            throw RequestRefusal(fault)
        }
        return bytes
    }
}
