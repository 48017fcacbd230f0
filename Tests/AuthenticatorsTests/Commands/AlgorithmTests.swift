import Crypto
import CryptoExtras
import HardwareKeys
import HardwareKeysTPM
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("FIDO Registry of Predefined Values 1.1, 3.6: algorithms of keys")
struct AlgorithmTests {
    @Test("RSA: key in PKCS#1, signature in an octet string; both assertions verify with the key they name")
    func rsa() async throws {
        let device = try await TestDevice()
        let (credential, octets) = try await device.enroll(algorithm: .rsaPKCS1SHA256DER)
        let registration = try RegistrationAssertion(octets: octets)
        let data = registration.keyRegistrationData
        #expect(data.info.signatureAlgorithm.rawValue == 9)
        #expect(data.publicKey.format.rawValue == 0x103 && data.publicKey.octets.count == 270)
        guard case .surrogate(let vouching) = registration.attestation else {
            Issue.record("not surrogate")
            return
        }
        let key = try _RSA.Signing.PublicKey(derRepresentation: data.publicKey.octets)
        #expect(key.keySizeInBits == 2_048)
        try expect(vouching, over: data.octets, verifiesWith: key)
        try await device.store.update { $0.promote(credential.id) }
        // What was registered is what signs, also after the file was read again.
        let later = try await device.reopened()
        let assertion = try AuthenticationAssertion(octets: try await later.sign(credential, "482913"))
        #expect(assertion.signedData.info.signatureAlgorithm == .rsaPKCS1SHA256DER)
        try expect(assertion.signature, over: assertion.signedData.octets, verifiesWith: key)
        #expect(try await later.store.contents().credential(credential.id)?.algorithm == .rsaPKCS1SHA256DER)
    }

    @Test("An RSA key behind a finger signs with its proof")
    func rsaBehindFinger() async throws {
        let device = try await TestDevice()
        var parameters = try await device.parameters(.fingerprint, in: .android)
        parameters.algorithm = .rsaPKCS1SHA256DER
        let credential = try await KeyRegistration(device.ports)
            .perform(parameters, confirmedBy: TestDevice.prompt).credential
        try await device.store.update { $0.promote(credential.id) }
        let assertion = try AuthenticationAssertion(octets: try await device.sign(confirmed: credential))
        try expect(
            assertion.signature, over: assertion.signedData.octets,
            verifiesWith: _RSA.Signing.PublicKey(derRepresentation: credential.publicKey))
    }

    @Test("Other algorithms are refused before anything is made")
    func others() async throws {
        let device = try await TestDevice()
        for number in (0...16 as ClosedRange<UInt16>) where number != 2 && number != 9 {
            await #expect(throws: AuthenticatorError.algorithmNotSupported) {
                try await device.enroll(algorithm: AuthenticationAlgorithm(rawValue: number))
            }
        }
        #expect(try device.folder.names(in: "vault/keys").isEmpty)
    }

    @Test(
        "A TPM makes no RSA keys, and nothing is left of the try",
        .enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.absence)"))
    func chip() async throws {
        let chip = try SoftwareTPM()
        let device = try await TestDevice.onChip(chip)
        await #expect(throws: AuthenticatorError.algorithmNotSupported) {
            try await device.enroll(algorithm: .rsaPKCS1SHA256DER)
        }
        let contents = try await device.store.contents()
        #expect(contents.credentials.isEmpty && contents.unfinished.isEmpty)
        #expect(try chip.leftovers().isEmpty)
    }

    @Test("Only Android takes RSA: when the server lists it without P-256, or the application wants it")
    func choice() {
        let (p256, rsa) = (AuthenticationAlgorithm.secp256r1ECDSASHA256DER, AuthenticationAlgorithm.rsaPKCS1SHA256DER)
        for (accepted, prefersRSA, expected) in [
            (nil, false, p256), (nil, true, rsa), ([p256, rsa], false, p256), ([rsa, p256], true, rsa),
            ([rsa], false, rsa), ([p256], true, p256), ([], true, p256),
        ] as [([AuthenticationAlgorithm]?, Bool, AuthenticationAlgorithm)] {
            #expect(
                DeviceProfile.android.algorithm(acceptedBy: accepted, prefersRSA: prefersRSA, keysIn: .software)
                    == expected)
            #expect(
                DeviceProfile.android.algorithm(
                    acceptedBy: accepted, prefersRSA: prefersRSA, keysIn: .trustedPlatformModule) == p256)
            for profile in [DeviceProfile.iOS, .linuxTPM, .linuxSoftware] {
                #expect(profile.algorithm(acceptedBy: accepted, prefersRSA: prefersRSA, keysIn: .software) == p256)
            }
        }
    }

    private func expect(
        _ signature: [UInt8], over message: [UInt8], verifiesWith key: _RSA.Signing.PublicKey
    ) throws {
        #expect(signature.count == 260 && signature.prefix(4) == [0x04, 0x82, 0x01, 0x00])
        let raw = _RSA.Signing.RSASignature(rawRepresentation: signature.dropFirst(4))
        #expect(key.isValidSignature(raw, for: message, padding: .insecurePKCS1v1_5))
        #expect(!key.isValidSignature(raw, for: message + [0], padding: .insecurePKCS1v1_5))
    }
}

extension TestDevice {
    fileprivate func enroll(
        algorithm: AuthenticationAlgorithm
    ) async throws -> (credential: Credential, assertion: [UInt8]) {
        let pin = try UserSecret.pin("482913")
        var parameters = try await parameters(.pin, in: .android)
        parameters.algorithm = algorithm
        return try await KeyRegistration(ports).perform(parameters, secret: pin)
    }
}
