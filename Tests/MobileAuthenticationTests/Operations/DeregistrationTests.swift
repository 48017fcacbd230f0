import BackendTransport
import Foundation
import Testing
import UAF

@testable import MobileAuthentication

@Suite("Deregistration against a server, and local deletion")
struct DeregistrationTests {
    private func registeredPhone() async throws -> TestPhone {
        let phone = try await TestPhone()
        try await phone.register()
        return phone
    }

    @Test("Deregistration removes account, keys and device information")
    func success() async throws {
        let phone = try await registeredPhone()
        try await phone.client.operations.deregistration.username("jeff").perform()
        #expect(phone.usernames.isEmpty)
        #expect(phone.backend.keys.isEmpty)
        #expect(phone.client.localData.deviceInformation == nil)
        try await phone.register()
        #expect(phone.usernames == ["jeff"])
    }

    @Test("A key that the server has forgotten is removed here as well")
    func forgotten() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.keys = [] }
        try await phone.client.operations.deregistration.username("jeff").aaid("F1D0#1001").perform()
        #expect(phone.usernames.isEmpty)
    }

    @Test("A server that cannot be reached leaves everything as it was")
    func unreachable() async throws {
        let phone = try await registeredPhone()
        phone.backend.script { $0.faults["/uaf/1.1/request/deregistration/"] = .failure(.noConnection) }
        let error = await #expect(throws: OperationError.self) {
            try await phone.client.operations.deregistration.username("jeff").perform()
        }
        #expect((error?.cause as? URLError)?.code == .cannotConnectToHost)
        #expect(phone.usernames == ["jeff"])
    }

    @Test("Local deletion forgets the keys, asks nobody and accepts unknown users")
    func localDeletion() async throws {
        let phone = try await registeredPhone()
        let count = phone.backend.requests.count
        try await phone.client.localData.removeAuthenticator(username: "nobody", aaid: nil)
        #expect(phone.usernames == ["jeff"])
        try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: "F1D0#1005")
        #expect(phone.usernames == ["jeff"])
        try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: "F1D0#1001")
        #expect(phone.usernames.isEmpty)
        #expect(phone.backend.requests.count == count)
    }

    @Test("D-M9: local deletion destroys the keys at once, in its synchronous form too", arguments: [true, false])
    func localKeys(isSynchronous: Bool) async throws {
        let phone = try await registeredPhone()
        let before = phone.keyFiles
        if isSynchronous {
            try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: nil)
        } else {
            try await phone.client.localData.removeAuthenticator(username: "jeff", aaid: nil)
        }
        #expect(phone.keyFiles.count == before.count - 1, "only those of the device stay until the server knows (O-H5)")
        #expect(Set(phone.keyFiles).isSubset(of: before))
    }

    @Test("D-M9: the main actor, too, can delete, although the vault works on other threads")
    func localKeysOnMainActor() async throws {
        let phone = try await registeredPhone()
        let count = phone.keyFiles.count
        try await MainActor.run { try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: nil) }
        #expect(phone.keyFiles.count == count - 1)
    }

    @Test("An AAID that is none is refused")
    func invalidAaid() async throws {
        let phone = try await registeredPhone()
        #expect(throws: DeleteAuthenticatorError.self) {
            try phone.client.localData.deleteAuthenticator(username: "jeff", aaid: "PIN")
        }
    }
}
