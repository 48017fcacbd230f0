import MobileAuthentication

// Call sites as applications of the documented SDK have them (callback form); that this file compiles is the test.

/// Keeps a client the way applications do.
@MainActor
final class ClientProvider {
    private(set) var client: (any MobileAuthenticationClient)?

    func initialize(_ configuration: Configuration, handler: @escaping (Result<Void, any Error>) -> Void) {
        MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .onSuccess { client in
                self.client = client
                handler(.success)
            }
            .onError { error in handler(.failure(error)) }
            .execute()
    }

    func register(_ dialog: ApplicationDialog, cookies: [HTTPCookie]) {
        client?.operations.registration
            .username("jeff")
            .deviceInformation(DeviceInformation(name: "phone", fcmRegistrationToken: nil))
            .authorizationProvider(CookieAuthorizationProvider(cookies))
            .authenticatorSelector(dialog)
            .pinEnroller(dialog)
            .onSuccess { self.client = nil }
            .onError { error in self.show(error) }
            .execute()
    }

    func authenticate(_ dialog: ApplicationDialog) {
        client?.operations.authentication
            .username("jeff")
            .authenticatorSelector(dialog)
            .pinUserVerifier(dialog)
            .onSuccess { provider in
                if let cookies = (provider as? CookieAuthorizationProvider)?.cookies { self.deregister(cookies) }
                if let token = (provider as? JwtAuthorizationProvider)?.jwt { _ = token }
            }
            .onError { error in self.note(error) }
            .execute()
    }

    private func deregister(_ cookies: [HTTPCookie]) {
        client?.operations.deregistration
            .username("jeff").aaid(AuthenticatorAaid.Pin.rawValue)
            .authorizationProvider(CookieAuthorizationProvider(cookies))
            .onSuccess {}
            .onError { self.show($0) }
            .execute()
    }

    private func note(_ error: AuthenticationError) {
        switch error {
        case .FidoError(let errorCode, _, let sessionProvider):
            if errorCode == .userCanceled, let provider = sessionProvider as? CookieSessionProvider {
                _ = provider.cookies
            }
        case .NetworkError(_, let sessionProvider): _ = sessionProvider as? JwtSessionProvider
        case .AppAttestationError: break
        case .NoDeviceLockError: break
        case .Unknown: break
        @unknown default: break
        }
    }

    private func show(_ error: any Error) { _ = error.localizedDescription }

    func describe(_ authenticator: any Authenticator) -> Bool {
        switch authenticator.userEnrollment {
        case let enrollment as SdkUserEnrollment: enrollment.isEnrolled("jeff")
        case let enrollment as OsUserEnrollment: enrollment.isEnrolled()
        default: false
        }
    }

    func describe(_ status: PinAuthenticatorProtectionStatus?) -> String {
        switch status {
        case .Unlocked, .none: "open"
        case .LastAttemptFailed(let tries, let seconds): "\(tries) \(seconds)"
        case .LockedOut: "locked"
        case .some: "other"
        }
    }

    var version: String { MetaData.mobileAuthenticationVersion.descriptionWithBuild + MetaData.applicationFacetId }
}

/// A class that is not final and conforms in extensions, as in applications.
class ApplicationDialog {
    var selector: (any AuthenticatorSelectionHandler)?
    var enrollment: (any PinEnrollmentHandler)?
}

extension ApplicationDialog: AuthenticatorSelector {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        let known = context.authenticators.filter {
            context.isPolicyCompliant(authenticatorAaid: $0.aaid) && $0.isSupportedByHardware
                && !$0.registration.isRegistered(context.account.username)
        }
        selector = handler
        if let aaid = known.first.flatMap({ AuthenticatorAaid(rawValue: $0.aaid) }) { handler.aaid(aaid.rawValue) }
    }
}

extension ApplicationDialog: PinEnroller {
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        _ = context.lastRecoverableError?.localizedDescription
        enrollment = handler
    }

    func pinPolicy() -> any PinPolicy { ApplicationPinPolicy() }
}

extension ApplicationDialog: PinUserVerifier {
    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        _ = context.authenticatorProtectionStatus.description
        handler.cancel()
    }
}

/// A policy of an application.
@MainActor
final class ApplicationPinPolicy: PinPolicy {
    var minLength = 5
    var maxLength = 7

    func validatePinForEnrollment(
        _ pin: String, onSuccess: @escaping () -> Void, onError: @escaping (PinEnrollmentValidationError) -> Void
    ) {
        if pin.contains("13") { onError(.InvalidPin(message: "unlucky", cause: nil)) } else { onSuccess() }
    }
}

// Both applications declare these themselves, so the SDK must not.
extension AuthenticatorAaid: Codable {
    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        self = AuthenticatorAaid(rawValue: text) ?? .Pin
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    static func == (one: AuthenticatorAaid, text: String) -> Bool { one.rawValue == text }
}

extension PinAuthenticatorProtectionStatus {
    var localizedDescription: String { description }
}
