import CommandSupport
import DemoCommands
import Foundation
import HardwareKeysTPM
import MobileAuthentication
import MobileAuthenticationTestKit
import StrictJSON
import TestSupport
import Testing

@Suite("Every authenticator of every platform, against a real server", .serialized)
struct EveryAuthenticatorTests {
    /// One authenticator on one phone.
    struct Case: Sendable {
        let profile: TestPhone.Profile
        let kind: AuthenticatorAaid
        let aaid: String
        var sensors: Set<FakeEnclave.Sensor> = []
        var prefersRSA = false
        var algorithm = 2
    }

    static let cases: [Case] = [
        Case(profile: .iOS, kind: .Pin, aaid: "F1D0#1001"),
        Case(profile: .iOS, kind: .Fingerprint, aaid: "F1D0#1002", sensors: [.finger]),
        Case(profile: .iOS, kind: .FaceRecognition, aaid: "F1D0#1003", sensors: [.face]),
        Case(profile: .iOS, kind: .DevicePasscode, aaid: "F1D0#1004"),
        Case(profile: .iOS, kind: .Password, aaid: "F1D0#1005"),
        Case(profile: .android, kind: .Pin, aaid: "F1D0#0001"),
        Case(profile: .android, kind: .Fingerprint, aaid: "F1D0#0002", sensors: [.finger]),
        Case(profile: .android, kind: .FaceRecognition, aaid: "F1D0#0003", sensors: [.face]),
        Case(profile: .android, kind: .DevicePasscode, aaid: "F1D0#0004"),
        Case(profile: .android, kind: .Password, aaid: "F1D0#0005"),
        Case(profile: .android, kind: .Pin, aaid: "F1D0#0001", prefersRSA: true, algorithm: 9),
        Case(
            profile: .android, kind: .Fingerprint, aaid: "F1D0#0002", sensors: [.finger], prefersRSA: true, algorithm: 9
        ),
        Case(
            profile: .android, kind: .FaceRecognition, aaid: "F1D0#0003", sensors: [.face], prefersRSA: true,
            algorithm: 9),
        Case(profile: .android, kind: .DevicePasscode, aaid: "F1D0#0004", prefersRSA: true, algorithm: 9),
        Case(profile: .android, kind: .Password, aaid: "F1D0#0005", prefersRSA: true, algorithm: 9),
        Case(profile: .linux, kind: .Pin, aaid: "FFFF#2101"),
        Case(profile: .linux, kind: .Fingerprint, aaid: "FFFF#2102", sensors: [.finger]),
        Case(profile: .linux, kind: .DevicePasscode, aaid: "FFFF#2104"),
        Case(profile: .linux, kind: .Password, aaid: "FFFF#2105"),
    ]

    @Test("All AAIDs and both algorithms register and sign in, and foreign code verifies every assertion")
    func allOfThem() async throws {
        let installation = try Installation(settings: "authorization: {registration: none}\n")
        let server = try await installation.server.start()
        defer { server.kill() }
        let exchanges = installation.scratch.url.appending(path: "assertions")
        for (number, example) in Self.cases.enumerated() {
            let user = "user-\(100 + number)"
            try await installation.server.addUser(user, password: Installation.password)
            let phone = try await phone(example, of: installation, keeping: exchanges.appending(path: user))
            try await register(user, with: example, on: phone)
            try await authenticate(user, with: example, on: phone)
            // What was made lies in files: the application that starts anew finds it.
            try await authenticate(user, with: example, on: try await phone.restarted())
        }
        let report = try await ForeignVerification.report(on: exchanges)
        let expected = Self.cases.map { "\($0.aaid) \($0.algorithm)" }
        #expect(report.registrations == expected)
        #expect(report.authentications == expected.flatMap { [$0, $0] })
    }

    @Test(
        "D-H3: a phone of the test kit with its keys in a TPM registers and signs in, and gives the chip all of it back",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let (chip, installation) = (
            try SoftwareTPM(), try Installation(settings: "authorization: {registration: none}\n")
        )
        let server = try await installation.server.start()
        defer { server.kill() }
        let before = try chip.indices()
        let examples = [
            Case(profile: .linux, kind: .Pin, aaid: "FFFF#2001"),
            Case(profile: .linux, kind: .Fingerprint, aaid: "FFFF#2002", sensors: [.finger]),
            Case(profile: .linux, kind: .Password, aaid: "FFFF#2005"),
        ]
        for (number, example) in examples.enumerated() {
            let user = "user-\(100 + number)"
            try await installation.server.addUser(user, password: Installation.password)
            let phone = try await phone(
                example, of: installation, keeping: installation.scratch.url.appending(path: user),
                hardware: TrustedPlatformModule(chip.connection))
            try await register(user, with: example, on: phone)
            try await authenticate(user, with: example, on: try await phone.restarted())
            #expect(try chip.indices().count > before.count)
            try await phone.destroy()
            #expect(try chip.indices() == before, "\(example.aaid)")
        }
    }

    private func phone(
        _ example: Case, of installation: Installation, keeping folder: URL,
        hardware: TrustedPlatformModule? = nil
    ) async throws -> TestPhone {
        let suite = Configuration(idSuiteHostname: "localhost")
        let base = try #require(URL(string: installation.server.address))
        var configuration = Configuration(
            baseUrl: base, registrationRequestPath: suite.registrationRequestPath,
            registrationResponsePath: suite.registrationResponsePath,
            authenticationRequestPath: suite.authenticationRequestPath,
            authenticationResponsePath: suite.authenticationResponsePath,
            deregistrationRequestPath: suite.deregistrationRequestPath)
        configuration.additionalTrustedCertificates = try installation.authorities()
        var traits = TestPhone.Traits(
            profile: example.profile, application: example.profile.demonstrationApplication)
        traits.prefersRSA = example.prefersRSA
        if let hardware { (traits.keys, traits.hardware) = (.preferHardware, hardware) }
        return try await TestPhone(
            configuration, over: ResponseRecorder(NetworkTransport(for: configuration), in: folder), traits,
            enclave: FakeEnclave(sensors: example.sensors))
    }

    private func register(_ user: String, with example: Case, on phone: TestPhone) async throws {
        let person = ScriptedUser(authenticator: example.kind, clock: phone.clock)
        try await phone.client.operations.registration.username(user)
            .deviceInformation(DeviceInformation(name: user)).authenticatorSelector(person).pinEnroller(person)
            .passwordEnroller(person).biometricUserVerifier(person).devicePasscodeUserVerifier(person)
            .fingerprintUserVerifier(person).perform()
        let authenticator = phone.client.localData.authenticators.first { $0.aaid == example.aaid }
        #expect(authenticator?.registration.isRegistered(user) == true, "\(example.aaid)")
    }

    private func authenticate(_ user: String, with example: Case, on phone: TestPhone) async throws {
        let person = ScriptedUser(authenticator: example.kind, clock: phone.clock)
        let session = try await phone.client.operations.authentication.username(user)
            .authenticatorSelector(person).pinUserVerifier(person).passwordUserVerifier(person)
            .biometricUserVerifier(person).devicePasscodeUserVerifier(person).fingerprintUserVerifier(person).perform()
        #expect(session != nil, "\(example.aaid)")
    }
}

extension TestPhone.Profile {
    /// The application that a server of the development profile lets in.
    fileprivate var demonstrationApplication: String {
        self == .android ? "w56fMyf2AmdJPOIAqm1cKTqbo2Q" : "org.signet.demo"
    }
}
