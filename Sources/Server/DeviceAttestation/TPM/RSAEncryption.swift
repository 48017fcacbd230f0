import Crypto
import Octets

/// Encryption of a seed for an RSA key of 2048 bits: OAEP with SHA-256 and a label (RFC 8017, section 7.1.1).
///
/// The cryptographic library has no OAEP with a label, which chips demand. The exponent is public and 65537, so that the
/// number of steps tells nothing.
struct RSAEncryption {
    static let byteCount = 256
    /// 65537: sixteen squarings and one multiplication.
    private static let squarings = 16

    private let modulus: MontgomeryModulus

    /// Takes a modulus (256 bytes, most significant first); nil for an even one or another size.
    init?(modulus octets: [UInt8]) {
        guard octets.count == Self.byteCount, octets[0] >= 0x80, let modulus = MontgomeryModulus(octets) else {
            return nil
        }
        self.modulus = modulus
    }

    /// Encrypts at most 190 bytes.
    func encrypt(_ message: [UInt8], label: [UInt8]) -> [UInt8] {
        var encoded = Self.encode(message, label: label, seed: Self.freshSeed())
        defer { SecretOctets.wipe(&encoded) }
        let base = modulus.entered(modulus.number(encoded))
        var power = base
        for _ in 0..<Self.squarings { power = modulus.product(power, power) }
        return modulus.octets(modulus.left(modulus.product(power, base)))
    }

    private static func freshSeed() -> [UInt8] {
        unsafe SymmetricKey(size: .bits256).withUnsafeBytes { unsafe Array($0) }
    }

    private static func encode(_ message: [UInt8], label: [UInt8], seed: [UInt8]) -> [UInt8] {
        let digest = Array(SHA256.hash(data: label))
        let padding = [UInt8](repeating: 0, count: byteCount - 2 - 2 * digest.count - message.count)
        let block = mask(digest + padding + [1] + message, from: seed)
        return [0] + mask(seed, from: block) + block
    }

    /// MGF1 with SHA-256, over the bytes.
    private static func mask(_ bytes: [UInt8], from seed: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = []
        var counter: UInt32 = 0
        while stream.count < bytes.count {
            stream += SHA256.hash(data: seed + TPMNumber.bytes(counter))
            counter += 1
        }
        return zip(bytes, stream).map { $0 ^ $1 }
    }
}

/// Arithmetic modulo an odd number (Montgomery's multiplication); numbers are limbs, the least significant first.
private struct MontgomeryModulus {
    private let limbs: [UInt64]
    /// The negative inverse of the lowest limb modulo 2^64.
    private let inverse: UInt64
    /// The square of 2^64 to the number of limbs, modulo the number.
    private let square: [UInt64]

    init?(_ octets: [UInt8]) {
        let limbs = Self.limbs(octets)
        guard let lowest = limbs.first, lowest & 1 == 1 else { return nil }
        self.limbs = limbs
        // Each step of Newton's method doubles the number of right bits.
        var inverse: UInt64 = 1
        for _ in 0..<6 { inverse = inverse &* (2 &- lowest &* inverse) }
        self.inverse = 0 &- inverse
        var power = [UInt64](repeating: 0, count: limbs.count)
        power[0] = 1
        for _ in 0..<(2 * 64 * limbs.count) { power = Self.doubled(power, modulo: limbs) }
        square = power
    }

    func number(_ octets: [UInt8]) -> [UInt64] { Self.limbs(octets) }

    func octets(_ number: [UInt64]) -> [UInt8] {
        number.reversed().flatMap { limb in (0..<8).reversed().map { UInt8(truncatingIfNeeded: limb >> UInt64($0 * 8)) }
        }
    }

    /// The number in Montgomery's form.
    func entered(_ number: [UInt64]) -> [UInt64] { product(number, square) }

    /// The number that a form stands for.
    func left(_ number: [UInt64]) -> [UInt64] {
        var one = [UInt64](repeating: 0, count: limbs.count)
        one[0] = 1
        return product(number, one)
    }

    /// The form of the product of two forms.
    func product(_ one: [UInt64], _ other: [UInt64]) -> [UInt64] {
        var sum = [UInt64](repeating: 0, count: limbs.count + 2)
        for digit in one {
            Self.add(other, times: digit, to: &sum)
            Self.add(limbs, times: sum[0] &* inverse, to: &sum)
            sum.removeFirst()
            sum.append(0)
        }
        return Self.reduced(sum, modulo: limbs)
    }

    private static func limbs(_ octets: [UInt8]) -> [UInt64] {
        stride(from: octets.count, to: 0, by: -8).map { end in
            octets[max(0, end - 8)..<end].reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func add(_ number: [UInt64], times digit: UInt64, to sum: inout [UInt64]) {
        var carry: UInt64 = 0
        for position in number.indices {
            let (high, low) = number[position].multipliedFullWidth(by: digit)
            let (first, firstCarry) = sum[position].addingReportingOverflow(low)
            let (second, secondCarry) = first.addingReportingOverflow(carry)
            sum[position] = second
            carry = high &+ (firstCarry ? 1 : 0) &+ (secondCarry ? 1 : 0)
        }
        let (limb, overflow) = sum[number.count].addingReportingOverflow(carry)
        sum[number.count] = limb
        sum[number.count + 1] &+= overflow ? 1 : 0
    }

    private static func doubled(_ number: [UInt64], modulo limbs: [UInt64]) -> [UInt64] {
        var sum = number
        var carry: UInt64 = 0
        for position in sum.indices { (sum[position], carry) = (sum[position] << 1 | carry, sum[position] >> 63) }
        return reduced(sum + [carry], modulo: limbs)
    }

    /// The number less the modulus, if it is not smaller; it is below twice the modulus.
    private static func reduced(_ number: [UInt64], modulo limbs: [UInt64]) -> [UInt64] {
        var difference = Array(number.prefix(limbs.count))
        var borrow: UInt64 = 0
        for position in limbs.indices {
            let (first, firstBorrow) = difference[position].subtractingReportingOverflow(limbs[position])
            let (second, secondBorrow) = first.subtractingReportingOverflow(borrow)
            difference[position] = second
            borrow = firstBorrow || secondBorrow ? 1 : 0
        }
        let isSmaller = borrow == 1 && number[limbs.count] == 0
        return isSmaller ? Array(number.prefix(limbs.count)) : difference
    }
}
