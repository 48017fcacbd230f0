package import BackendAPI
package import ServerCore
package import UAF
package import UAFService

extension TestServer {
    /// Origin of every test server.
    package static let origin = "https://login.example.com"

    /// Authorization of requests from the system `portal`.
    package static var portal: InitiatorAuthorization {
        get throws {
            guard let name = AccessKeyName("portal") else { throw Failure.setUp }
            return .accessKey(name)
        }
    }

    /// Adds a dispatch target of the user on the device.
    @discardableResult
    package func addTarget(
        of user: User, on device: SyntheticDevice, named name: String = "Jeff's phone", isSealed: Bool = true
    ) async throws -> String {
        let creation = try device.creation(
            of: device.target(named: name, isSealed: isSealed), at: Self.origin)
        return try await services.targets.create(
            creation, authorization: grant(user), client: ClientContext()
        ).id
    }

    /// Dispatches an authentication.
    package func dispatch(
        _ name: String? = "jeff", to target: String? = nil, by dispatcher: DispatcherName? = nil,
        transaction: String? = nil, linking: ChannelLinkingMethod? = nil, session: String? = nil
    ) async throws -> DispatchAnswer {
        let transactions = transaction.map { [Transaction(contentType: .plainText, content: Array($0.utf8))] }
        let request = GetUAFRequest(
            AuthenticationContext(username: try name.map(self.name), transactions: transactions ?? []))
        return try await dispatch(
            DispatchRequest(
                request, dispatcher: dispatcher, dispatchTargetID: target, channelLinking: linking,
                initiatorSession: session),
            for: .authentication)
    }

    /// Dispatches any operation, by default for the system `portal`.
    package func dispatch(
        _ request: DispatchRequest, for operation: OperationKind, by initiator: InitiatorAuthorization? = nil
    ) async throws -> DispatchAnswer {
        try await services.outOfBand.dispatch(
            request, for: operation, authorization: try initiator ?? Self.portal, client: ClientContext())
    }

    /// Redeems a token; a server that cannot write answers with the status of a time-out.
    package func redeem(
        _ token: String, for operation: OperationKind = .authentication, from client: ClientContext = ClientContext()
    ) async -> ReturnUAFRequest {
        do throws(ServerError) {
            return try await services.redemption.redeem(RedeemRequest(token: token), for: operation, client: client)
        } catch {
            return ReturnUAFRequest(statusCode: .requestTimeout)
        }
    }

    /// Status of an operation.
    package func status(_ sessionID: String?) async throws -> SessionStatus {
        try await services.status.status(
            StatusRequest(sessionID: sessionID ?? ""), authorization: try Self.portal)
    }

    /// Responds to the request behind a token.
    package func answer(
        _ request: ReturnUAFRequest, with authenticator: SyntheticAuthenticator, digits: String? = nil
    ) async throws -> AcceptedAnswer {
        guard case .authentication(let message) = try Self.request(request) else { throw Failure.setUp }
        let response = SendUAFResponse(
            uafResponse: String(decoding: try client.answer(message, with: [authenticator]), as: UTF8.self),
            context: ResponseContext(linkingDigits: digits))
        return try await services.authenticationResponses.acceptResponse(response, client: ClientContext())
    }

    /// Denies and reports the request behind a token, without a signature.
    package func report(
        _ request: ReturnUAFRequest, from client: ClientContext = ClientContext()
    ) async throws -> StatusCode {
        guard case .authentication(let message) = try Self.request(request) else { throw Failure.setUp }
        let response = SendUAFResponse(
            uafResponse: String(decoding: try self.client.answer(message, with: []), as: UTF8.self),
            context: ResponseContext(asmStatus: .userCancelled, clientErrorCode: .userCancelled, isReported: true))
        return try await services.authenticationResponses.acceptResponse(response, client: client).message.statusCode
    }

    /// Claims of a request that the target's device makes now.
    package func claims(
        _ target: String, _ endpoint: Endpoint, naming name: String? = nil, requestID: String = "request-1"
    ) -> DeviceClaims {
        let path = name.map(endpoint.path(naming:)) ?? endpoint.path
        return DeviceClaims(
            dispatchTargetID: target, requestID: requestID, creationTime: clock.now().milliseconds,
            audience: Self.origin + Endpoint.serviceRoot + path, method: endpoint.method)
    }
}
