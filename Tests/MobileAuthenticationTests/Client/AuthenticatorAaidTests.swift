import Authenticators
import MobileAuthenticationTestKit
import Testing
import UAF

@testable import MobileAuthentication

@Suite("AAIDs of an application and of its client")
struct AuthenticatorAaidTests {
    private static let pinOfLinux = "FFFF#2101"

    private func linuxPhone() async throws -> TestPhone {
        let phone = try await TestPhone { $0.profile = .linuxSoftware }
        phone.backend.script { $0.aaids = [Self.pinOfLinux] }
        return phone
    }

    @Test("A raw value is the AAID of the iOS profile, and stays so when a client of another profile is made")
    func rawValues() async throws {
        let phone = try await linuxPhone()
        for kind in AuthenticatorAaid.allCases {
            #expect(kind.rawValue == DeviceProfile.iOS.aaid(of: AuthenticatorKind(kind)).text)
        }
        #expect(phone.client.localData.authenticators.map(\.aaid).contains(Self.pinOfLinux))
    }

    @Test("The AAIDs of every profile stand for their kind, in either case", arguments: DeviceProfile.allCases)
    func everyProfile(profile: DeviceProfile) {
        for kind in AuthenticatorAaid.allCases {
            let aaid = profile.aaid(of: AuthenticatorKind(kind)).text
            #expect(AuthenticatorAaid(rawValue: aaid) == kind)
            #expect(AuthenticatorAaid(rawValue: aaid.lowercased()) == kind)
        }
    }

    @Test("What no profile has stands for nothing", arguments: ["", "PIN", "F1D0#1006", "F1D0#10010", "FFFF#0001"])
    func unknown(text: String) {
        #expect(AuthenticatorAaid(rawValue: text) == nil)
        #expect(DeviceProfile.linuxTPM.counterpart(of: text) == text)
    }

    @Test("In the Linux profile a raw value chooses, asks about the policy and deregisters like the client's own")
    func otherProfile() async throws {
        let phone = try await linuxPhone()
        let person = await TestUser(pins: ["482915"], aaid: AuthenticatorAaid.Pin.rawValue)
        try await phone.register(user: person)
        #expect(phone.backend.keys.map(\.aaid.text) == [Self.pinOfLinux])
        let context = try #require(await person.selections.first)
        #expect(context.isPolicyCompliant(authenticatorAaid: AuthenticatorAaid.Pin.rawValue))
        #expect(context.isPolicyCompliant(authenticatorAaid: Self.pinOfLinux))
        #expect(!context.isPolicyCompliant(authenticatorAaid: AuthenticatorAaid.Password.rawValue))
        try await phone.client.operations.deregistration.username("jeff").aaid(AuthenticatorAaid.Password.rawValue)
            .perform()
        #expect(phone.usernames == ["jeff"])
        try await phone.client.operations.deregistration.username("jeff").aaid(AuthenticatorAaid.Pin.rawValue).perform()
        #expect(phone.usernames.isEmpty)
        #expect(phone.backend.keys.isEmpty)
    }

    @Test(
        "An AAID that stands for no authenticator that the server accepts ends a registration",
        arguments: [AuthenticatorAaid.Password.rawValue, "FFFF#2105", "F1D0#1006", "PIN"])
    func refused(aaid: String) async throws {
        let phone = try await linuxPhone()
        let error = await #expect(throws: OperationError.self) {
            try await phone.register(user: TestUser(pins: ["482915"], aaid: aaid))
        }
        #expect(error?.fidoErrorCode == .noSuitableAuthenticator)
        #expect(phone.usernames.isEmpty)
    }

    @Test("Two clients of one process name facet and authenticators each for itself")
    func twoClients() async throws {
        let (first, second) = (try await TestPhone(), try await linuxPhone())
        #expect(first.client.applicationFacetId == "ios:bundle-id:com.example.app")
        #expect(first.client.localData.authenticators.map(\.aaid).contains(AuthenticatorAaid.Pin.rawValue))
        #expect(!second.client.localData.authenticators.map(\.aaid).contains(AuthenticatorAaid.Pin.rawValue))
        #expect(MetaData.applicationFacetId == "ios:bundle-id:" + MetaData.bundleIdentifier)
    }
}
