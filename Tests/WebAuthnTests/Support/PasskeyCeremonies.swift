import DeviceAttestation
import Foundation
import TestSupport
import Testing
import WebAuthn

/// Both ceremonies with a relying party for `example.org`; each test changes one thing.
struct PasskeyCeremonies {
    static let time = Date(timeIntervalSince1970: 1_790_000_000)

    var settings = PasskeySettings(
        relyingPartyID: "example.org", name: "Example", origins: ["https://example.org"])
    var creation = CreationOffer(
        challenge: [UInt8](0..<32), user: PasskeyUser(handle: [7], name: "ada", displayName: "Ada"))
    var request = RequestOffer(challenge: [UInt8](32..<64))
    var isRegistered = false

    init(trusting maker: SoftwareMaker? = nil) throws {
        settings.attestation.roots = try maker.map { try TrustRoots([$0.authority.root]) }
    }

    func registration(_ text: [UInt8]) async throws -> VerifiedPasskey {
        try await PasskeyVerification(settings: settings).registration(
            try RegistrationAnswer(text), for: creation, isRegistered: isRegistered, at: Self.time)
    }

    func authentication(_ text: [UInt8], _ record: PasskeyRecord?) throws -> VerifiedPasskeyUse {
        try PasskeyVerification(settings: settings).authentication(
            try AssertionAnswer(text), for: request, record: record)
    }

    /// Registers a passkey of this authenticator without a statement.
    func record(of authenticator: SoftwareAuthenticator) async throws -> PasskeyRecord {
        try await registration(try authenticator.registration(creation).text).record
    }

    // MARK: - Refusals

    /// Expects a refusal with the number of its step.
    func expectRefusal(
        _ refusal: PasskeyRefusal, step: Int, of text: [UInt8], _ location: SourceLocation = #_sourceLocation
    ) async {
        do {
            _ = try await registration(text)
            Issue.record("the answer was accepted", sourceLocation: location)
        } catch {
            Self.expect(error, refusal, step, .registration, location)
        }
    }

    /// Expects a refusal with the number of its step.
    func expectRefusal(
        _ refusal: PasskeyRefusal, step: Int, of text: [UInt8], record: PasskeyRecord?,
        _ location: SourceLocation = #_sourceLocation
    ) {
        do {
            _ = try authentication(text, record)
            Issue.record("the answer was accepted", sourceLocation: location)
        } catch {
            Self.expect(error, refusal, step, .authentication, location)
        }
    }

    private static func expect(
        _ error: any Error, _ refusal: PasskeyRefusal, _ step: Int, _ ceremony: PasskeyCeremony,
        _ location: SourceLocation
    ) {
        let found = error as? PasskeyError
        #expect(found?.refusal == refusal, sourceLocation: location)
        #expect(found?.step == step && found?.ceremony == ceremony, sourceLocation: location)
    }
}
