import Authenticators
import HardwareKeys
import Testing

extension TestDevice {
    static let prompt = PresencePrompt(reason: "Sign in to the bank", fallbackTitle: "Use PIN", cancelTitle: "Not now")

    /// Registers an authenticator that the operating system verifies; the server has not answered yet.
    func enroll(
        _ kind: AuthenticatorKind, in profile: DeviceProfile = .iOS, _ options: VerificationOptions = .init()
    ) async throws -> (credential: Credential, assertion: [UInt8]) {
        try await KeyRegistration(ports).perform(
            try await parameters(kind, in: profile, options), confirmedBy: Self.prompt)
    }

    /// Registers an authenticator and takes the server's yes for granted.
    func enrolled(
        _ kind: AuthenticatorKind, in profile: DeviceProfile = .iOS, _ options: VerificationOptions = .init()
    ) async throws -> Credential {
        let credential = try await enroll(kind, in: profile, options).credential
        try await store.update { $0.promote(credential.id) }
        return credential
    }

    func parameters(
        _ kind: AuthenticatorKind, in profile: DeviceProfile = .iOS, _ options: VerificationOptions = .init()
    ) async throws -> KeyRegistration.Parameters {
        let support = Dictionary(
            uniqueKeysWithValues: AuthenticatorKind.allCases.map {
                ($0, $0 == kind ? .complete : PlatformSupport.absent)
            })
        let catalog = AuthenticatorCatalog(profile: profile, support: support)
        return KeyRegistration.Parameters(
            model: try #require(catalog.model(profile.aaid(of: kind))), owner: try owner("jane"), access: access,
            challenge: try challenge(), options: options)
    }

    /// Signs in with whatever the person does.
    func sign(confirmed credential: Credential, access: KeyAccess? = nil) async throws -> [UInt8] {
        let parameters = AssertionSigning.Parameters(
            credential: credential.id, access: access ?? self.access, challenge: try challenge())
        return try await AssertionSigning(ports).perform(parameters, confirmedBy: Self.prompt)
    }

    func state(_ credential: Credential) async throws -> CredentialState? {
        try await store.contents().credential(credential.id)?.state
    }
}
