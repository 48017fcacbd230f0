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

    /// Every service, for whoever checks that all are served.
    public static let services =
        [
            registrationRequest, registrationResponse, authenticationRequest, authenticationResponse,
            deregistrationRequest, facets, fidoLogin, fidoLoginResponse, formerFIDOLoginResponse, passwordLogin, logout,
            keySet,
            liveness, health, metrics, conformanceGet, conformanceRespond,
        ] + outOfBandServices
}
