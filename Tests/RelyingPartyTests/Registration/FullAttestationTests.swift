import SwiftASN1
import TestSupport
import Testing
import UAF
import X509

@testable import RelyingParty

@Suite("UAF Protocol 3.4.6.5, step 6.9: full basic attestation")
struct FullAttestationTests {
    @Test("A certificate that leads to a root of the metadata vouches for a key, also through an intermediate")
    func good() async throws {
        for hasIntermediate in [false, true] {
            var options = SyntheticAttestation.Options()
            options.hasIntermediate = hasIntermediate
            options.aaid = SyntheticAuthenticator.defaultAAID
            let ceremony = try Self.ceremony(options)
            let verified = try await ceremony.registered(try ceremony.registrationMessage())
            #expect(verified.credentials.first?.attestation == .basicFull)
        }
    }

    @Test("An RSA attestation key may vouch for a key on P-256")
    func otherAlgorithm() async throws {
        let attestation = try SyntheticAttestation(algorithm: .rsassaPSSSHA256DER)
        let ceremony = try Ceremony(try SyntheticAuthenticator(vouching: .full(attestation)))
        let verified = try await ceremony.registered(try ceremony.registrationMessage())
        #expect(verified.credentials.first?.key.algorithm == .secp256r1ECDSASHA256DER)
    }

    @Test("An attestation certificate that is itself the root vouches for a key")
    func leafAsRoot() async throws {
        let attestation = try SyntheticAttestation()
        var ceremony = try Ceremony(try SyntheticAuthenticator(vouching: .full(attestation)))
        ceremony.metadata[0].attestationRootCertificates = [attestation.certificates[0]]
        _ = try await ceremony.registered(try ceremony.registrationMessage())
    }

