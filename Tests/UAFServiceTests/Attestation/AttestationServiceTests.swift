import BackendAPI
import Crypto
import DeviceAttestation
import SwiftASN1
import TestSupport
import Testing
import UAF
import X509

@testable import ServerCore
@testable import UAFService

@Suite("Attestation keys: a chip of a known manufacturer shows that it holds one, and what follows for registrations")
struct AttestationServiceTests {
    private typealias Area = SyntheticTPMStatement.PublicArea

    private let authority: AttestationAuthority
    private let phone: SyntheticAuthenticator
    private let server: TestServer
    private let chip = P256.Signing.PrivateKey()

    init() async throws {
        let authority = try AttestationAuthority()
        let phone = try SyntheticAuthenticator()
        let chips = try #require(PolicyName("chips"))
        let shown = try #require(PolicyName("shown"))
        server = try await TestServer(authenticators: [phone]) { settings in
            let policy = Policy(accepted: [[MatchCriteria(aaids: [phone.aaid])]])
            settings.uaf.policies = try PolicyCatalog(
                [.standard: policy, chips: policy, shown: policy],
                keyAttestation: [chips: .required, shown: .verified])
            settings.uaf.attestationRoots = [Self.pem(authority.root)]
        }
        self.authority = authority
        self.phone = phone
    }

    /// A certificate in PEM form (RFC 7468).
    private static func pem(_ certificate: [UInt8]) -> [UInt8] {
        Array(PEMDocument(type: "CERTIFICATE", derBytes: certificate).pemString.utf8)
    }

    /// The server's own seal, which a test opens in place of the chip.
    private var seal: AttestationKeySeal {
        AttestationKeySeal(keys: server.services.keys, random: server.random, clock: server.clock)
    }

    private var area: [UInt8] { Area(chip.publicKey, attributes: Area.attesting).octets }

    /// Certificates of a chip.
    private func certificates(
        by authority: AttestationAuthority? = nil, usage: ASN1ObjectIdentifier = [2, 23, 133, 8, 1]
    ) throws -> [[UInt8]] {
        var wish = AttestationAuthority.Wish()
        wish.usages = [usage]
        return try (authority ?? self.authority).certificates(for: .init(P256.Signing.PrivateKey().publicKey), wish)
    }

    private func begin(
        _ certificates: [[UInt8]]? = nil, area: [UInt8]? = nil
    ) async throws -> AttestationEnrolment.Credential {
        try await server.services.attestation.begin(
            AttestationEnrolment.Request(
                certificates: try certificates ?? self.certificates(), attestationKey: area ?? self.area),
            client: ClientContext())
    }

    private func finish(_ enrolment: [UInt8], secret: [UInt8]) throws -> AttestationEnrolment.Proof {
        try server.services.attestation.finish(
            AttestationEnrolment.Answer(enrolment: enrolment, secret: secret), client: ClientContext())
    }

    /// A proof about the attestation key of the chip.
    private func proof() async throws -> [UInt8] {
        let credential = try await begin()
        let secret = try #require(seal.enrolment(in: credential.enrolment)).secret
        return try finish(credential.enrolment, secret: secret).proof
    }

    // MARK: - Enrolment

    @Test("A chip of a known manufacturer gets a credential, and for its secret a proof about the attestation key")
    func enrolment() async throws {
        let credential = try await begin()
        let enrolment = try #require(seal.enrolment(in: credential.enrolment))
        #expect(enrolment.publicArea == area && enrolment.secret.count == 32)
        let proof = try finish(credential.enrolment, secret: enrolment.secret)
        #expect(seal.attestationKey(in: proof.proof)?.publicArea == area)
        #expect(proof.lifetimeMillis == 600_000)
        #expect(proof.proof.count <= KeyAttestationEvidence.proofByteLimit)
    }

    @Test("A foreign chip, a certificate for something else and a key that signs anything get no credential")
    func noCredential() async throws {
        let foreign = try certificates(by: try AttestationAuthority())
        await #expect(throws: ServerError.policyViolation) { try await begin(foreign) }
        let website = try certificates(usage: [1, 3, 6, 1, 5, 5, 7, 3, 1])
        await #expect(throws: ServerError.policyViolation) { try await begin(website) }
        let free = Area(chip.publicKey, attributes: Area.attesting & ~(1 << 16)).octets
        await #expect(throws: ServerError.policyViolation) { try await begin(area: free) }
        let counted = try #require(try await server.countedRefusals())
        for cause in ["endorsementPath", "endorsementUsage", "attestationKeyAttributes"] {
            #expect(counted.contains(cause))
        }
    }

