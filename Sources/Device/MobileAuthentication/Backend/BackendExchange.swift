import BackendAPI
import BackendTransport
import Foundation
import HardwareKeys
import Locking
import Octets
import UAF
import UAFClient

/// HTTP exchanges of one operation with its server; headers, cookies and tokens are discarded with it.
final class BackendExchange: Sendable {
    private static let reportTimeout = Duration.seconds(5)

    /// Name of the exchange, which the server ties its request to.
    let id = ServerBinding.ExchangeID(FreshOctets.make(count: ServerBinding.ExchangeID.byteCounts.lowerBound))
    private let environment: ClientEnvironment
    private let token: Sensitive<String>?
    private let applicationFields: [HeaderFields.Field]
    private let record: Lock<SessionRecord>
    private let lastAddress = Lock<URL?>(nil)
    private let channel = Lock(ChannelBinding())

    init(_ environment: ClientEnvironment, headers: [String: String], credentials: SessionCredentials) {
        self.environment = environment
        token = credentials.token
        applicationFields = ApplicationFields.fields(headers)
        record = Lock(SessionRecord(credentials, now: environment.civilClock.secondsSince1970))
    }

    // MARK: - UAF

    /// Asks for a UAF request that is to be signed; from a bound server it is for this exchange only.
    ///
    /// A server that announces only now that it judges the server binding is asked once more, with the name.
    func fetch<Request: ServerRequest>(
        _ context: some RequestContext, from resource: BackendResource, isBound: Bool
    ) async -> RequestAnswer<Request> {
        let answer: RequestAnswer<Request> = await ask(context, from: resource, isNamed: isBound)
        guard !isBound, case .request(let request, _) = answer, request.header.announcesServerBinding else {
            return answer
        }
        return await ask(context, from: resource, isNamed: true)
    }

    /// Asks for a UAF request (`ReturnUAFRequest`), with the name of the exchange or without.
    func ask<Request: ServerRequest>(
        _ context: some RequestContext, from resource: BackendResource, isNamed: Bool = false
    ) async -> RequestAnswer<Request> {
        await request {
            try await self.post(
                GetUAFRequest(context).body, to: try resource.url(), self.networkTimeout, isNamed: isNamed)
        }
    }

    func redeem<Request: ServerRequest>(_ token: String, at url: URL) async -> RequestAnswer<Request> {
        await request {
            try await self.post(
                RedeemRequest(token: token).body, .token, to: url, self.networkTimeout)
        }
    }

    private func request<Request: ServerRequest>(
        _ exchange: () async throws -> BackendResponse
    ) async -> RequestAnswer<Request> {
        let response: BackendResponse
        do {
            response = try await exchange()
        } catch {
            return .unreachable(error)
        }
        let binding = ChannelBinding(response.connection)
        channel.withLock { $0 = binding }
        do throws(BackendAPIError) {
            return answer(to: try ReturnUAFRequest(body: response.body))
        } catch {
            return .refused(.fido(.protocolError, cause: error))
        }
    }

    private func answer<Request: ServerRequest>(to body: ReturnUAFRequest) -> RequestAnswer<Request> {
        guard body.statusCode == .ok else {
            return .refused(.fido(.protocolError, cause: CeremonyFault.refused(body.statusCode)))
        }
        guard let text = body.uafRequest else { return .nothingToDo }
        do throws(MessageError) {
            let request = try Request(message: text)
            return .request(request, expiry: body.lifetimeMillis.map(expiry))
        } catch {
            return .refused(.fido(error.clientErrorCode, cause: error))
        }
    }

    /// Expiry of a request that was just received, on the monotonic clock; a lifetime of more than a day counts as a
    /// day.
    private func expiry(afterMilliseconds lifetime: Int64) -> Duration {
        environment.clock.now + .milliseconds(min(max(0, lifetime), 86_400_000))
    }

    /// Sends a UAF response (`SendUAFResponse`) with the dispatch target or proof that belongs to it, and the statement
    /// about the application.
    func send(
        _ message: OperationResponse, to resource: BackendResource, linkingDigits: Sensitive<String>? = nil,
        target: DispatchTargetProposal? = nil
    ) async -> ServerVerdict<any AuthorizationProvider> {
        let statement: AppAttestationStatement?
        do throws(CeremonyFailure) {
            statement = try await environment.application.statement(about: message.text, for: resource.server)
        } catch {
            return .rejected(error)
        }
        let context = ResponseContext(
            asmStatus: .ok, clientErrorCode: .noError, userAgent: environment.userAgent,
            linkingDigits: linkingDigits?.reveal(), dispatchTarget: target
        ).stating(statement)
        let response: BackendResponse
        do {
            let body = SendUAFResponse(uafResponse: message.text, context: context).body
            response = try await post(body, to: try resource.url(), networkTimeout, isTimed: target?.isTimed ?? false)
        } catch let error as ClockSkewError {
            return .rejected(.clockSkew(error))
        } catch {
            return .unknown(error)
        }
        do throws(BackendAPIError) {
            let answer = try ServerResponse(body: response.body)
            switch answer.statusCode {
            case .ok:
                return .accepted(
                    try authorization(in: response, answer, resource), target: answer.dispatchTarget?.id)
            case .accepted: return .postponed
            case .unacceptableAttestation:
                await environment.application.refused(by: resource.server)
                return .rejected(.attestation(ServerStatus(Int(answer.statusCode.rawValue))))
            default: return .refused(answer.statusCode)
            }
        } catch {
            return .unknown(error)
        }
    }