    @Test("The synchronous entry point refuses certificates, since they were not validated")
    func synchronous() throws {
        let ceremony = try Self.ceremony(.init())
        let verification = RegistrationVerification(settings: ceremony.settings)
        let addressed = try verification.addressed(
            try verification.received(try ceremony.registrationMessage()),
            to: RegistrationOffer(request: ceremony.request, account: Ceremony.account))
        #expect(addressed.needsCertificatePaths)
        let error = #expect(throws: RelyingPartyError.self) {
            _ = try verification.verified(addressed, challenge: .fresh, registered: [])
        }
        #expect(error?.reason == .certificatePath(.notValidated))
    }

    @Test("A root that is not in the metadata is refused")
    func foreignRoot() async throws {
        var ceremony = try Self.ceremony(.init())
        ceremony.metadata[0].attestationRootCertificates = [try SyntheticAttestation().root]
        try await expectRefusal(in: ceremony, .certificatePath(.noValidPath))
    }

    // MARK: - Keys of roots

    /// A ceremony whose metadata name public keys, and a message with the certificate of the root.
    private static func keyed(
        _ keys: (SyntheticAttestation) throws -> [[UInt8]], roots: [[UInt8]] = [], hasRoot: Bool = true
    ) throws -> (Ceremony, SyntheticFault) {
        let attestation = try SyntheticAttestation()
        var ceremony = try Ceremony(try SyntheticAuthenticator(vouching: .full(attestation)))
        ceremony.metadata[0].attestationRootCertificates = roots
        ceremony.metadata[0].attestationRootKeys = try keys(attestation)
        let fault = SyntheticFault(assertion: { tree in
            guard hasRoot else { return }
            var root = tree.elements[1].elements[1]
            root.content = .octets(attestation.root)
            tree.elements[1].elements.append(root)
        })
        return (ceremony, fault)
    }

    /// The public key of a certificate (SubjectPublicKeyInfo).
    private static func publicKey(_ certificate: [UInt8]) throws -> [UInt8] {
        var serializer = SwiftASN1.DER.Serializer()
        try serializer.serialize(try Certificate(derEncoded: certificate).publicKey)
        return serializer.serializedBytes
    }

    @Test(
        "Certificates that end at a public key of the metadata vouch for a key, before the certificates are looked at")
    func rootKeys() async throws {
        let other = try SyntheticAttestation().root
        for roots in [[], [other]] {
            let (ceremony, fault) = try Self.keyed({ [try Self.publicKey($0.root)] }, roots: roots)
            let verified = try await ceremony.registered(try ceremony.registrationMessage(spoiling: fault))
            #expect(verified.credentials.first?.attestation == .basicFull)
        }
    }

    @Test(
        "Another public key, one that nothing ends at, and one that is none are refused; the certificates still serve")
    func foreignRootKeys() async throws {
        let foreign = try Self.publicKey(try SyntheticAttestation().root)
        let (ceremony, fault) = try Self.keyed({ _ in [foreign, [1]] })
        try await expectRefusal(in: ceremony, .certificatePath(.noValidPath), spoiling: fault)
        let (cut, none) = try Self.keyed({ [try Self.publicKey($0.root)] }, hasRoot: false)
        try await expectRefusal(in: cut, .certificatePath(.noValidPath), spoiling: none)
        let (keyed, whole) = try Self.keyed({ _ in [foreign] })
        var both = keyed
        guard case .full(let attestation) = both.authenticator.vouching else { return }
        both.metadata[0].attestationRootCertificates = [attestation.root]
        _ = try await both.registered(try both.registrationMessage(spoiling: whole))
    }

    @Test("A certificate that only carries the public key of a root, and has issued nothing, is refused")
    func stolenRootKey() async throws {
        let genuine = try SyntheticAttestation()
        let (ceremony, _) = try Self.keyed({ _ in [try Self.publicKey(genuine.root)] })
        let fault = SyntheticFault(assertion: { tree in
            var root = tree.elements[1].elements[1]
            root.content = .octets(genuine.root)
            tree.elements[1].elements.append(root)
        })
        try await expectRefusal(in: ceremony, .certificatePath(.noValidPath), spoiling: fault)
    }

    @Test("Where the metadata name public keys of roots, surrogate attestation is refused")
    func surrogate() async throws {
        var ceremony = try Ceremony(try SyntheticAuthenticator())
        ceremony.metadata[0].attestationTypes = [.basicSurrogate, .basicFull]
        _ = try await ceremony.registered(try ceremony.registrationMessage())
        ceremony.metadata[0].attestationRootKeys = [[1]]
        try await expectRefusal(in: ceremony, .attestationType)
    }

    @Test("A certificate before or after its time is refused")
    func validity() async throws {
        for validity in [1_577_836_800...1_609_459_200, 3_000_000_000...4_102_444_800] as [ClosedRange<Double>] {
            var options = SyntheticAttestation.Options()
            options.validity = validity
            try await expectRefusal(in: try Self.ceremony(options), .certificatePath(.noValidPath))
        }
    }

    @Test("An intermediate that is no authority is refused")
    func noAuthority() async throws {
        var options = SyntheticAttestation.Options()
        options.hasIntermediate = true
        options.isIntermediateAuthority = false
        try await expectRefusal(in: try Self.ceremony(options), .certificatePath(.noValidPath))
    }

    @Test("A certificate that names another model is refused")
    func foreignModel() async throws {
        var options = SyntheticAttestation.Options()
        options.aaid = AAID(vendor: VendorID(number: 1), model: 1)
        try await expectRefusal(in: try Self.ceremony(options), .certificatePath(.foreignModel))
    }

    @Test("Certificates out of order, missing or mutilated are refused")
    func certificates() async throws {
        var options = SyntheticAttestation.Options()
        options.hasIntermediate = true
        let ceremony = try Self.ceremony(options)
        let swapped = SyntheticFault(assertion: { $0.elements[1].elements.swapAt(1, 2) })
        let missing = SyntheticFault(assertion: { $0.elements[1].elements.removeLast() })
        let garbage = SyntheticFault(assertion: { $0.elements[1].elements[1].content = .octets([1, 2, 3]) })
        try await expectRefusal(in: ceremony, .certificatePath(.wrongOrder), spoiling: swapped)
        try await expectRefusal(in: ceremony, .certificatePath(.noValidPath), spoiling: missing)
        try await expectRefusal(in: ceremony, .certificatePath(.malformed), spoiling: garbage)
    }

    @Test("Issuers that share a name are refused before a path is looked for among them")
    func repeatedIssuer() async throws {
        let attestation = try SyntheticAttestation()
        let ceremony = try Ceremony(try SyntheticAuthenticator(vouching: .full(attestation)))
        let repeated = SyntheticFault(assertion: { tree in
            var root = tree.elements[1].elements[1]
            root.content = .octets(attestation.root)
            tree.elements[1].elements += [root, root]
        })
        try await expectRefusal(in: ceremony, .certificatePath(.repeatedIssuer), spoiling: repeated)
    }

    @Test("A signature by another key than the certified one is refused")
    func signature() async throws {
        let ceremony = try Self.ceremony(.init())
        let other = try SyntheticKey(for: .secp256r1ECDSASHA256DER)
        let fault = SyntheticFault(signature: { signature in
            signature = (try? other.sign([1], algorithm: .secp256r1ECDSASHA256DER)) ?? []
        })
        try await expectRefusal(in: ceremony, .attestationSignature(.wrong), spoiling: fault)
    }

    // MARK: - Steps

    private static func ceremony(_ options: SyntheticAttestation.Options) throws -> Ceremony {
        let attestation = try SyntheticAttestation(options: options)
        return try Ceremony(try SyntheticAuthenticator(vouching: .full(attestation)))
    }

    private func expectRefusal(
        in ceremony: Ceremony, _ reason: RefusalReason, spoiling fault: SyntheticFault = .none
    ) async throws {
        let message = try ceremony.registrationMessage(spoiling: fault)
        let error = await #expect(throws: RelyingPartyError.self) { _ = try await ceremony.registered(message) }
        #expect(error?.reason == reason)
        #expect(error?.status == .unacceptableAttestation)
    }
}
