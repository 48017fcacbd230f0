import Foundation
import MobileAuthenticationTestKit
import Testing

@testable import MobileAuthentication

@Suite("N-L5: damage on the device is told in its own words, and no server forgets what cannot be removed here")
struct DamagedFileTests {
    private static let store = "credentials.sst"

    private func registeredPhone() async throws -> TestPhone {
        let phone = try await TestPhone()
        try await phone.register()
        return phone
    }

    @Test(
        "A deregistration that could not be written is refused before the server is asked, and works afterwards",
        arguments: [nil, JwsAuthorizationProvider(), EmptyAuthorizationProvider()] as [(any AuthorizationProvider)?])
    func unwritable(provider: (any AuthorizationProvider)?) async throws {
        let phone = try await registeredPhone()
        func deregister() async throws {
            let operation = phone.client.operations.deregistration.username("jeff")
            if let provider { operation.authorizationProvider(provider) }
            try await operation.perform()
        }
        try phone.obstructWriting()
        let before = phone.backend.requests.count
        await #expect(throws: OperationError.self) { try await deregister() }
        #expect(phone.backend.requests.count == before)
        #expect(phone.backend.keys.count == 1 && phone.usernames == ["jeff"])
        try phone.allowWriting()
        try await deregister()
        #expect(phone.backend.keys.isEmpty && phone.usernames.isEmpty)
    }

    @Test("Operations on a damaged store say what is damaged and what is not, and what helps; no request is sent")
    func damagedStore() async throws {
        let phone = try await registeredPhone()
        let file = phone.folder.appending(path: Self.store)
        let whole = try Data(contentsOf: file)
        try Data(repeating: 0, count: whole.count).write(to: file)
        let before = phone.backend.requests.count
        let user = await TestUser(pins: [])
        let operations: [() async throws -> Void] = [
            { _ = try await phone.authenticate() },
            { try await phone.register("anna") },
            { try await phone.client.operations.deregistration.username("jeff").perform() },
            { try await phone.client.operations.pinChange.username("jeff").pinChanger(user).perform() },
            { try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil) },
        ]
        for operation in operations {
            do {
                try await operation()
                Issue.record("nothing was told")
            } catch let error as any MobileAuthenticationClientError {
                #expect(error.cause as? DamagedFileError == DamagedFileError(.registrations))
                #expect(error.errorDescription == SDKText.damagedRegistrations.localized)
                #expect(error.recoverySuggestion == SDKText.setUpAgain.localized)
                #expect(!error.isRetryable)
            }
        }
        #expect(phone.backend.requests.count == before)
        try whole.write(to: file)
        _ = try await phone.authenticate()
    }

    @Test("A damaged file of one key costs that registration: it says so, and others sign in")
    func damagedKey() async throws {
        let phone = try await registeredPhone()
        let known = Set(phone.keyFiles)
        try await phone.register("anna")
        for name in Set(phone.keyFiles).subtracting(known) {
            let file = phone.folder.appending(path: "keys/\(name)")
            var bytes = try Data(contentsOf: file)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: file)
        }
        _ = try await phone.authenticate("jeff")
        let error = await #expect(throws: AuthenticationError.self) { _ = try await phone.authenticate("anna") }
        #expect(error?.cause as? DamagedFileError == DamagedFileError(.key))
        #expect(error?.errorDescription == SDKText.damagedKey.localized)
        #expect(error?.recoverySuggestion == SDKText.registerAgain.localized)
        try await phone.client.operations.deregistration.username("anna")
            .authorizationProvider(JwsAuthorizationProvider()).perform()
        try await phone.register("anna")
        _ = try await phone.authenticate("anna")
    }

    @Test("A damaged registration is counted, costs no other, and is given up when the application says so")
    func damagedRegistration() async throws {
        let first = try await registeredPhone()
        try await first.register("anna")
        #expect(first.client.localData.damagedRegistrationCount == 0 && first.usernames == ["jeff", "anna"])
        let file = first.folder.appending(path: Self.store)
        let whole = try Data(contentsOf: file)
        var found: TestPhone?
        // Some octet is in the record of the one account.
        for offset in stride(from: whole.count - 1, to: 0, by: -64) where found == nil {
            var bytes = whole
            bytes[offset] ^= 1
            try bytes.write(to: file)
            let phone = try await TestPhone { $0.before = first }
            if phone.usernames == ["anna"] { found = phone }
        }
        let phone = try #require(found)
        let data = phone.client.localData
        #expect(data.damagedRegistrationCount == 1)
        _ = try await phone.authenticate("anna")
        let error = await #expect(throws: AuthenticationError.self) { _ = try await phone.authenticate("jeff") }
        #expect(error?.cause is UnregisteredUserError)
        let keys = phone.keyFiles.count
        try await data.removeDamagedRegistrations()
        #expect(data.damagedRegistrationCount == 0 && phone.usernames == ["anna"])
        #expect(phone.keyFiles.count == keys - 1)
        try await phone.register()
        #expect(phone.usernames.sorted() == ["anna", "jeff"])
        _ = try await phone.authenticate("jeff")
        _ = try await phone.authenticate("anna")
    }
}
