import Authenticators
import Crypto
import HardwareKeys
import Testing
import UAF

@Suite("FIDO UAF Authenticator Commands 1.1, 6.2.4: Register")
struct KeyRegistrationTests {
    @Test("The assertion holds the new key, vouched for by itself, and the hash of the challenge")
    func assertion() async throws {
        let device = try await TestDevice()
        let (credential, octets) = try await register(device)
        let assertion = try RegistrationAssertion(octets: octets)
        let data = assertion.keyRegistrationData
        #expect(data.credential == credential.id)
        #expect(data.credential.aaid.text == "F1D0#1001")
        #expect(data.credential.keyID.octets.count == 32)
        #expect(data.info.authenticatorVersion == 1 && data.info.mode == .userVerified)
        #expect(data.info.signatureAlgorithm == .secp256r1ECDSASHA256DER)
        #expect(data.publicKey == EncodedPublicKey(format: .eccX962DER, octets: credential.publicKey))
        #expect(data.counters == .unsupported)
        #expect(data.finalChallengeHash == Array(SHA256.hash(data: Array(try device.challenge().encoded.utf8))))
        guard case .surrogate(let signature) = assertion.attestation else {
            Issue.record("not surrogate")
            return
        }
        let key = try P256.Signing.PublicKey(derRepresentation: credential.publicKey)
        #expect(key.isValidSignature(try .init(derRepresentation: signature), for: data.octets))
    }

    @Test("SEC-14: every registration makes another key and KeyID")
    func freshness() async throws {
        let device = try await TestDevice()
        let first = try await register(device).credential
        let second = try await register(device).credential
        #expect(first.id.keyID != second.id.keyID)
        #expect(first.publicKey != second.publicKey)
    }

    @Test("The key is stored as pending before the assertion is given out")
    func pending() async throws {
        let device = try await TestDevice()
        let (credential, _) = try await register(device)
        #expect(try await device.reopened().store.contents().credentials == [credential])
        #expect(credential.state == .pending)
        #expect(credential.created == ClockReading.start.wallSeconds)
    }

    @Test("Other attestation than surrogate is refused", arguments: [AttestationType.basicFull, .ecdaa])
    func attestation(type: AttestationType) async throws {
        let device = try await TestDevice()
        await #expect(throws: AuthenticatorError.attestationNotSupported) {
            try await register(device, attestation: type)
        }
        #expect(try await device.store.contents().credentials.isEmpty)
    }

    @Test("An authenticator that the device does not offer registers nothing, and a PIN registers no other kind")
    func notOffered() async throws {
        let device = try await TestDevice()
        let prompt = PresencePrompt(reason: "test")
        for model in AuthenticatorCatalog(profile: .iOS).models where model.kind != .pin {
            await #expect(throws: AuthenticatorError.wrongUse) { try await register(device, model: model) }
            guard model.availability != .available else { continue }
            let parameters = KeyRegistration.Parameters(
                model: model, owner: try device.owner("jane"), access: device.access,
                challenge: try device.challenge())
            await #expect(throws: AuthenticatorError.notOffered) {
                try await KeyRegistration(device.ports).perform(parameters, confirmedBy: prompt)
            }
        }
        #expect(try await device.store.contents().credentials.isEmpty)
    }

    /// Attestation key of no chip, which states what the vault says of a key, and repeats the qualifying data.
    private struct RepeatingAttester: KeyAttester {
        let vault: any KeyVault
        var refusal: KeyVaultError?

        var endorsementCertificate: [UInt8] { [] }
        var publicArea: [UInt8] { [] }

        func recover(_ credential: [UInt8], encryptedSeed: [UInt8]) async throws(KeyVaultError) -> VaultSecret {
            throw .unsupportedRequirements
        }

        func statement(
            about reference: KeyReference, qualification: [UInt8]
        ) async throws(KeyVaultError) -> [UInt8] {
            if let refusal { throw refusal }
            return try await vault.publicKey(of: reference) + qualification
        }
    }

    @Test("With an attester evidence about the key stands beside the signed part of its registration; else none does")
    func evidence() async throws {
        let device = try await TestDevice()
        let plain = try RegistrationAssertion(octets: try await register(device).assertion)
        #expect(plain.unsignedExtensions.isEmpty)
        let proved = ProvedAttester(RepeatingAttester(vault: device.vault), proof: [4, 7, 1, 1])
        let (credential, octets) = try await register(device, attestedBy: proved)
        let assertion = try RegistrationAssertion(octets: octets)
        let found = try #require(assertion.unsignedExtensions.first)
        #expect(assertion.unsignedExtensions.count == 1)
        #expect(found.id.text == "signet.uaf.key_attestation" && !found.failIfUnknown)
        let evidence = try #require(KeyAttestationEvidence(octets: found.data))
        let registration = assertion.keyRegistrationData.octets
        #expect(evidence.proof == [4, 7, 1, 1])
        #expect(evidence.statement == credential.publicKey + KeyAttestationEvidence.qualification(of: registration))
    }

    @Test("A chip that states nothing about the key ends the registration, and the key goes")
    func noStatement() async throws {
        let device = try await TestDevice()
        let mute = ProvedAttester(RepeatingAttester(vault: device.vault, refusal: .hardwareBusy), proof: [1])
        await #expect(throws: AuthenticatorError.vault(.hardwareBusy)) { try await register(device, attestedBy: mute) }
        #expect(try await device.store.contents().credentials.isEmpty)
    }

    private func register(
        _ device: TestDevice, model: LocalAuthenticator? = nil, attestation: AttestationType = .basicSurrogate,
        attestedBy attester: ProvedAttester? = nil
    ) async throws -> (credential: Credential, assertion: [UInt8]) {
        let pin = try UserSecret.pin("482913")
        var parameters = KeyRegistration.Parameters(
            model: try model ?? device.model(), owner: try device.owner("jane"), access: device.access,
            challenge: try device.challenge())
        parameters.attestation = attestation
        return try await KeyRegistration(device.ports, attestedBy: attester).perform(parameters, secret: pin)
    }
}
