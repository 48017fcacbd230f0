import Authenticators
import Testing
import UAF

@Suite("FIDO UAF Authenticator Commands 1.1, 6.4.4: Deregister")
struct KeyRemovalTests {
    @Test("A key is removed by model and KeyID; others stay")
    func oneKey() async throws {
        let device = try await TestDevice()
        let jane = try await device.enroll("482913")
        let john = try await device.enroll("482913", user: "john")
        try await deregister(device, jane.id.aaid, jane.id.keyID)
        #expect(try await device.store.contents().credentials.map(\.id) == [john.id])
    }

    @Test("All keys of a model, or all at all, are removed without naming them")
    func allKeys() async throws {
        let device = try await TestDevice()
        for aaid in [AAID("F1D0#1001"), nil] {
            _ = try await device.enroll("482913")
            _ = try await device.enroll("482913", user: "john")
            try await deregister(device, aaid, nil)
            #expect(try await device.store.contents().credentials.isEmpty)
        }
    }

    @Test("SEC-18 and SDK-20: unknown keys and models end like known ones and remove nothing")
    func unknown() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        try await deregister(device, credential.id.aaid, KeyID([UInt8](repeating: 1, count: 32)))
        try await deregister(device, AAID("FFFF#0001"), credential.id.keyID)
        try await deregister(device, AAID("FFFF#0001"), nil)
        #expect(try await device.store.contents().credentials.map(\.id) == [credential.id])
    }

    @Test("SEC-38: a foreign application or caller removes nothing")
    func foreign() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let access = KeyAccess(appID: try #require(AppID("https://evil.example")), facetID: device.access.facetID)
        try await KeyRemoval(device.ports).perform(aaid: nil, keyID: nil, access: access)
        #expect(try await device.store.contents().credentials.map(\.id) == [credential.id])
    }

    private func deregister(_ device: TestDevice, _ aaid: AAID?, _ keyID: KeyID?) async throws {
        try await KeyRemoval(device.ports).perform(aaid: aaid, keyID: keyID, access: device.access)
    }
}
