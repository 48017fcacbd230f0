import BackendAPI
import BackendTransport
import Crypto
import DemoCommands
import Foundation
import StrictJSON
import TestSupport
import Testing
import UAF

/// A user with a password, a key on a device, a login by it, and everything begun that can be open.
struct RemovalUser: Sendable {
    static let deviceName = "the phone"

    let name: String
    private let username: UserName
    private let http: RemovalClient
    private let phone: SyntheticAuthenticator
    private let device: SyntheticDevice
    private let target: String
    private let token: String
    private let cookie: String
    private let passwordCookie: String
    private let registration: RegistrationRequest
    private let authentication: AuthenticationRequest
    private let ownOperation: String
    private let portalOperation: String

    /// Logs in by password, registers a key with its device, signs in by it and begins everything.
    init(_ name: String, at server: LocalServer) async throws {
        self.name = name
        username = try #require(UserName(name))
        http = try RemovalClient(to: server)
        phone = try SyntheticAuthenticator()
        device = try SyntheticDevice("org.signet.demo#\(name)")
        passwordCookie = try await http.logIn(name, password: Installation.password)
        let first = try await http.registrationRequest(username, .cookie(passwordCookie))
        target = try #require(try await http.register(phone, first, on: device, named: Self.deviceName))
        let asked = try await http.authenticationRequest(username)
        (token, cookie) = try #require(try await http.signIn(phone, asked))
        registration = try await http.registrationRequest(username, .token(token))
        authentication = try await http.authenticationRequest(username)
        let body = GetUAFRequest(RegistrationContext(username: username))
        ownOperation = try await http.dispatch(body, .registration, .token(token))
        portalOperation = try await http.dispatch(
            GetUAFRequest(AuthenticationContext(username: username)), .authentication, .token(Portal.accessKey))
    }

    /// Goes a way and tells what came of it.
    func `try`(_ route: RemovalRoute) async throws -> RemovalRoute.Outcome {
        try await isGranted(route) ? .granted : .refused
    }

    private func isGranted(_ route: RemovalRoute) async throws -> Bool {
        switch route {
        case .registerByToken: try await http.mayRegister(username, .token(token))
        case .registerByCookie: try await http.mayRegister(username, .cookie(cookie))
        case .registerByPassword: try await http.mayRegister(username, .cookie(passwordCookie))
        case .answerRegistration: try await http.register(SyntheticAuthenticator(), registration)
        case .answerAuthentication: try await http.signIn(phone, authentication) != nil
        case .dispatchRegistration: try await mayDispatch()
        case .redeemOwnOperation: try await http.redeem(ownOperation, .registration) != nil
        case .answerPortalOperation: try await answersPortal()
        case .statusByToken:
            try await http.isSuccess(.status, body: StatusRequest(sessionID: "x").body, by: .token(token))
        case .listTargets:
            try await http.isSuccess(.dispatchTargets, query: "?username=\(name)", by: .token(token))
        case .createTarget: try await mayCreateTarget()
        case .readDevice:
            try await http.isSuccess(.deviceCredentials, naming: device.id.text, by: signed(.deviceCredentials))
        case .pendingOperations:
            try await http.isSuccess(.pendingOperations, naming: device.id.text, by: signed(.pendingOperations))
        case .modifyTarget: try await mayModifyTarget()
        case .deleteTarget: try await http.isSuccess(.deleteDispatchTarget, naming: target, by: .token(token))
        case .deregister: try await http.mayDeregister(username, .token(token))
        }
    }

    // MARK: - Ways of several steps

    private func mayDispatch() async throws -> Bool {
        let body = DispatchRequest(GetUAFRequest(RegistrationContext(username: username)), dispatcher: .link).body
        return try await http.isSuccess(.dispatchToken(.registration), body: body, by: .token(token))
    }

    private func answersPortal() async throws -> Bool {
        guard case .authentication(let request)? = try await http.redeem(portalOperation, .authentication) else {
            return false
        }
        return try await http.signIn(phone, request) != nil
    }

    private func mayCreateTarget() async throws -> Bool {
        let other = try SyntheticDevice("org.signet.demo#other")
        // Without a dispatcher: the server of this test has no push service.
        let target = NewDispatchTarget(
            name: try #require(DeviceName("another phone")), deviceID: other.id, destination: nil, dispatcher: nil,
            signatureKey: try other.signatureKey, encryptionKey: try other.encryptionKey)
        let body = try other.creation(of: target, at: http.origin).body
        return try await http.isSuccess(.createDispatchTarget, body: body, by: .token(token))
    }

    private func mayModifyTarget() async throws -> Bool {
        let claims = try http.claims(target, .changeDispatchTarget, naming: target)
        let change = DispatchTargetChange(claims, name: DeviceName("renamed"))
        return try await http.isSuccess(
            .changeDispatchTarget, naming: target, body: Array(try device.signed(change).utf8), by: .noSender)
    }

    private func signed(_ endpoint: Endpoint) throws -> RemovalClient.Proof {
        let claims = try http.claims(target, endpoint, naming: device.id.text)
        return .device(try device.signed(DeviceRequest(claims)))
    }
}
