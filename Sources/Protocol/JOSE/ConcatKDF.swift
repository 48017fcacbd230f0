package import Crypto
import Octets

/// The derivation of keys from an agreed secret that ECDH-ES uses (NIST SP 800-56A, 5.8.1; RFC 7518, 4.6.2).
package enum ConcatKDF {
    /// What binds a derived key to its use: algorithm, both parties and the size of the key.
    package static func otherInfo(
        algorithm: String, partyU: [UInt8], partyV: [UInt8], keyByteCount: Int
    ) -> [UInt8] {
        var info = OctetWriter(capacity: 16 + algorithm.utf8.count + partyU.count + partyV.count)
        for datum in [Array(algorithm.utf8), partyU, partyV] {
            info.writeUInt32BigEndian(UInt32(datum.count))
            info.write(datum)
        }
        info.writeUInt32BigEndian(UInt32(keyByteCount * 8))
        return info.bytes
    }

    /// The first `byteCount` bytes of the derived key.
    package static func key(
        from secret: UnsafeRawBufferPointer, otherInfo: [UInt8], byteCount: Int
    ) -> SymmetricKey {
        let digestByteCount = SHA256.byteCount
        let rounds = (byteCount + digestByteCount - 1) / digestByteCount
        let material = unsafe SecretOctets(count: rounds * digestByteCount) { memory in
            for round in 0..<rounds {
                var hash = SHA256()
                hash.update(data: [0, 0, 0, UInt8(round + 1)])
                unsafe hash.update(bufferPointer: secret)
                hash.update(data: otherInfo)
                unsafe hash.finalize().withUnsafeBytes { digest in
                    let place = unsafe UnsafeMutableRawBufferPointer(
                        rebasing: memory[(round * digestByteCount)..<((round + 1) * digestByteCount)])
                    unsafe place.copyMemory(from: digest)
                }
            }
        }
        return unsafe material.withUnsafeBytes { bytes in
            unsafe SymmetricKey(data: UnsafeRawBufferPointer(rebasing: bytes[..<byteCount]))
        }
    }
}
