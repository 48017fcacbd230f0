import Authenticators
import Crypto
import HardwareKeys
import Testing
import UAF

@Suite("FIDO UAF Authenticator Commands 1.1, 6.3.4: Sign")
struct AssertionSigningTests {
    @Test("The assertion verifies with the registered key and answers the challenge")
    func assertion() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let assertion = try AuthenticationAssertion(octets: try await device.sign(credential, "482913"))
        let data = assertion.signedData
        #expect(data.credential == credential.id && data.info.mode == .userVerified)
        #expect(data.hashes.finalChallenge == Array(SHA256.hash(data: Array(try device.challenge().encoded.utf8))))
        #expect(data.hashes.transactionContent.isEmpty && data.signCounter == 0)
        let key = try P256.Signing.PublicKey(derRepresentation: credential.publicKey)
        #expect(key.isValidSignature(try .init(derRepresentation: assertion.signature), for: data.octets))
    }

    @Test("SEC-8 and SEC-9: a transaction is signed in mode 2 with the hash of exactly its bytes")
    func transaction() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let content = Array("Pay 10 € to Ünal".utf8)
        let pin = try UserSecret.pin("482913")
        let parameters = AssertionSigning.Parameters(
            credential: credential.id, access: device.access, challenge: try device.challenge(), transaction: content)
        let assertion = try AuthenticationAssertion(
            octets: try await AssertionSigning(device.ports).perform(parameters, secret: pin))
        #expect(assertion.signedData.info.mode == .transactionConfirmed)
        #expect(assertion.signedData.hashes.transactionContent == Array(SHA256.hash(data: content)))
    }

    @Test("SEC-23: two signatures have different nonces of 32 bytes")
    func nonces() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        var nonces: Set<[UInt8]> = []
        for _ in 0..<4 {
            let octets = try await device.sign(credential, "482913")
            nonces.insert(try AuthenticationAssertion(octets: octets).signedData.nonce)
        }
        #expect(nonces.count == 4 && nonces.allSatisfy { $0.count == 32 })
    }

    @Test("SEC-17: another application, caller or installation is refused and costs no attempt")
    func access() async throws {
        let device = try await TestDevice()
        let stranger = try await TestDevice()
        let credential = try await device.enroll("482913")
        let appID = try #require(AppID("https://other.example"))
        let facetID = try #require(FacetID("ios:bundle-id:other"))
        for access in [
            KeyAccess(appID: appID, facetID: device.access.facetID),
            KeyAccess(appID: device.access.appID, facetID: facetID),
        ] {
            await #expect(throws: AuthenticatorError.accessDenied) {
                try await device.sign(credential, "482913", access: access)
            }
        }
        await #expect(throws: AuthenticatorError.accessDenied) { try await stranger.sign(credential, "482913") }
        #expect(try await device.status(credential) == .unlocked)
    }

    @Test("A signature that no assertion can hold ends the operation with an error that leaves the key usable")
    func misshapenSignature() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        var vault = UnwillingVault(device.vault, .busy)
        vault.signature = [1, 2, 3]
        let ports = AuthenticatorPorts(
            store: device.store, vault: vault, clock: device.clock, secretProtection: try .cheap())
        await #expect(throws: AuthenticatorError.notEncodable) {
            try await device.sign(credential, "482913", with: ports)
        }
        #expect(try await device.store.contents().credentials.map(\.state) == [.active])
        _ = try await device.sign(credential, "482913")
    }

    @Test("SEC-20: nothing but the right PIN leads to a signature")
    func wrongPIN() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        for wrong in ["482914", "4829130", "48291", "0482913"] {
            device.clock.advance(seconds: 180)
            await #expect(throws: AuthenticatorError.self) { try await device.sign(credential, wrong) }
        }
        #expect(try await device.status(credential) == .lastAttemptFailed(attemptsLeft: 1, coolDown: .seconds(180)))
    }
}
