import Authenticators
import Testing
import UAF

@Suite("Credentials come as pending, are promoted and go")
struct StoredCredentialsTests {
    @Test("A new key is pending; promoted it replaces the other keys of the account")
    func promotion() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("482913")
        let other = try await device.enroll("482913", user: "john")
        let second = try await register(device)
        #expect(try await states(device) == [.active, .active, .pending])
        try await device.store.update { $0.promote(second.id) }
        let contents = try await device.store.contents()
        #expect(contents.credential(first.id) == nil)
        #expect(contents.credential(second.id)?.state == .active)
        #expect(contents.credential(other.id)?.state == .active)
    }

    @Test("A refused registration is deleted and leaves the old key as it was")
    func refusal() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("482913")
        let second = try await register(device)
        try await device.store.update { $0.delete(second.id) }
        #expect(try await device.store.contents().credentials.map(\.id) == [first.id])
        _ = try await device.sign(first, "482913")
    }

    @Test("A pending key does not sign before it is promoted")
    func pendingKey() async throws {
        let device = try await TestDevice()
        let credential = try await register(device)
        await #expect(throws: AuthenticatorError.accessDenied) { try await device.sign(credential, "482913") }
        try await device.store.update { $0.promote(credential.id) }
        _ = try await device.sign(credential, "482913")
    }

    @Test("An unusable key stays visible, signs no more and cannot be promoted")
    func unusable() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        try await device.store.update { contents in
            contents.markUnusable(credential.id)
            contents.promote(credential.id)
        }
        #expect(try await states(device) == [.unusable])
        await #expect(throws: AuthenticatorError.keyDisappearedPermanently) {
            try await device.sign(credential, "482913")
        }
    }

    @Test("The device information goes with the last credential that counts")
    func deviceInformation() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("482913")
        let second = try await device.enroll("482913", user: "john")
        _ = try await register(device)
        try await device.store.update { $0.remember(deviceInformation: [1]) }
        try await device.store.update { $0.delete(first.id) }
        #expect(try await device.store.contents().deviceInformation == [1])
        try await device.store.update { $0.delete { $0.owner == second.owner } }
        #expect(try await device.store.contents().deviceInformation == nil)
        #expect(try await states(device) == [.pending])
    }

    @Test("Deleting or promoting what is not there changes nothing")
    func unknown() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let before = try await device.store.contents()
        let keyID = try #require(KeyID([UInt8](repeating: 0, count: 32)))
        let unknown = CredentialID(aaid: credential.id.aaid, keyID: keyID)
        try await device.store.update { contents in
            contents.delete(unknown)
            contents.promote(unknown)
            contents.markUnusable(unknown)
        }
        #expect(try await device.store.contents() == before)
    }

    @Test("A store takes no more credentials than it may")
    func full() async throws {
        let device = try await TestDevice()
        for _ in 0..<StoredCredentials.countLimit { _ = try await register(device) }
        await #expect(throws: AuthenticatorError.storeFull) { try await register(device) }
    }

    private func register(_ device: TestDevice) async throws -> Credential {
        let pin = try UserSecret.pin("482913")
        let parameters = KeyRegistration.Parameters(
            model: try device.model(), owner: try device.owner("jane"), access: device.access,
            challenge: try device.challenge())
        return try await KeyRegistration(device.ports).perform(parameters, secret: pin).credential
    }

    private func states(_ device: TestDevice) async throws -> [CredentialState] {
        try await device.store.contents().credentials.map(\.state)
    }
}
