import Crypto
import CryptoExtras
import Foundation
import NIOSSL
import SwiftASN1
import X509

@testable import BackendTransport

/// A root, an intermediate authority and a server's certificate, with keys of the kinds that exist.
struct TestChain {
    /// A certificate with its key.
    struct Member {
        let certificate: Certificate
        let key: Certificate.PrivateKey
        let kind: KeyKind

        var der: [UInt8] {
            get throws {
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                return serializer.serializedBytes
            }
        }

        var pin: PublicKeyPin {
            get throws {
                var serializer = DER.Serializer()
                try serializer.serialize(certificate.publicKey)
                return try PublicKeyPin(Array(SHA256.hash(data: serializer.serializedBytes))).required()
            }
        }
    }

    /// The kind of a key.
    enum KeyKind: CaseIterable {
        case p256
        case p384
        case p521
        case rsa

        /// The algorithm with which such a key signs.
        var signature: Certificate.SignatureAlgorithm {
            switch self {
            case .p256: .ecdsaWithSHA256
            case .p384: .ecdsaWithSHA384
            case .p521: .ecdsaWithSHA512
            case .rsa: .sha256WithRSAEncryption
            }
        }

        func make() throws -> Certificate.PrivateKey {
            switch self {
            case .p256: .init(P256.Signing.PrivateKey())
            case .p384: .init(P384.Signing.PrivateKey())
            case .p521: .init(P521.Signing.PrivateKey())
            case .rsa: .init(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            }
        }
    }

    let root: Member
    let intermediate: Member
    let leaf: Member

    /// Makes the three; an intermediate that is no authority is one that a root has issued to a server.
    ///
    /// `leafSignature` is the algorithm with which the intermediate authority signs; nil: the one of its key.
    init(
        authorities: KeyKind = .p256, leaf: KeyKind = .p256, intermediateIsAuthority: Bool = true,
        leafSignature: Certificate.SignatureAlgorithm? = nil
    ) throws {
        root = try Self.member("Root of \(authorities)", authorities, isAuthority: true, issuer: nil)
        intermediate = try Self.member(
            "Intermediate of \(authorities)", authorities, isAuthority: intermediateIsAuthority, issuer: root)
        self.leaf = try Self.member(
            "localhost", leaf, isAuthority: false, issuer: intermediate, signature: leafSignature)
    }

    /// The same authorities with another key and certificate of the server.
    func renewed(leaf kind: KeyKind = .p256) throws -> TestChain {
        TestChain(
            root: root, intermediate: intermediate,
            leaf: try Self.member("localhost", kind, isAuthority: false, issuer: intermediate))
    }

    private init(root: Member, intermediate: Member, leaf: Member) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
    }

    /// A certificate; without an issuer it signs itself.
    static func member(
        _ name: String, _ kind: KeyKind, isAuthority: Bool, issuer: Member?,
        signature: Certificate.SignatureAlgorithm? = nil
    ) throws -> Member {
        let key = try kind.make()
        let subject = try DistinguishedName { CommonName(name) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSinceNow: -7_200), notValidAfter: Date(timeIntervalSinceNow: 86_400),
            issuer: issuer?.certificate.subject ?? subject, subject: subject,
            signatureAlgorithm: signature ?? (issuer?.kind ?? kind).signature,
            extensions: try Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                    Critical(KeyUsage(keyCertSign: true))
                } else {
                    SubjectAlternativeNames([.dnsName("localhost")])
                    try ExtendedKeyUsage([.serverAuth])
                }
            },
            issuerPrivateKey: issuer?.key ?? key)
        return Member(certificate: certificate, key: key, kind: kind)
    }

    /// What a server with the chain presents: its own certificate, the intermediate one, and `more`.
    func tlsConfiguration(showing more: [[UInt8]] = []) throws -> TLSConfiguration {
        let chain = [try leaf.der, try intermediate.der] + more
        return TLSConfiguration.makeServerConfiguration(
            certificateChain: try chain.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(
                try NIOSSLPrivateKey(
                    bytes: Array(leaf.key.serializeAsPEM().pemString.utf8), format: .pem)))
    }
}

extension Optional {
    /// The value that has to be there.
    fileprivate func required() throws -> Wrapped {
        guard let self else { throw DERReading.Malformed() }
        return self
    }
}