    @Test("Where no manufacturer is configured no one gets a credential")
    func notConfigured() async throws {
        let other = try await TestServer(authenticators: [phone])
        let request = AttestationEnrolment.Request(certificates: try certificates(), attestationKey: area)
        await #expect(throws: ServerError.policyViolation) {
            try await other.services.attestation.begin(request, client: ClientContext())
        }
        await #expect(throws: ServerError.invalidSetting(name: "key-attestation")) {
            try await TestServer(authenticators: [phone]) { $0.uaf.attestationRoots = [Array("no".utf8)] }
        }
    }

    @Test("Another secret, a changed or foreign enrolment, and a proof in its place give no proof")
    func noProof() async throws {
        let credential = try await begin()
        let secret = try #require(seal.enrolment(in: credential.enrolment)).secret
        #expect(throws: ServerError.policyViolation) { try finish(credential.enrolment, secret: secret.reversed()) }
        #expect(throws: ServerError.policyViolation) { try finish(credential.enrolment, secret: []) }
        for position in credential.enrolment.indices {
            var changed = credential.enrolment
            changed[position] ^= 1
            #expect(throws: ServerError.policyViolation) { try finish(changed, secret: secret) }
        }
        let proof = try finish(credential.enrolment, secret: secret).proof
        #expect(throws: ServerError.policyViolation) { try finish(proof, secret: secret) }
        // Test servers begin with the same keys.
        let foreign = try await TestServer(authenticators: [phone])
        try await foreign.services.replaceKeys()
        let answer = AttestationEnrolment.Answer(enrolment: credential.enrolment, secret: secret)
        #expect(throws: ServerError.policyViolation) {
            try foreign.services.attestation.finish(answer, client: ClientContext())
        }
    }

    @Test("A credential is answered within two minutes; its proof ends ten minutes after it, answered twice or not")
    func lifetimes() async throws {
        let credential = try await begin()
        let secret = try #require(seal.enrolment(in: credential.enrolment)).secret
        let first = try finish(credential.enrolment, secret: secret)
        server.clock.advance(by: .milliseconds(119_999))
        let second = try finish(credential.enrolment, secret: secret)
        #expect(second.lifetimeMillis == first.lifetimeMillis - 119_999)
        server.clock.advance(by: .milliseconds(1))
        #expect(throws: ServerError.policyViolation) { try finish(credential.enrolment, secret: secret) }
        server.clock.advance(by: .milliseconds(479_999))
        #expect(seal.attestationKey(in: first.proof) != nil && seal.attestationKey(in: second.proof) != nil)
        server.clock.advance(by: .milliseconds(1))
        #expect(seal.attestationKey(in: first.proof) == nil && seal.attestationKey(in: second.proof) == nil)
    }

    @Test("Whatever is changed in a proof, and an enrolment in its place, says nothing about a key")
    func forgedProof() async throws {
        let proof = try await proof()
        for position in proof.indices {
            var changed = proof
            changed[position] ^= 1
            #expect(seal.attestationKey(in: changed) == nil)
        }
        let enrolment = try await begin().enrolment
        #expect(seal.attestationKey(in: enrolment) == nil)
        #expect(seal.attestationKey(in: []) == nil)
    }

    // MARK: - Registration

    /// Registers the phone under a policy, with evidence by a proof or without; returns the status and what is stored.
    private func register(
        under policy: String?, proof: [UInt8]?
    ) async throws -> (status: StatusCode, asked: Bool, protection: RegisteredCredential.Protection?) {
        let user = try await server.services.users.add(name: "u\(policy ?? "-")\(proof?.count ?? 0)")
        let request = try await server.registrationRequest(for: user, policy: policy)
        let fresh = try SyntheticAuthenticator()
        let fault = proof.map { SyntheticFault.evidence(of: fresh, proof: $0, by: chip) }
        let message = try server.client.answer(request, with: [fresh], spoiling: fault ?? SyntheticFault.none)
        let status = await server.answerRegistration(message)
        let stored = try await server.storage.credentials.credentials(of: user.id)
        return (status, request.header.demandsKeyAttestation, stored.first?.protection)
    }

    @Test("A policy that requires keys in chips asks for evidence, takes a proved key and stores what is proved")
    func required() async throws {
        let proved = try await register(under: "chips", proof: try await proof())
        #expect(proved.status == .ok && proved.asked && proved.protection == .chipWithPIN)
        let missing = try await register(under: "chips", proof: nil)
        #expect(missing.status == .unacceptableAttestation && missing.asked && missing.protection == nil)
        let forged = try await register(under: "chips", proof: [1, 2, 3])
        #expect(forged.status == .unacceptableAttestation && forged.protection == nil)
        let counted = try #require(try await server.countedRefusals())
        #expect(counted.contains("registration 25: missing") && counted.contains("registration 25: unprovedKey"))
    }

    @Test("A policy that verifies evidence asks for none, takes keys without and refuses evidence that does not hold")
    func verified() async throws {
        let proved = try await register(under: "shown", proof: try await proof())
        #expect(proved.status == .ok && !proved.asked && proved.protection == .chipWithPIN)
        let missing = try await register(under: "shown", proof: nil)
        #expect(missing.status == .ok && !missing.asked && missing.protection == .unproved)
        #expect(try await register(under: "shown", proof: [1, 2, 3]).status == .unacceptableAttestation)
    }

    @Test("A policy without a rule asks for nothing and looks at nothing")
    func ignored() async throws {
        let forged = try await register(under: nil, proof: [1, 2, 3])
        #expect(forged.status == .ok && !forged.asked && forged.protection == .unproved)
    }

    @Test("A request is judged by the rule it was made under")
    func changedRule() async throws {
        let user = try await server.services.users.add(name: "jeff")
        let request = try await server.registrationRequest(for: user, policy: "chips")
        var settings = server.services.settings.uaf
        settings.policies = try PolicyCatalog(settings.policies.policies)
        let lax = try Acceptance(metadata: server.services.acceptance.current.metadata, settings: settings)
        let change = try await server.services.acceptance.replace(with: lax)
        #expect(change.changedPolicies.map(\.text) == ["chips", "shown"])
        let message = try server.client.answer(request, with: [try SyntheticAuthenticator()])
        #expect(await server.answerRegistration(message) == .unacceptableAttestation)
    }
}
