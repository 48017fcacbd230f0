import Authenticators
import Testing
import UAF

@Suite("The authenticators of a device")
struct AuthenticatorCatalogTests {
    @Test("Each profile has its own models, and every model belongs to one kind of one profile")
    func models() {
        var seen: Set<AAID> = []
        for profile in DeviceProfile.allCases {
            for kind in AuthenticatorKind.allCases {
                let aaid = profile.aaid(of: kind)
                #expect(seen.insert(aaid).inserted)
                #expect(profile.kind(of: aaid) == kind)
            }
        }
    }

    @Test("The first and last models are the ones that servers know")
    func numbers() {
        #expect(DeviceProfile.iOS.aaid(of: .pin).text == "F1D0#1001")
        #expect(DeviceProfile.iOS.aaid(of: .password).text == "F1D0#1005")
        #expect(DeviceProfile.android.aaid(of: .faceRecognition).text == "F1D0#0003")
        #expect(DeviceProfile.linuxTPM.aaid(of: .pin).text == "FFFF#2001")
        #expect(DeviceProfile.linuxSoftware.aaid(of: .password).text == "FFFF#2105")
    }

    @Test("All five are listed, and without a platform PIN and password are offered", arguments: DeviceProfile.allCases)
    func availability(profile: DeviceProfile) {
        let catalog = AuthenticatorCatalog(profile: profile)
        #expect(catalog.models.map(\.kind) == AuthenticatorKind.allCases)
        #expect(catalog.available.map(\.kind) == [.pin, .password])
        #expect(catalog.model(profile.aaid(of: .pin))?.kind == .pin)
    }

    @Test("A PIN on iOS is described as its metadata says")
    func characteristics() throws {
        let model = try #require(AuthenticatorCatalog(profile: .iOS).available.first)
        #expect(model.characteristics.authenticationAlgorithms == [.secp256r1ECDSASHA256DER])
        #expect(model.characteristics.attestationTypes == [.basicSurrogate])
        #expect(model.characteristics.userVerification == .passcode)
        #expect(model.characteristics.keyProtection == .software)
        #expect(model.characteristics.matcherProtection == .software)
        #expect(model.characteristics.transactionConfirmationDisplay == .any)
        #expect(!model.characteristics.isSecondFactorOnly)
    }
}
