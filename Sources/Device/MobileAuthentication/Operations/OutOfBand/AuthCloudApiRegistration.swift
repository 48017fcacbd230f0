import BackendAPI
import Foundation
import Octets
import StrictJSON
import UAF
import UAFClient

/// A registration that an Authentication Cloud has begun: by an enroll response, or by a link.
///
/// Exactly one of both has to be given; otherwise, and when it is invalid, the operation ends with `MalformedPayload`.
///
/// ```swift
/// try await client.operations.authCloudApiRegistration
///     .appLinkUri(link)
///     .deviceInformation(DeviceInformation(name: "phone"))
///     .authenticatorSelector(screen)
///     .pinEnroller(screen)
///     .perform()
/// ```
public protocol AuthCloudApiRegistration: RegisteringOperation {
    /// The document that the Authentication Cloud gave to the application's own server, unchanged.
    @discardableResult
    func enrollResponse(_ enrollResponse: String) -> Self

    /// The link: `https://<instance>.mauth.nevis.cloud/open?dispatchTokenResponse=…`.
    @discardableResult
    func appLinkUri(_ appLinkUri: String) -> Self

    /// Called once when the server has confirmed the registration.
    @discardableResult @preconcurrency
    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self

    /// Called once with the error when the registration failed or was canceled.
    @discardableResult @preconcurrency
    func onError(_ handler: @escaping @MainActor (AuthCloudApiError) -> Void) -> Self

    /// Runs the operation and waits for its end; canceling the task counts as canceling by the user.
    func perform() async throws(AuthCloudApiError)
}

struct AuthCloudApiRegistrationOperation: AuthCloudApiRegistration, DraftedOperation {
    let state: OperationState<RegistrationDraft, Void, AuthCloudApiError>

    init(_ environment: ClientEnvironment) {
        state = OperationState(RegistrationDraft(server: environment.server)) { draft in
            await environment.attempt { () async throws(AuthCloudApiError) in
                try await Self.register(draft, environment)
            }
        }
    }

    func enrollResponse(_ enrollResponse: String) -> Self {
        with { $0.invitation.enrollResponse = Sensitive(enrollResponse) }
    }

    func appLinkUri(_ appLinkUri: String) -> Self { with { $0.invitation.appLinkUri = Sensitive(appLinkUri) } }

    func perform() async throws(AuthCloudApiError) { try await state.perform() }

    private static func register(
        _ draft: RegistrationDraft, _ environment: ClientEnvironment
    ) async throws(AuthCloudApiError) {
        var registration = draft
        do throws(OutOfBandFailure) {
            let (request, redemption) = try await redeem(draft, environment)
            registration.receive(request, redemption)
        } catch {
            throw AuthCloudApiError(error)
        }
        do throws(CeremonyFailure) {
            try await RegistrationPerformer.run(registration, environment)
        } catch {
            throw AuthCloudApiError(error)
        }
    }

    private static func redeem(
        _ draft: RegistrationDraft, _ environment: ClientEnvironment
    ) async throws(OutOfBandFailure) -> (RegistrationRequest, OutOfBandRedemption) {
        var parameters = OutOfBandMachine<SDKValues>.Parameters(server: environment.server)
        parameters.content = try draft.invitation.envelope().content
        let unhandled = OutOfBandFailure.Unhandled(handler: nil)
        parameters.unhandled = [.authentication: unhandled, .deregistration: unhandled]
        let outcome = try await OutOfBandPerformer.redeem(
            parameters, headers: draft.headers, Participants(), environment)
        guard case .registration(let request, let redemption) = outcome else { throw .unhandled(unhandled) }
        return (request, redemption)
    }
}

/// Invitation by an Authentication Cloud: the whole enroll response, or the link in it.
struct CloudInvitation: Sendable {
    var enrollResponse: Sensitive<String>?
    var appLinkUri: Sensitive<String>?

    private static let byteLimit = 256 << 10

    func envelope() throws(OutOfBandFailure) -> OutOfBandEnvelope {
        let link =
            switch (enrollResponse, appLinkUri) {
            case (let response?, nil): try Self.link(inResponse: response.reveal())
            case (nil, let link?): link.reveal()
            case (nil, nil): throw .malformed(MissingParameterError("enrollResponse"))
            case (_?, _?): throw .malformed(InvalidParameterError("appLinkUri"))
            }
        let parameters = URLComponents(string: link)?.queryItems ?? []
        let texts = parameters.filter { $0.name == OutOfBandEnvelope.linkParameter }.compactMap(\.value)
        guard link.utf8.count <= Self.byteLimit, texts.count == 1, let text = texts.first else {
            throw .malformed(InvalidParameterError("appLinkUri"))
        }
        do throws(BackendAPIError) {
            return try OutOfBandEnvelope(base64URL: text)
        } catch {
            throw .malformed(error)
        }
    }

    private static func link(inResponse text: String) throws(OutOfBandFailure) -> String {
        let limits = JSONLimits(byteCount: byteLimit, depth: 16, elementCount: 1024)
        do {
            let response = try JSONParser.parse(text, limits: limits).asObject()
            return try response.required("enrollment") { value throws(JSONTypeError) in
                try value.asObject().string("appLinkUri")
            }
        } catch {
            throw .malformed(error)
        }
    }
}
