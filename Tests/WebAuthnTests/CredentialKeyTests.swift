import StrictCBOR
import TestSupport
import Testing
import WebAuthn

@Suite("Keys of credentials have one encoding")
struct CredentialKeyTests {
    private func members(_ algorithm: COSEAlgorithm) throws -> [CBORMap.Member] {
        try #require(try PasskeyKeyPair.new(algorithm).cose.map).members
    }

    private func octets(_ members: [CBORMap.Member]) -> [UInt8] { CBORWriter.write(.map(CBORMap(members))) }

    @Test("A member that is missing, of another value, or one too many is refused", arguments: COSEAlgorithm.allCases)
    func members(algorithm: COSEAlgorithm) throws {
        let sound = try members(algorithm)
        #expect(try CredentialKey(octets: octets(sound)).algorithm == algorithm)
        for (position, member) in sound.enumerated() {
            for wrong: CBORValue? in [nil, .null, .integer(99), .bytes([]), .bytes([UInt8](repeating: 0, count: 33))] {
                var changed = sound
                if let wrong { changed[position] = .init(member.key, wrong) } else { changed.remove(at: position) }
                #expect(throws: PasskeyRefusal.self) { try CredentialKey(octets: octets(changed)) }
            }
        }
        refuse(.publicKey, sound + [.init(.integer(4), .array([]))])
        #expect(throws: PasskeyRefusal.publicKey) { try CredentialKey(octets: octets(sound) + [0]) }
        #expect(throws: PasskeyRefusal.publicKey) { try CredentialKey(octets: [0]) }
    }

    @Test("An algorithm is one of the offered, and the key one of it")
    func algorithm() throws {
        for number: Int64 in [-9, -35, -36, -37, -65_535, 0, 7] {
            refuse(.algorithm, try replacing(3, .integer(number), in: members(.es256)))
        }
        refuse(.publicKey, try replacing(3, .integer(-8), in: members(.es256)))
        refuse(.publicKey, try replacing(3, .integer(-257), in: members(.es256)))
        refuse(.publicKey, try replacing(1, .integer(1), in: members(.es256)))
        refuse(.publicKey, try replacing(-1, .integer(2), in: members(.es256)))
        refuse(.publicKey, try replacing(-1, .integer(4), in: members(.eddsa)))
        refuse(.publicKey, try replacing(-3, .bytes([UInt8](repeating: 1, count: 32)), in: members(.es256)))
    }

    @Test("A coordinate has 32 bytes, and none of them stands in the other")
    func coordinates() throws {
        let sound = try members(.es256)
        let x = try #require(sound.first { $0.key == .integer(-2) }?.value.octets)
        let y = try #require(sound.first { $0.key == .integer(-3) }?.value.octets)
        let moved = replacing(-2, .bytes(Array(x.dropLast())), in: sound)
        refuse(.publicKey, replacing(-3, .bytes(x.suffix(1) + y), in: moved))
    }

    @Test("Numbers of RSA have their usual form")
    func rsa() throws {
        let sound = try members(.rs256)
        let modulus = try #require(sound.first { $0.key == .integer(-1) }?.value.octets)
        for wrong in [
            [0] + modulus, Array(modulus.dropFirst()), [modulus[0] & 0x7F] + modulus.dropFirst(),
            modulus + modulus + [1],
        ] {
            refuse(.publicKey, replacing(-1, .bytes(wrong), in: sound))
        }
        // The least number of 2048 bits that is odd.
        let least = [0x80] + [UInt8](repeating: 0, count: 254) + [1]
        _ = try CredentialKey(octets: octets(replacing(-1, .bytes(least), in: sound)))
        for wrong: [UInt8] in [[3], [0, 1, 0, 1], [1, 0, 3]] {
            refuse(.publicKey, replacing(-2, .bytes(wrong), in: sound))
        }
    }

    private func replacing(_ name: Int64, _ value: CBORValue, in members: [CBORMap.Member]) -> [CBORMap.Member] {
        members.map { $0.key == .integer(name) ? .init($0.key, value) : $0 }
    }

    private func refuse(
        _ refusal: PasskeyRefusal, _ members: [CBORMap.Member], _ location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: refusal, sourceLocation: location) { try CredentialKey(octets: octets(members)) }
    }
}
