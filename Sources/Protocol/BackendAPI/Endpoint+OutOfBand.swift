public import UAF

extension Endpoint {
    private static let outOfBandRoots = [serviceRoot, cloudRoot]

    // MARK: Tokens

    /// Makes a token without sending it; takes a ``GetUAFRequest``, answers with a ``CreatedToken``.
    public static func createToken(_ operation: Operation) -> Endpoint {
        Endpoint(
            .post, "/token/create/\(operation.pathName)", roots: outOfBandRoots, takes: [.fidoUAF, .json],
            answers: [.json])
    }

    /// Makes a token and sends it to a device; takes a ``DispatchRequest``, answers with a ``DispatchAnswer``.
    public static func dispatchToken(_ operation: Operation) -> Endpoint {
        Endpoint(
            .post, "/token/dispatch/\(operation.pathName)", roots: outOfBandRoots, takes: [.json], answers: [.json])
    }

    /// Gives a UAF request for a token; takes a ``RedeemRequest``, answers with a ``ReturnUAFRequest``.
    public static func redeemToken(_ operation: Operation) -> Endpoint {
        Endpoint(
            .post, "/token/redeem/\(operation.pathName)", roots: outOfBandRoots, takes: [.json], answers: [.fidoUAF])
    }

    /// Tells how far an operation is; takes a ``StatusRequest``, answers with a ``SessionStatus``.
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

    /// What the server knows of a device; a ``DeviceRequest`` signs it, the answer is a JWE of ``DeviceCredentials``.
    public static let deviceCredentials = Endpoint(
        .get, "/devices/credentials/{deviceId}", roots: outOfBandRoots, answers: [.jose])
    /// Removes credentials and targets of a device; takes a compact JWS over a ``DeviceChange``, answers 204.
    public static let changeDevice = Endpoint(
        .patch, "/devices/credentials/{deviceId}", roots: outOfBandRoots, takes: [.jose], answers: [.json])
    /// Removes a device with everything of it; a ``DeviceRequest`` signs it, answers 204.
    public static let deleteDevice = Endpoint(
        .delete, "/devices/credentials/{deviceId}", roots: outOfBandRoots, answers: [.json])
    /// What waits for a device; a ``DeviceRequest`` signs it, the answer is a JWE of ``PendingOperations``.
    public static let pendingOperations = Endpoint(
        .get, "/devices/oob-operations/{deviceId}", roots: outOfBandRoots, answers: [.jose])

    /// The header field that carries the compact JWS of a signed request without a body (`backend-http-api` 4.3).
    public static let deviceSignatureField = "Device-Signature"

    /// Every service of out-of-band operations.
    static let outOfBandServices =
        Operation.allCases.flatMap { [createToken($0), dispatchToken($0), redeemToken($0)] } + [
            status, createDispatchTarget, dispatchTargets, changeDispatchTarget, deleteDispatchTarget,
            deviceCredentials, changeDevice, deleteDevice, pendingOperations,
        ]
}

extension Operation {
    /// The name of the operation as the last component of a path.
    public var pathName: String {
        switch self {
        case .registration: "registration"
        case .authentication: "authentication"
        case .deregistration: "deregistration"
        }
    }
}
