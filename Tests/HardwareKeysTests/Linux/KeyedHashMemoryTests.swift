import Dispatch
import HardwareKeys
import Octets
import TestSupport
import Testing

@Suite("D-L2: a key that is laid out for many codes lies in locked pages and nowhere else", .serialized)
struct KeyedHashMemoryTests {
    @Test("D-L2: the states behind the padded key, which are as good as the key, are in memory once")
    func memory() {
        let key = OwnMemory.Needle(count: 32)
        withExtendedLifetime(KeyedHash(key: key.bytes)) {
            #expect(OwnMemory.occurrences(of: Self.states(of: key)) == [1, 1])
        }
    }

    @Test("D-L2: nothing of key and states is left when the codes are made", arguments: [0, 20, 64, 200])
    func endOfMemory(count: Int) {
        let key = OwnMemory.Needle(count: 32)
        // Each thread has blocks of its own that it gave back last, which the search does not take.
        DispatchQueue.concurrentPerform(iterations: 64) { _ in
            let hash = KeyedHash(key: key.bytes)
            for _ in 0..<3 { _ = [UInt8](repeating: 1, count: count).withUnsafeBytes { hash.code(of: $0) } }
        }
        #expect(OwnMemory.occurrences(of: Self.states(of: key) + [key]) == [0, 0, 0])
    }

    private static func states(of key: OwnMemory.Needle) -> [OwnMemory.Needle] {
        [0x36, 0x5C].map { SHA256Block.state(behind: key.bytes, padded: $0) }
    }
}

/// SHA-256 of one block (FIPS 180-4, 6.2.2), for what the cryptographic library does not show.
private enum SHA256Block {
    /// The state behind a key of 32 bytes, filled up to a block and masked, as the library lays it out in its context.
    static func state(behind key: UnsafeRawBufferPointer, padded mask: UInt8) -> OwnMemory.Needle {
        let state = SecretOctets(count: 32) { target in
            let block = (0..<64).map { ($0 < key.count ? key[$0] : 0) ^ mask }
            compress(block, into: target.bindMemory(to: UInt32.self))
        }
        return state.withUnsafeBytes { OwnMemory.Needle(copying: $0) }
    }

    private static func compress(_ block: [UInt8], into target: UnsafeMutableBufferPointer<UInt32>) {
        var words = (0..<16).map { word in block[4 * word..<4 * word + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        for index in 16..<64 {
            let (early, late) = (words[index - 15], words[index - 2])
            let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
            let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var state = initial
        for index in 0..<64 {
            let (a, b, c, e) = (state[0], state[1], state[2], state[4])
            let choice = e & state[5] ^ ~e & state[6]
            let sumA = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            let sumE = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first = state[7] &+ sumE &+ choice &+ constants[index] &+ words[index]
            let second = sumA &+ (a & b ^ a & c ^ b & c)
            state = [first &+ second, a, b, c, state[3] &+ first, e, state[5], state[6]]
        }
        for index in target.indices { target[index] = initial[index] &+ state[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

    private static let primes: [UInt32] = {
        (2..<312).filter { number in (2..<number).allSatisfy { number % $0 != 0 } }
    }()

    /// The first 32 bits behind the point of the square roots of the first eight primes.
    private static let initial = primes.prefix(8).map { fraction(Double($0).squareRoot()) }

    /// The same of the cube roots of the first 64 primes.
    private static let constants = primes.map { fraction(cubeRoot(Double($0))) }

    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    private static func cubeRoot(_ number: Double) -> Double {
        var root = number
        for _ in 0..<60 {
            let error: Double = root * root * root - number
            root -= error / (3 * root * root)
        }
        return root
    }
}
