import HardwareKeys
import TestSupport

@testable import Authenticators

/// What a random history is played on: a device whose files may fail, be replaced and be opened anew.
struct HistoryStage {
    let device: TestDevice
    let files: any FileSystem
    /// The bytes of the credential file now, and how to put others there.
    let credentialFile: @Sendable () throws -> [UInt8]
    let replaceCredentialFile: @Sendable ([UInt8]) throws -> Void
    /// Starts the chip anew; nothing where there is none.
    let restartChip: @Sendable () throws -> Void

    /// Software keys, everything in memory.
    static func software() async throws -> HistoryStage {
        let files = MemoryFileSystem()
        let folder = try TemporaryFolder()
        let vault = folder.path + "/vault"
        _ = try SoftwareKeyVault.create(inDirectory: vault, of: files)
        let device = try await TestDevice(in: folder, on: files) {
            try SoftwareKeyVault.open(inDirectory: vault, of: $0)
        }
        let path = folder.path + "/store/credentials"
        return HistoryStage(
            device: device, files: files, credentialFile: { files.bytes(of: path) ?? [] },
            replaceCredentialFile: { files.overwrite(path, with: $0) }, restartChip: {})
    }
}
