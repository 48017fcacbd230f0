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

    @Test("Every fault of a statement is refused with its cause", arguments: SyntheticAppAttest.faults)
    func refuses(fault: SyntheticAppAttest.Fault) async throws {
        var made = SyntheticAppAttest()
        fault.change(&made)
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
