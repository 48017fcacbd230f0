import HardwareKeys
import TestSupport

@testable import Authenticators

/// What a random history is played on: a device whose files may fail, be replaced and be opened anew.
struct HistoryStage {
    let device: TestDevice
    let files: any FileSystem
    /// The bytes of the files of the credential store now, and how to put others there.
    let storeFiles: @Sendable () throws -> [String: [UInt8]]
    let replaceStoreFiles: @Sendable ([String: [UInt8]]) throws -> Void
    /// Whether an older copy of those files is refused.
    let tellsOlderFiles: Bool
    /// Starts the chip anew; nothing where there is none.
    let restartChip: @Sendable () throws -> Void

    /// Software keys, everything in memory.
    static func software() async throws -> HistoryStage {
        let files = MemoryFileSystem()
        let folder = try TemporaryFolder()
        let vault = folder.path + "/vault"
        _ = try await SoftwareKeyVault.create(inDirectory: vault, of: files)
        let device = try await TestDevice(in: folder, on: files) {
            try await SoftwareKeyVault.open(inDirectory: vault, of: $0)
        }
        let path = folder.path + "/store/credentials.sst"
        return HistoryStage(
            device: device, files: files, storeFiles: { [path: files.bytes(of: path) ?? []] },
            replaceStoreFiles: { old in for (path, bytes) in old { files.overwrite(path, with: bytes) } },
            tellsOlderFiles: false, restartChip: {})
    }
}
