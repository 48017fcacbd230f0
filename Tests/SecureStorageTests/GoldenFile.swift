import Foundation
import HardwareKeys
import TestSupport

@testable import SecureStorage

/// A file of the format with everything that opens it; from the first release on it has to open for ever.
///
/// Each is a base with a log behind it.
enum GoldenFile: String, CaseIterable {
    case plain
    case fingerprint
    case clear
    case scrypt
    case pbkdf2
    case biometry
    /// Of a higher minor version, with a field that this one does not know.
    case minor

    /// The field that only the writer of ``minor`` knows: tag 99, three bytes.
    static let unknownField: [UInt8] = [99, 0, 3, 0, 1, 2, 3]
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
    static let vaultFile = "device-key"
    static let text = "Grüße, Signet 1"
    static let bytes = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    static let content: [String: SecureStorage.StorageValue] = [
        "text": .string(text), "empty": .string(""), "bytes": .bytes(bytes),
    ]

    var fingerprint: String? { self == .fingerprint ? "golden fingerprint" : nil }

    var protection: SecureStorage.Protection { self == .biometry ? .biometryCurrentSet : .none }

    /// The file in a format; the name of the newest format has no number.
    func fileName(inFormat format: UInt16 = StoreFileHeader.major) -> String {
        rawValue + (format == StoreFileHeader.major ? "" : "-\(format)") + ".sst"
    }

    /// A place with the vault and the file, which is the one of a format.
    func place(withFile: Bool = true, inFormat format: UInt16 = StoreFileHeader.major) throws -> StoragePlace {
        var place = try StoragePlace()
        place.configuration.userPresence = ScriptedPresence()
        place.configuration.namesInClear = self == .clear
        place.configuration.migrateOnLoad = true
        place.environment.acceptsCheapPassphrases = true
        if self == .scrypt {
            place.configuration.kdf = .scrypt(rounds: 16, blockSize: 8, parallelism: 2)
            place.configuration.passphrase = .init(copying: "golden passphrase".utf8)
        }
        if self == .pbkdf2 {
            place.configuration.kdf = .pbkdf2SHA512(rounds: 1_000)
            place.configuration.passphrase = .init(copying: "golden passphrase".utf8)
        }
        let system = PosixFileSystem()
        let storages = place.folder.path + "/storages"
        try system.makeDirectory(storages + "/software-keys")
        try system.create(storages + "/software-keys/device-key", holding: try Self.content(of: Self.vaultFile))
        if withFile { try system.create(storages + "/test.sst", holding: Self.content(of: fileName(inFormat: format))) }
        return place
    }

    static func content(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }
}
