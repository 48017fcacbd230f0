import Crypto
import HardwareKeys
import SecureStorage
import Synchronization

/// Real random bytes that the test learns as well, so that it can do what a thief of the root key could.
final class RecordedRandomness: Sendable {
    private let draws = Mutex<[[UInt8]]>([])

    /// Everything that was drawn, in order.
    var all: [[UInt8]] { draws.withLock { $0 } }

    /// What was drawn for nonces.
    var nonces: [[UInt8]] { all.filter { $0.count == 12 } }

    /// The root key of the storage that was begun last: hardware key, salt, root key.
    var rootKey: [UInt8] { all.filter { $0.count == 32 }.last ?? [] }

    func draw(_ count: Int) -> [UInt8] {
        let octets = FreshOctets.make(count: count)
        draws.withLock { $0.append(octets) }
        return octets
    }

    /// Puts the HMACs of the root key into a changed file of one block without a log.
    func authenticated(_ file: [UInt8]) -> [UInt8] {
        let layout = FileLayout(file)
        let place = file[16..<40] + [UInt8](repeating: 0, count: 8)
        let block = code(of: Array("SST2 block".utf8) + place + file[layout.block])
        let head = Array(file[..<(layout.root.upperBound - 32)] + block)
        let copy = head + code(of: head) + file[layout.block]
        return copy + file[layout.values] + copy
    }

    private func code(of bytes: [UInt8]) -> [UInt8] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: rootKey), info: Array("SST1 mac".utf8), outputByteCount: 32)
        return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
    }
}
