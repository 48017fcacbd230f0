public import UAF

extension Endpoint {
    /// The root of the self-hosted services.
    public static let serviceRoot = "/nevisfido"
    /// The root that the SDK uses with an Authentication Cloud host.
    public static let cloudRoot = "/_app"

    private static let uafRoots = [serviceRoot, cloudRoot]

    // MARK: UAF

    /// Gives out registration requests.
    public static let registrationRequest = Endpoint(
        .post, "/uaf/1.1/request/registration", roots: uafRoots, takes: [.fidoUAF], answers: [.fidoUAF])
    /// Judges registration responses.
    public static let registrationResponse = Endpoint(
        .post, "/uaf/1.1/registration", roots: uafRoots, takes: [.fidoUAF], answers: [.fidoUAF])
    /// Gives out authentication requests.
    public static let authenticationRequest = Endpoint(
        .post, "/uaf/1.1/request/authentication", roots: uafRoots, takes: [.fidoUAF], answers: [.fidoUAF])
    /// Judges authentication responses.
    public static let authenticationResponse = Endpoint(
        .post, "/uaf/1.1/authentication", roots: uafRoots, takes: [.fidoUAF], answers: [.fidoUAF])
    /// Gives out deregistration requests and removes the credentials.
    public static let deregistrationRequest = Endpoint(
        .post, "/uaf/1.1/request/deregistration", roots: uafRoots, takes: [.fidoUAF], answers: [.fidoUAF])
    /// Lists the facets that may use the appID.
    public static let facets = Endpoint(
        .get, "/uaf/1.1/facets", roots: uafRoots, answers: [.trustedFacets, .json])

    /// Verdict of the operator on a version of an application: query `facet` and `version`; answers with a JWS of an
    /// ``ApplicationVersionStatement``.
    package static let applicationVersion = Endpoint(.get, "/app/version", roots: uafRoots, answers: [.jose])

    // MARK: Attestation

    /// Makes a credential for a chip; takes an ``AttestationEnrolment/Request``, answers with an
    /// ``AttestationEnrolment/Credential``.
    package static let attestationCredential = Endpoint(
        .post, "/attestation/credential", roots: uafRoots, takes: [.json], answers: [.json])
    /// Gives a proof for the secret of a credential; takes an ``AttestationEnrolment/Answer``, answers with an
    /// ``AttestationEnrolment/Proof``.
    package static let attestationProof = Endpoint(
        .post, "/attestation/proof", roots: uafRoots, takes: [.json], answers: [.json])

    // MARK: Logins

    /// The identity suite's authentication request service; takes a ``FIDOLogin``.
    public static let fidoLogin = Endpoint(
        .post, "/auth/fidouaf", roots: [""], takes: [.json, .fidoUAF], answers: [.json, .fidoUAF])
    /// The identity suite's authentication response service.
    public static let fidoLoginResponse = Endpoint(
        .post, "/auth/fidouaf/authenticationresponse", roots: [""], takes: [.fidoUAF], answers: [.fidoUAF])
    /// The same service where older identity suites have it.
    public static let formerFIDOLoginResponse = Endpoint(
        .post, "/auth/authenticationresponse", roots: [""], takes: [.fidoUAF], answers: [.fidoUAF])
    /// The password login; takes the form with name and password.
    public static let passwordLogin = Endpoint(
        .post, "/auth/pwd", roots: ["", serviceRoot, cloudRoot], takes: [.form], answers: [.json])
    /// The end of the session that the cookie stands for; takes no body, answers 204 whether there was one or not.
    public static let logout = Endpoint(
        .post, "/auth/logout", roots: ["", serviceRoot, cloudRoot], answers: [.json])

    // MARK: Others

    /// The public keys that verify the server's tokens.
    public static let keySet = Endpoint(.get, "/.well-known/jwks.json", roots: [""], answers: [.json, .keySet])
    /// Whether the process lives, on the management port.
    public static let liveness = Endpoint(.get, "/liveness", roots: [serviceRoot], answers: [.health, .json])
    /// Whether the server can serve, on the management port.
    public static let health = Endpoint(.get, "/health", roots: [serviceRoot], answers: [.health, .json])
    /// Figures for Prometheus, on the management port.
    public static let metrics = Endpoint(.get, "/metrics", roots: [""], answers: [.plainText])

    /// The conformance tool's way to a request.
    public static let conformanceGet = Endpoint(.post, "/get", roots: [""], takes: [.json], answers: [.json])
    /// The conformance tool's way to a judgement.
    public static let conformanceRespond = Endpoint(.post, "/respond", roots: [""], takes: [.json], answers: [.json])

