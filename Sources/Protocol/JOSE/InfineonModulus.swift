/// Recognises RSA moduli of the broken key generator of CVE-2017-15361 ("ROCA"), whose keys can be factored.
enum InfineonModulus {
    private static let primes: [UInt32] = [
        3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109,
        113, 127, 131, 137, 139, 149, 151, 157, 163, 167,
    ]

    /// Whether `modulus`, big-endian, is a power of 65537 modulo every small prime, as those keys all are.
    ///
    /// Of other keys about one in a hundred million is.
    static func matches(_ modulus: [UInt8]) -> Bool {
        primes.allSatisfy { prime in
            let residue = modulus.reduce(0) { ($0 << 8 | UInt32($1)) % prime }
            var power: UInt32 = 1
            for _ in 1..<prime {
                if power == residue { return true }
                power = power * 65_537 % prime
            }
            return false
        }
    }
}
