import BackendAPI
import Foundation
import Locking
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

/// A registration with an Authentication Cloud that is being put together, and then run once.
final class AuthCloudApiRegistrationOperation: AuthCloudApiRegistration, RegistrationBuilder {
    /// Parameters that the application has set so far.
    private struct Draft: Sendable {
        var registration: RegistrationDraft
        var invitation = CloudInvitation()
        var onSuccess: (@MainActor (()) -> Void)?
        var onError: (@MainActor (AuthCloudApiError) -> Void)?
    }

    private let environment: ClientEnvironment
    private let draft: Lock<Draft>
    private let run = OperationRun<Void, AuthCloudApiError>(reuse: .Unknown(cause: OperationReuseError()))

    init(_ environment: ClientEnvironment) {
        self.environment = environment
        draft = Lock(Draft(registration: RegistrationDraft(server: environment.server)))
    }

    func with(_ change: (inout RegistrationDraft) -> Void) -> Self {
        draft.withLock { change(&$0.registration) }
        return self
    }

    func enrollResponse(_ enrollResponse: String) -> Self {
        draft.withLock { $0.invitation.enrollResponse = Sensitive(enrollResponse) }
        return self
    }

    func appLinkUri(_ appLinkUri: String) -> Self {
        draft.withLock { $0.invitation.appLinkUri = Sensitive(appLinkUri) }
        return self
    }

    func onSuccess(_ handler: @escaping @MainActor () -> Void) -> Self {
        draft.withLock { $0.onSuccess = { _ in handler() } }
        return self
    }

    func onError(_ handler: @escaping @MainActor (AuthCloudApiError) -> Void) -> Self {
        draft.withLock { $0.onError = handler }
        return self
    }

    func execute() {
        let draft = draft.withLock { $0 }
        run.execute(onSuccess: draft.onSuccess, onError: draft.onError, Self.body(draft, environment))
    }

    func perform() async throws(AuthCloudApiError) {
        let draft = draft.withLock { $0 }
        try await run.result(of: Self.body(draft, environment)).get()
    }

    func cancel() { run.cancel() }

    private static func body(
        _ draft: Draft, _ environment: ClientEnvironment
    ) -> @Sendable () async -> Result<Void, AuthCloudApiError> {
        {
            await environment.attempt { () async throws(AuthCloudApiError) in
                let registration = try await invited(draft, environment)
                do throws(CeremonyFailure) {
                    try await RegistrationPerformer.run(registration, environment)
                } catch {
                    throw AuthCloudApiError(error)
                }
            }
        }
    }

    private static func invited(
        _ draft: Draft, _ environment: ClientEnvironment
    ) async throws(AuthCloudApiError) -> RegistrationDraft {
        do throws(OutOfBandFailure) {
            var parameters = OutOfBandMachine<SDKValues>.Parameters(server: environment.server)
            parameters.content = try draft.invitation.envelope().content
            let unhandled = OutOfBandFailure.Unhandled(handler: nil)
            parameters.unhandled = [.authentication: unhandled, .deregistration: unhandled]
            let outcome = try await OutOfBandPerformer.redeem(
                parameters, headers: draft.registration.headers, Participants(), environment)
            guard case .registration(let request, let redemption) = outcome else {
                throw .unhandled(unhandled)
            }
            var registration = draft.registration
            registration.parameters.server = redemption.server
            registration.parameters.received = ReceivedRequest(request, expiry: redemption.expiry)
            registration.channelBinding = redemption.channelBinding
            return registration
        } catch {
            throw AuthCloudApiError(error)
        }
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
