import Crypto
import HardwareKeys
import Octets

/// Opens the lists of a file, which are encrypted unless names are in clear.
///
/// The form of the key that the cryptographic library wants is made once for all of them. It is wiped with this object,
/// which no code keeps for longer than a file is read, and so is what the library has left of it.
final class ListOpener {
    /// Nil where names are in clear.
    private let key: SymmetricKey?

    init(_ keys: StoreKeys, of file: StoreFileHeader) {
        key = file.flags.contains(.namesInClear) ? nil : keys.index
    }

    deinit {
        if key != nil { FreedMemory.wipe(.roundKeys) }
    }

    /// Lends the bytes of a list, and wipes them; nil when they are not what was sealed.
    func withOpened<Result>(
        _ stored: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result?
    ) -> Result? {
        guard let key else { return body(stored) }
        return SealedValue.withBorrowed(stored) { $0.opened(using: key, body) ?? nil } ?? nil
    }
}