    /// Reports to the server why there will be no assertion: best effort, with a short time-out.
    func report(_ message: OperationResponse, _ failure: CeremonyFailure, to resource: BackendResource) async {
        let code = FidoErrorCode(failure.reportedCode)
        var isDenied = false
        if case .denied = failure { isDenied = true }
        let context = ResponseContext(
            asmStatus: code.asmStatus, clientErrorCode: ClientErrorCode(rawValue: UInt16(code.rawValue)),
            userAgent: environment.userAgent, isReported: isDenied)
        let body = SendUAFResponse(uafResponse: message.text, context: context).body
        // A separate task, which is not canceled with the operation: that cancellation is what has to be reported.
        let timeout = min(networkTimeout, Self.reportTimeout)
        let task = Task { _ = try? await post(body, to: try resource.url(), timeout) }
        await task.value
    }

    /// Creates a dispatch target for this device and returns its identifier.
    func createTarget(
        _ creation: DispatchTargetCreation, at resource: BackendResource
    ) async throws(CeremonyFailure) -> String {
        do {
            let response = try await post(creation.body, .newTarget, to: try resource.url(), networkTimeout)
            return try CreatedDispatchTarget(body: response.body).id
        } catch {
            throw .unreachable(error)
        }
    }

    func answer<Answer: MessageBody>(to body: some MessageBody, at resource: BackendResource) async throws -> Answer {
        try Answer(body: try await post(body.body, .json, to: try resource.url(), networkTimeout).body)
    }

    /// Channel binding data of the connection that the last UAF request came over; empty without one.
    var channelBinding: ChannelBinding { channel.withLock { $0 } }

    // MARK: - What the server issued

    /// Authorization that the server issued: a token in the body takes precedence over header fields, those over
    /// cookies.
    private func authorization(
        in response: BackendResponse, _ answer: ServerResponse, _ resource: BackendResource
    ) throws(BackendAPIError) -> (any AuthorizationProvider)? {
        if let token = answer.token(.jwt) { return JwtAuthorizationProvider(token) }
        let prefix = "Bearer "
        if let field = response.headers.first("Authorization"), field.hasPrefix(prefix) {
            return JwtAuthorizationProvider(String(field.dropFirst(prefix.count)))
        }
        guard let url = try? resource.url() else { return nil }
        let now = environment.civilClock.secondsSince1970
        let cookies = record.withLock { $0.cookies(for: url, now: now) }
        return cookies.isEmpty ? nil : CookieAuthorizationProvider(cookies)
    }

    var openedSession: (any SessionProvider)? {
        guard let url = lastAddress.withLock({ $0 }) else { return nil }
        let now = environment.civilClock.secondsSince1970
        return record.withLock { $0.openedCookies(for: url, now: now) }.map(CookieSessionProvider.init)
    }

    // MARK: - HTTP

    private var networkTimeout: Duration { Duration(bounded: environment.configuration.networkTimeoutInSeconds) }

    /// Posts a body; any status but the expected one is an error, a ``ClockSkewError`` where `isTimed` and refused for
    /// the time.
    ///
    /// With `isNamed` it carries the name of the exchange.
    private func post(
        _ body: [UInt8], _ form: BodyForm = .uaf, to url: URL, _ timeout: Duration, isTimed: Bool = false,
        isNamed: Bool = false
    ) async throws -> BackendResponse {
        var headers = fields(for: url, form)
        if isNamed, let id { headers.append(Endpoint.exchangeField, id.base64URL) }
        let request = BackendRequest(.post, url.absoluteString, headers: headers, body: body, timeout: timeout)
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await environment.transport.response(to: request)
        } catch {
            throw error.forApplication
        }
        let now = environment.civilClock.secondsSince1970
        record.withLock { $0.take(response.headers.values(of: "Set-Cookie"), from: url, now: now) }
        lastAddress.withLock { $0 = url }
        guard response.status == form.status else {
            if isTimed, let skew = ClockSkewError(response, now: now) { throw skew }
            throw HTTPStatusError(response)
        }
        return response
    }

    private func fields(for url: URL, _ form: BodyForm) -> HeaderFields {
        var fields = HeaderFields(applicationFields)
        fields.append("Accept", form.accept)
        fields.append("Content-Type", form.contentType)
        fields.append("User-Agent", environment.userAgent)
        if let token { fields.append("Authorization", "Bearer \(token.reveal())") }
        let now = environment.civilClock.secondsSince1970
        if let cookies = record.withLock({ $0.cookieField(for: url, now: now) }) { fields.append("Cookie", cookies) }
        return fields
    }
}

extension DispatchTargetProposal {
    /// Whether the proof carries a time that the server judges.
    fileprivate var isTimed: Bool {
        if case .existing = self { true } else { false }
    }
}

extension OperationResponse {
    /// UAF message as the text that is embedded in `SendUAFResponse`.
    fileprivate var text: String { String(decoding: message, as: UTF8.self) }
}

extension ChannelBinding {
    /// Channel binding data of a connection whose certificate was validated (FIDO UAF Protocol 1.1 section 3.1.10);
    /// empty where the transport cannot tell.
    ///
    /// The certificate is stated whole and by its hash, the `tls-server-end-point` of RFC 5929 section 4.1. The hash is
    /// left out for a signature algorithm that implies none. TLS 1.3 has no `tls-unique`, so that is never stated.
    init(_ connection: ConnectionFacts?) {
        guard let connection else {
            self.init()
            return
        }
        let hash = connection.signatureAlgorithm.flatMap(ServerEndPointHash.init(signatureAlgorithm:))
        self.init(
            serverEndPoint: hash?.serverEndPoint(certificate: connection.certificate),
            tlsServerCertificate: Base64URL.encode(connection.certificate))
    }
}
