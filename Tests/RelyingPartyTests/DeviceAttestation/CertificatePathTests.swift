import Crypto
import DeviceAttestation
import Foundation
import SwiftASN1
import Testing
import X509

@Suite("Certificates lead to a root through authorities only, and by one way")
struct CertificatePathTests {
    /// Holder of a key who certifies whatever it is told to.
    private struct Issuer {
        let key = P256.Signing.PrivateKey()
        let name: DistinguishedName

        init(_ name: String) throws {
            self.name = try DistinguishedName { CommonName(name) }
        }

        func certificate(
            for subject: Issuer, version: Certificate.Version = .v3, _ extensions: Certificate.Extensions
        ) throws -> [UInt8] {
            let made = try Certificate(
                version: version, serialNumber: .init(), publicKey: .init(subject.key.publicKey),
                notValidBefore: Date(timeIntervalSince1970: 1_577_836_800),
                notValidAfter: Date(timeIntervalSince1970: 4_102_444_800), issuer: name, subject: subject.name,
                signatureAlgorithm: .ecdsaWithSHA256, extensions: extensions, issuerPrivateKey: .init(key))
            var serializer = SwiftASN1.DER.Serializer()
            try serializer.serialize(made)
            return serializer.serializedBytes
        }
    }

    private let root: Issuer
    private let authority: Issuer
    private let device: Issuer

    init() throws {
        (root, authority, device) = (try Issuer("Root"), try Issuer("Authority"), try Issuer("Device"))
    }

    private static func authority(
        maxPathLength: Int? = nil, usage: KeyUsage? = nil
    ) throws -> Certificate.Extensions {
        try Certificate.Extensions {
            Critical(BasicConstraints.isCertificateAuthority(maxPathLength: maxPathLength))
            if let usage { Critical(usage) }
        }
    }

    private func leaf(by issuer: Issuer) throws -> [UInt8] {
        try issuer.certificate(
            for: device, try Certificate.Extensions { Critical(BasicConstraints.notCertificateAuthority) })
    }

    /// Requires a refusal; one for the description of a key, which is missing, means that the path holds.
    private func expect(_ refusal: AndroidRefusal, _ certificates: [[UInt8]]) async throws {
        let roots = try TrustRoots([try root.certificate(for: root, try Self.authority())])
        await #expect(throws: refusal) {
            try await AndroidKeyProof(
                certificates, meeting: .init(publicKey: [], challenge: []), endingAt: roots,
                at: Date(timeIntervalSince1970: 1_800_000_000))
        }
    }

    @Test("An authority whose key may sign certificates issues them, and one that says nothing of its key")
    func authorities() async throws {
        for usage in [nil, KeyUsage(keyCertSign: true)] {
            let issuer = try root.certificate(for: authority, try Self.authority(usage: usage))
            try await expect(.extensionMissing, [try leaf(by: authority), issuer])
        }
    }

    @Test("An authority whose key is for something else issues nothing")
    func keyUsage() async throws {
        let issuer = try root.certificate(
            for: authority, try Self.authority(usage: KeyUsage(digitalSignature: true)))
        try await expect(.path(.noValidPath), [try leaf(by: authority), issuer])
    }

    @Test("A certificate of version 1 issues nothing: it cannot say that its holder is an authority")
    func firstVersion() async throws {
        let issuer = try root.certificate(for: authority, version: .v1, Certificate.Extensions())
        try await expect(.path(.noValidPath), [try leaf(by: authority), issuer])
    }

    @Test("An authority below one that allows none issues nothing")
    func pathLength() async throws {
        let below = try Issuer("Authority below")
        for (limit, refusal) in [(1, .extensionMissing), (0, .path(.noValidPath))] as [(Int, AndroidRefusal)] {
            let path = [
                try leaf(by: below), try authority.certificate(for: below, try Self.authority()),
                try root.certificate(for: authority, try Self.authority(maxPathLength: limit)),
            ]
            try await expect(refusal, path)
        }
    }

    /// Such certificates are easy to make: seven of one name and one key have 13,700 paths, with as many signatures.
    @Test("Issuers that share a name are refused before a path is looked for among them")
    func crossedIssuers() async throws {
        let issuers = try (1...7).map { number in
            try authority.certificate(
                for: authority,
                try Certificate.Extensions {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    SubjectAlternativeNames([.dnsName("\(number).example")])
                })
        }
        try await expect(.path(.repeatedIssuer), [try leaf(by: authority)] + issuers)
        try await expect(.path(.repeatedIssuer), [try leaf(by: authority), issuers[0], issuers[0]])
    }
}
