import BackendAPI
import HTTPEngine
import HTTPTypes
import Hummingbird
import LoadControl
import Octets
import ServerAdministration
import UAF

/// Admission of requests under load: decides by the head of a request alone, when it arrives.
///
/// A request that is admitted waits for the event loop of its connection, and counts from its arrival; one that is
/// refused waits for nothing.
///
/// A body that is still on its way holds no place, so a slow sender keeps no other client out. Once it is there the request
/// needs a place again.
///
/// Further steps of ceremonies that have begun go before first ones. Public documents cost less than their refusal, and
/// are always served.
struct RequestAdmission: Sendable {
    let load: LoadController

    /// Decides on a request that arrives over a connection: whole seconds after which it may come again when it is
    /// refused; nil when it is admitted, and the connection keeps its ticket for ``run(_:_:_:_:)``.
    func refusal(
        at step: Admission.Step, of request: Request, from sender: IPAddress?, on connection: ConnectionOrigin
    ) -> Int? {
        switch load.admit(step.on(connection), from: source(of: request, sender, on: connection)) {
        case .refused(let seconds):
            note(seconds, on: connection)
            return seconds
        case .admitted(let ticket):
            connection.ticket = ticket
            return nil
        }
    }

    /// Serves a request when it is admitted, with its lifetime as the current one; without a step it always is.
    ///
    /// Throws ``RequestRefusal`` when it is refused, else what `serve` throws.
    func run(
        _ step: Admission.Step?, _ request: Request, _ context: BackendRequestContext,
        _ serve: (Place) async throws -> Response
    ) async throws -> Response {
        let connection = ConnectionOrigin.current
        let lifetime = connection?.lifetime ?? load.lifetime()
        guard let step else {
            return try await RequestLifetime.$current.withValue(lifetime) { try await serve(Place()) }
        }
        switch verdict(on: step, request, context, connection, lifetime) {
        case .refused(let seconds): throw refusal(seconds, on: connection)
        case .admitted(let ticket):
            lifetime.occupies(ticket)
            defer { ticket.close() }
            let place = Place(ticket: ticket) { refusal($0, on: connection) }
            return try await RequestLifetime.$current.withValue(lifetime) { try await serve(place) }
        }
    }

    /// The verdict at the arrival; a request that has come over no connection is decided on now.
    private func verdict(
        on step: Admission.Step, _ request: Request, _ context: BackendRequestContext, _ connection: ConnectionOrigin?,
        _ lifetime: RequestLifetime
    ) -> LoadController.Verdict {
        guard let ticket = connection?.takeTicket() else {
            let source = source(of: request, context.sender, on: connection)
            return load.admit(step.on(connection), from: source, waited: lifetime.age)
        }
        load.began(after: lifetime.age)
        return .admitted(ticket)
    }

    /// Refusal with the time after which the client of a connection may come back, which is noted.
    private func refusal(_ seconds: Int, on connection: ConnectionOrigin?) -> RequestRefusal {
        note(seconds, on: connection)
        return .overloaded(retryAfterSeconds: seconds)
    }

    private func note(_ seconds: Int, on connection: ConnectionOrigin?) {
        connection?.refusedUntil = load.now + .seconds(seconds)
    }

    /// The sender, by address and by the credentials that it shows.
    ///
    /// Only on a connection of one client can a returning client be recognised: connections of proxies and portals
    /// carry requests of many.
    private func source(
        of request: Request, _ sender: IPAddress?, on connection: ConnectionOrigin?
    ) -> Admission.Source {
        let credentials = request.headers[.authorization] ?? request.headers[.cookie]
        let isShared = request.headers[.authorization] != nil || connection?.address != sender
        let isEarly = connection?.refusedUntil.map { load.now < $0 } ?? false
        return Admission.Source(
            address: sender?.networkKey ?? "", credentials: credentials?.hashValue, isImpatient: isEarly && !isShared)
    }
}

extension RequestAdmission {
    /// Place of a request among the requests in flight, which it gives up while its body is on its way.
    struct Place: Sendable {
        private let ticket: AdmissionTicket?
        private let refusal: @Sendable (_ seconds: Int) -> RequestRefusal

        /// Place of `ticket`, nil for a request that is always served; `refusal` answers one that finds no room again.
        init(
            ticket: AdmissionTicket? = nil,
            refusal: @escaping @Sendable (_ seconds: Int) -> RequestRefusal = { .overloaded(retryAfterSeconds: $0) }
        ) {
            self.ticket = ticket
            self.refusal = refusal
        }

        /// The body that `read` reads.
        ///
        /// Throws ``RequestRefusal`` when there is no room any more once it has arrived, else what `read` throws.
        func body(_ read: () async throws -> [UInt8]) async throws -> [UInt8] {
            guard let ticket, RequestLifetime.current?.hasArrived != true else { return try await read() }
            ticket.leave()
            let body = try await read()
            if case .refused(let seconds) = ticket.retake() { throw refusal(seconds) }
            return body
        }
    }
}

extension Admission.Step {
    /// The step as it counts on a connection, which a handshake may have been made for.
    fileprivate func on(_ connection: ConnectionOrigin?) -> Self {
        self == .first && connection?.isNew == true ? .connected : self
    }
}

extension Endpoint {
    /// Place of the service in its ceremony; nil for documents, which are always served.
    var admissionStep: Admission.Step? {
        if Self.documents.contains(self) { return nil }
        return Self.furtherSteps.contains(self) ? .further : .first
    }

    private static let documents: Set<Endpoint> = [
        .facets, .keySet, .openIDConfiguration, .openIDKeySet, .receiptKeySet, .openAPIDocument, .pageStyle, .pageLogo,
        .pageScript,
        .webScript,
    ]

    /// Whether its requests bear a secret, of which the server or an operator has given out each: until that is shown they do
    /// nothing.
    var bearsSecret: Bool { Self.secretBearing.contains(self) || isAdministration }

    private var isAdministration: Bool { path.hasPrefix(AdministrationOperation.root) }

    private static let secretBearing: Set<Endpoint> = Set(
        OperationKind.allCases.flatMap { [.createToken($0), .dispatchToken($0), .redeemToken($0)] } + [
            .registrationResponse, .authenticationResponse, .fidoLoginResponse, .formerFIDOLoginResponse, .status,
            .createDispatchTarget, .dispatchTargets, .changeDispatchTarget, .deleteDispatchTarget, .deviceCredentials,
            .changeDevice, .deleteDevice, .pendingOperations, .signInPage, .signInAction, .signInStatus, .signInCode,
            .pushAuthorization, .clientToken, .userInformation, .userInformationByPost, .introspectToken, .revokeToken,
            .backchannelAuthorize, .decoupledAuthentication, .ping, .intent, .enrollUser, .approval, .transactionStatus,
            .introspectTransaction, .findUser, .user, .changeUser, .removeUser, .renameAuthenticator,
            .removeAuthenticator, .deviceSession,
        ])

    /// Services that go on with what was begun, or end something.
    private static let furtherSteps: Set<Endpoint> = [
        .registrationResponse, .authenticationResponse, .fidoLoginResponse, .formerFIDOLoginResponse,
        .attestationProof, .redeemToken(.registration), .redeemToken(.authentication), .redeemToken(.deregistration),
        .status, .logout, .conformanceRespond, .signInPage, .signInAction, .signInStatus, .signInCode, .clientToken,
        .revokeToken, .providerLogout, .providerLogoutByForm, .transactionStatus, .deviceSession,
    ]
}
