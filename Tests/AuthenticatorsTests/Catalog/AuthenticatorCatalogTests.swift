import Authenticators
import HardwareKeys
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

    @Test("What the platform supports and the user has enrolled is offered")
    func support() async {
        for kind in [AuthenticatorKind.fingerprint, .faceRecognition, .devicePasscode] {
            for (support, expected) in [
                (PlatformSupport.complete, AuthenticatorAvailability.available), (.absent, .notOffered),
                (Self.support(hardware: false), .notOffered), (Self.support(os: false), .notOffered),
                (Self.support(enrolled: false), .notEnrolled),
            ] {
                let catalog = AuthenticatorCatalog(profile: .iOS, support: [kind: support])
                let model = catalog.models.first { $0.kind == kind }
                #expect(model?.availability == expected && model?.support == support)
                #expect(catalog.available.map(\.kind).contains(kind) == (expected == .available))
            }
        }
        let person = ScriptedPerson()
        let catalog = await AuthenticatorCatalog.current(.iOS, on: person)
        #expect(catalog.available.map(\.kind) == AuthenticatorKind.allCases)
    }

    @Test("Android has the finger alone only where the system has no biometric question")
    func androidFinger() {
        let both: [AuthenticatorKind: PlatformSupport] = [.fingerprint: .complete, .faceRecognition: .complete]
        #expect(availability(.fingerprint, .android, both) == .notOffered)
        #expect(availability(.faceRecognition, .android, both) == .available)
        #expect(availability(.fingerprint, .android, [.fingerprint: .complete]) == .available)
        #expect(availability(.fingerprint, .iOS, both) == .available)
        // A question that exists but for which nothing is enrolled still stands for the finger.
        let unenrolled: [AuthenticatorKind: PlatformSupport] = [
            .fingerprint: .complete, .faceRecognition: Self.support(enrolled: false),
        ]
        #expect(availability(.fingerprint, .android, unenrolled) == .notOffered)
    }

    @Test("Android sensors below class 3 need permission; other profiles know no classes")
    func class2() {
        let weak: [AuthenticatorKind: PlatformSupport] = [.faceRecognition: Self.support(strong: false)]
        #expect(availability(.faceRecognition, .android, weak) == .notOffered)
        #expect(availability(.faceRecognition, .android, weak, class2: true) == .available)
        #expect(availability(.faceRecognition, .iOS, weak) == .available)
        // A weak question of the system leaves the finger its place.
        let finger = weak.merging([.fingerprint: .complete]) { $1 }
        #expect(availability(.fingerprint, .android, finger) == .available)
        #expect(availability(.fingerprint, .android, finger, class2: true) == .notOffered)
    }

    @Test("Linux offers no face, whatever a platform says", arguments: [DeviceProfile.linuxTPM, .linuxSoftware])
    func linuxFace(profile: DeviceProfile) {
        #expect(availability(.faceRecognition, profile, [.faceRecognition: .complete]) == .notOffered)
        #expect(availability(.fingerprint, profile, [.fingerprint: .complete]) == .available)
        #expect(availability(.devicePasscode, profile, [.devicePasscode: .complete]) == .available)
    }

    @Test(
        "The Linux families tell the truth: keys where they lie, a matcher in software",
        arguments: AuthenticatorKind.allCases)
    func truth(kind: AuthenticatorKind) throws {
        for (profile, provider, protection) in [
            (DeviceProfile.linuxTPM, KeyProvider.trustedPlatformModule, KeyProtection.hardware),
            (.linuxSoftware, .software, .software),
        ] {
            let catalog = AuthenticatorCatalog(profile: profile, keysIn: provider)
            let model = try #require(catalog.models.first { $0.kind == kind })
            #expect(model.characteristics.keyProtection == protection)
            #expect(model.characteristics.matcherProtection == .software)
            #expect(model.characteristics.authenticationAlgorithms == [.secp256r1ECDSASHA256DER])
        }
    }

    @Test("Android lists RSA beside P-256 where keys lie in software")
    func algorithms() {
        let numbers = { (catalog: AuthenticatorCatalog) in
            Set(catalog.models.map { $0.characteristics.authenticationAlgorithms.map(\.rawValue) })
        }
        #expect(numbers(AuthenticatorCatalog(profile: .android)) == [[2, 9]])
        #expect(numbers(AuthenticatorCatalog(profile: .android, keysIn: .trustedPlatformModule)) == [[2]])
        #expect(numbers(AuthenticatorCatalog(profile: .iOS)) == [[2]])
    }

    @Test("Each profile names applications in its own way")
    func facets() {
        let names: [(DeviceProfile, String, String)] = [
            (.iOS, "com.example.app", "ios:bundle-id:com.example.app"),
            (.android, "Df+2X53Z0UscvUu6obxC3rIfFyk", "android:apk-key-hash:Df+2X53Z0UscvUu6obxC3rIfFyk"),
            (.linuxTPM, "com.example.app", "linux:app-id:com.example.app"),
            (.linuxSoftware, "com.example.app", "linux:app-id:com.example.app"),
        ]
        for (profile, name, facet) in names {
            #expect(profile.facetID(ofApplication: name)?.text == facet)
        }
    }

    private static func support(
        hardware: Bool = true, os: Bool = true, enrolled: Bool = true, strong: Bool = true
    ) -> PlatformSupport {
        PlatformSupport(
            isSupportedByHardware: hardware, isSupportedByOs: os, isEnrolled: enrolled, isStrong: strong)
    }

    private func availability(
        _ kind: AuthenticatorKind, _ profile: DeviceProfile, _ support: [AuthenticatorKind: PlatformSupport],
        class2: Bool = false
    ) -> AuthenticatorAvailability? {
        AuthenticatorCatalog(profile: profile, support: support, allowsClass2Sensors: class2).models
            .first { $0.kind == kind }?.availability
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
