import Crypto
import DeviceAttestation
import Foundation
import StrictCBOR
import SwiftASN1
import TestSupport
import Testing
import X509

@Suite("App Attest proves a key of a genuine application on a genuine Apple device")
struct AppAttestTests {
    /// Statement with one fault, and the refusal.
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let refusal: AppAttestRefusal
        let change: @Sendable (inout SyntheticAppAttest) throws -> Void

        init(
            _ description: String, _ refusal: AppAttestRefusal,
            change: @escaping @Sendable (inout SyntheticAppAttest) throws -> Void
        ) {
            testDescription = description
            self.refusal = refusal
            self.change = change
        }
    }

    private static let clientDataHash = Array(SHA256.hash(data: [1, 2, 3]))
    private static let requirement = AppAttestRequirement(
        applications: [SyntheticAppAttest.application, "TEAM123456.com.example.other"])
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func key(
        of made: SyntheticAppAttest, by authority: AttestationAuthority? = nil, keyID: [UInt8]? = nil,
        clientDataHash: [UInt8] = AppAttestTests.clientDataHash, meeting requirement: AppAttestRequirement? = nil
    ) async throws -> AppAttestKey {
        let own = try AttestationAuthority()
        let statement = try made.attestation(clientDataHash: Self.clientDataHash, by: authority ?? own)
        return try await AppAttestKey(
            attestation: statement, keyID: keyID ?? made.keyID, clientDataHash: clientDataHash,
            meeting: requirement ?? Self.requirement, endingAt: try TrustRoots([own.root]), at: Self.now)
    }

    @Test("A sound statement proves the key, its application, and keeps the receipt")
    func accepts() async throws {
        let made = SyntheticAppAttest()
        let key = try await key(of: made)
        #expect(key.publicKey == Array(made.key.publicKey.x963Representation))
        #expect(key.keyID == made.keyID)
        #expect(key.application == SyntheticAppAttest.application)
        #expect(key.environment == .production)
        #expect(key.receipt == [1, 2, 3])
        #expect(key.counter == 0)
    }

    @Test("A key of the development environment is taken where that is allowed, and nowhere else")
    func development() async throws {
        var made = SyntheticAppAttest()
        made.aaguid = Array("appattestdevelop".utf8)
        var requirement = Self.requirement
        requirement.environments = [.development]
        #expect(try await key(of: made, meeting: requirement).environment == .development)
        await #expect(throws: AppAttestRefusal.environment) { try await key(of: made) }
        await #expect(throws: AppAttestRefusal.environment) {
            try await key(of: SyntheticAppAttest(), meeting: requirement)
        }
    }

    static let faults: [Fault] = [
        Fault("another format", .format) { $0.format = "packed" },
        Fault("format in capitals", .format) { $0.format = "Apple-AppAttest" },
        Fault("no format", .structure) { $0.members = ["fmt": .null] },
        Fault("format of octets", .structure) { $0.members = ["fmt": .bytes([1])] },
        Fault("no statement", .structure) { $0.members = ["attStmt": .null] },
        Fault("statement that is a list", .structure) { $0.members = ["attStmt": .array([])] },
        Fault("no authenticator data", .structure) { $0.members = ["authData": .null] },
        Fault("authenticator data of text", .structure) { $0.members = ["authData": .text("x")] },
        Fault("one member too many", .structure) { $0.members = ["epAtt": .bool(true)] },
        Fault("no certificates", .structure) { $0.statementMembers = ["x5c": .null] },
        Fault("certificates of text", .structure) { $0.statementMembers = ["x5c": .array([.text("x")])] },
        Fault("no receipt", .structure) { $0.statementMembers = ["receipt": .null] },
        Fault("signature beside the certificates", .structure) { $0.statementMembers = ["sig": .bytes([])] },
        Fault("empty list of certificates", .path(.malformed)) { $0.statementMembers = ["x5c": .array([])] },
        Fault("certificate that is none", .path(.malformed)) {
            $0.statementMembers = ["x5c": .array([.bytes([0x30, 0])])]
        },
        Fault("too many certificates", .path(.tooLong)) {
            $0.statementMembers = ["x5c": .array([CBORValue](repeating: .bytes([]), count: 9))]
        },
        Fault("certificate that has expired", .path(.noValidPath)) {
            $0.wish.validity = 1_577_836_800...1_700_000_000
        },
        Fault("certificate of the future", .path(.noValidPath)) { $0.wish.validity = 1_900_000_000...4_000_000_000 },
        Fault("certificate with an unknown critical extension", .path(.noValidPath)) {
            $0.wish.extensions = [.init(oid: [1, 2, 3, 4], critical: true, value: [0x05, 0x00])]
        },
        Fault("no nonce", .nonceMissing) { $0.hasNonce = false },
        Fault("nonce without its tag", .nonceMissing) {
            $0.nonceExtension = [0x30, 0x22, 0x04, 0x20] + [UInt8](repeating: 0, count: 32)
        },
        Fault("nonce with another tag", .nonceMissing) {
            $0.nonceExtension = [0x30, 0x24, 0xA2, 0x22, 0x04, 0x20] + [UInt8](repeating: 0, count: 32)
        },
        Fault("two nonces", .nonceMissing) {
            $0.nonceExtension = [0x30, 0x08, 0xA1, 0x02, 0x04, 0x00, 0xA1, 0x02, 0x04, 0x00]
        },
        Fault("extension that is no DER", .nonceMissing) { $0.nonceExtension = [0x30, 0x80] },
        Fault("another nonce", .wrongNonce) {
            $0.nonceExtension = [0x30, 0x24, 0xA1, 0x22, 0x04, 0x20] + [UInt8](repeating: 0, count: 32)
        },
        Fault("empty nonce", .wrongNonce) { $0.nonceExtension = [0x30, 0x04, 0xA1, 0x02, 0x04, 0x00] },
        Fault("certified key on P-384", .keyKind) { $0.certifiedKey = .init(P384.Signing.PrivateKey().publicKey) },
        Fault("another certified key", .wrongKeyID) { $0.certifiedKey = .init(P256.Signing.PrivateKey().publicKey) },
        Fault("another application", .foreignApplication) {
            $0.applicationDigest = Array(SHA256.hash(data: Array("TEAM123456.com.example".utf8)))
        },
        Fault("counter that is not 0", .counterNotZero) { $0.counter = 1 },
        Fault("identifier of no environment", .environment) { $0.aaguid = [UInt8](repeating: 0, count: 16) },
        Fault("no key in the authenticator data", .authenticatorData) { $0.flags = 0 },
        Fault("extensions in the authenticator data", .authenticatorData) { $0.flags = 0xC0 },
        Fault("octets behind the key", .authenticatorData) { $0.authenticatorDataTrailing = [0xA0] },
        Fault("digest of the application too short", .authenticatorData) { $0.applicationDigest = [] },
        Fault("another identifier in the authenticator data", .wrongKeyID) { $0.credentialID = [1, 2] },
        Fault("another key in the authenticator data", .foreignKey) {
            $0.keyMembers = [-2: .bytes([UInt8](repeating: 1, count: 32))]
        },
        Fault("key of another kind", .authenticatorData) { $0.keyMembers = [1: .integer(1)] },
        Fault("key for another algorithm", .authenticatorData) { $0.keyMembers = [3: .integer(-35)] },
        Fault("key on another curve", .authenticatorData) { $0.keyMembers = [-1: .integer(2)] },
        Fault("coordinate too short", .authenticatorData) { $0.keyMembers = [-3: .bytes([1])] },
        Fault("compressed point", .authenticatorData) { $0.keyMembers = [-3: .bool(true)] },
        Fault("one member of the key too many", .authenticatorData) { $0.keyMembers = [4: .array([])] },
    ]

    @Test("Every fault of a statement is refused with its cause", arguments: faults)
    func refuses(fault: Fault) async throws {
        var made = SyntheticAppAttest()
        try fault.change(&made)
        let statement = made
        await #expect(throws: fault.refusal) { try await key(of: statement) }
    }

    @Test("A statement for another challenge is refused")
    func foreignChallenge() async throws {
        await #expect(throws: AppAttestRefusal.wrongNonce) {
            try await key(of: SyntheticAppAttest(), clientDataHash: [UInt8](repeating: 0, count: 32))
        }
    }

    @Test("A statement about another key than the one that the application named is refused")
    func foreignKeyID() async throws {
        await #expect(throws: AppAttestRefusal.wrongKeyID) {
            try await key(of: SyntheticAppAttest(), keyID: [UInt8](repeating: 0, count: 32))
        }
    }

    @Test("Certificates of another authority, and of one that may not issue, are refused")
    func foreignAuthority() async throws {
        let foreign = try AttestationAuthority()
        await #expect(throws: AppAttestRefusal.path(.noValidPath)) {
            try await key(of: SyntheticAppAttest(), by: foreign)
        }
        let weak = try AttestationAuthority(isIntermediateAuthority: false)
        let made = SyntheticAppAttest()
        let statement = try made.attestation(clientDataHash: Self.clientDataHash, by: weak)
        await #expect(throws: AppAttestRefusal.path(.noValidPath)) {
            try await AppAttestKey(
                attestation: statement, keyID: made.keyID, clientDataHash: Self.clientDataHash,
                meeting: Self.requirement, endingAt: try TrustRoots([weak.root]), at: Self.now)
        }
    }

    @Test("A statement that is not canonical CBOR, or not one map, is refused")
    func encoding() async throws {
        let authority = try AttestationAuthority()
        let made = SyntheticAppAttest()
        let sound = try made.attestation(clientDataHash: Self.clientDataHash, by: authority)
        func refuse(_ statement: [UInt8], _ refusal: AppAttestRefusal) async {
            await #expect(throws: refusal) {
                try await AppAttestKey(
                    attestation: statement, keyID: made.keyID, clientDataHash: Self.clientDataHash,
                    meeting: Self.requirement, endingAt: try TrustRoots([authority.root]), at: Self.now)
            }
        }
        await refuse(sound + [0], .encoding(.trailingContent(offset: sound.count)))
        // The last member is the authenticator data, and its length is read before the octets are.
        let start = sound.count - made.authenticatorData.count
        await refuse(Array(sound.dropLast()), .encoding(.unexpectedEnd(offset: start)))
        await refuse([0xB8, 3] + sound.dropFirst(), .encoding(.notShortest(offset: 0)))
        await refuse([0xBF] + sound.dropFirst() + [0xFF], .encoding(.indefiniteLength(offset: 0)))
        await refuse([0x80], .structure)
        await refuse([], .encoding(.unexpectedEnd(offset: 0)))
    }
}
