import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

/// A phone that is asked out of band, with the steps that an application makes around the SDK.
struct OutOfBandPhone {
    let device: VirtualDevice

    /// The operations of the SDK.
    var operations: any MobileAuthentication.Operations { device.client.operations }
    /// What the phone knows of its records.
    var information: DeviceInformation? { device.client.localData.deviceInformation }

    /// The models of all registrations.
    var models: [String] { device.registrations.map(\.aaid) }
    /// The users of all registrations.
    var users: [String] { device.registrations.map(\.username) }

    /// Deletes an authenticator of a user here only.
    func deleteLocally(_ aaid: String, of user: String) async throws {
        try await device.client.localData.removeAuthenticator(username: user, aaid: aaid)
    }

    /// The identifier of a user's record of this phone at the server.
    func target(of user: String) throws -> String {
        try #require(information?.idUsernamePairs.first { $0.username == user }?.identifier)
    }

    // MARK: - Payloads

    /// The payload of a QR code, or of the parameter of a link.
    func payload(scanning text: String) throws -> OutOfBandPayload {
        try operations.outOfBandPayloadDecode.base64UrlEncoded(text).perform()
    }

    /// The payload of a push message.
    func payload(pushed message: PushMessage) throws -> OutOfBandPayload {
        try operations.outOfBandPayloadDecode.json(message.payload).perform()
    }

    // MARK: - Operations

    /// Registers what a QR code asks for.
    func register(scanning text: String, _ information: DeviceInformation, by user: ScriptedUser) async throws {
        let step = try await operations.outOfBandOperation.payload(try payload(scanning: text)).perform()
        guard case .registration(let registration) = step else {
            Issue.record("the code began no registration")
            return
        }
        try await registration.deviceInformation(information).authenticatorSelector(user).pinEnroller(user)
            .passwordEnroller(user).perform()
    }

    /// Redeems a payload that begins an authentication.
    func redeem(_ payload: OutOfBandPayload) async throws -> any OutOfBandAuthentication {
        let step = try await operations.outOfBandOperation.payload(payload).perform()
        guard case .authentication(let authentication) = step else { throw OtherStep() }
        return authentication
    }

    /// Redeems a payload and lets a user answer.
    func answer(_ payload: OutOfBandPayload, by user: ScriptedUser) async throws {
        try await answer(try await redeem(payload), by: user)
    }

    /// Lets a user answer what was redeemed.
    func answer(_ authentication: any OutOfBandAuthentication, by user: ScriptedUser) async throws {
        _ = try await authentication.accountSelector(user).channelLinker(user).authenticatorSelector(user)
            .pinUserVerifier(user).passwordUserVerifier(user).perform()
    }

    /// The payload began another operation.
    struct OtherStep: Error {}
}