    /// Every service, for tests that all are served.
    public static let services =
        [
            registrationRequest, registrationResponse, authenticationRequest, authenticationResponse,
            deregistrationRequest, facets, applicationVersion, attestationCredential, attestationProof, fidoLogin,
            fidoLoginResponse,
            formerFIDOLoginResponse, passwordLogin, logout, keySet, liveness, health, metrics, conformanceGet,
            conformanceRespond,
        ] + outOfBandServices
}

extension Endpoint {
    private static let outOfBandRoots = [serviceRoot, cloudRoot]

    // MARK: Tokens

    /// Makes a token without sending it; takes a ``GetUAFRequest``, answers with a ``CreatedToken``.
    public static func createToken(_ operation: OperationKind) -> Endpoint {
        Endpoint(
            .post, "/token/create/\(operation.pathName)", roots: outOfBandRoots, takes: [.fidoUAF, .json],
            answers: [.json])
    }

    /// Makes a token and sends it to a device; takes a ``DispatchRequest``, answers with a ``DispatchAnswer``.
    public static func dispatchToken(_ operation: OperationKind) -> Endpoint {
        Endpoint(
            .post, "/token/dispatch/\(operation.pathName)", roots: outOfBandRoots, takes: [.json], answers: [.json])
    }

    /// Gives a UAF request for a token; takes a ``RedeemRequest``, answers with a ``ReturnUAFRequest``.
    public static func redeemToken(_ operation: OperationKind) -> Endpoint {
        Endpoint(
            .post, "/token/redeem/\(operation.pathName)", roots: outOfBandRoots, takes: [.json], answers: [.fidoUAF])
    }

    /// Status of a ceremony; takes a ``StatusRequest``, answers with a ``SessionStatus``.
    public static let status = Endpoint(.post, "/status", roots: outOfBandRoots, takes: [.json], answers: [.json])

    // MARK: Dispatch targets

    /// Makes a dispatch target; takes a ``DispatchTargetCreation``, answers 201 with a ``CreatedDispatchTarget``.
    public static let createDispatchTarget = Endpoint(
        .post, "/token/dispatch/targets", roots: outOfBandRoots, takes: [.json], answers: [.json])
    /// Lists the dispatch targets of the user in the query's `username`; answers with a ``DispatchTargetList``.
    public static let dispatchTargets = Endpoint(
        .get, "/token/dispatch/targets", roots: outOfBandRoots, answers: [.json])
    /// Changes a dispatch target; takes a compact JWS over a ``DispatchTargetChange``, answers 204.
    public static let changeDispatchTarget = Endpoint(
        .patch, "/token/dispatch/targets/{id}", roots: outOfBandRoots, takes: [.jose], answers: [.json])
    /// Deletes a dispatch target; answers 204.
    public static let deleteDispatchTarget = Endpoint(
        .delete, "/token/dispatch/targets/{id}", roots: outOfBandRoots, answers: [.json])

    // MARK: Devices

    /// The server's record of a device; a ``DeviceRequest`` signs the request, the response is a JWE of
    /// ``DeviceCredentials``.
    public static let deviceCredentials = Endpoint(
        .get, "/devices/credentials/{deviceId}", roots: outOfBandRoots, answers: [.jose])
    /// Removes credentials and targets of a device; takes a compact JWS over a ``DeviceChange``, answers 204.
    public static let changeDevice = Endpoint(
        .patch, "/devices/credentials/{deviceId}", roots: outOfBandRoots, takes: [.jose], answers: [.json])
    /// Removes a device with everything of it; a ``DeviceRequest`` signs it, answers 204.
    public static let deleteDevice = Endpoint(
        .delete, "/devices/credentials/{deviceId}", roots: outOfBandRoots, answers: [.json])
    /// Operations that wait for a device; a ``DeviceRequest`` signs the request, the response is a JWE of
    /// ``PendingOperations``.
    public static let pendingOperations = Endpoint(
        .get, "/devices/oob-operations/{deviceId}", roots: outOfBandRoots, answers: [.jose])

    /// Header field that carries the compact JWS of a signed request without a body.
    public static let deviceSignatureField = "Device-Signature"

    /// Header field of a request service in which a client of this package names the exchange: 22 characters of
    /// base64url, which the signed part of the response repeats.
    public static let exchangeField = "Signet-Exchange"

    static let outOfBandServices =
        OperationKind.allCases.flatMap { [createToken($0), dispatchToken($0), redeemToken($0)] } + [
            status, createDispatchTarget, dispatchTargets, changeDispatchTarget, deleteDispatchTarget,
            deviceCredentials, changeDevice, deleteDevice, pendingOperations,
        ]
}

extension OperationKind {
    /// The name of the operation as the last component of a path.
    public var pathName: String {
        switch self {
        case .registration: "registration"
        case .authentication: "authentication"
        case .deregistration: "deregistration"
        }
    }
}
