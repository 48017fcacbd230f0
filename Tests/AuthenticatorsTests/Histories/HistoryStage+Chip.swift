import HardwareKeys
import HardwareKeysTPM
import TestSupport

extension HistoryStage {
    /// Keys in a TPM, files on the disk.
    static func chip() async throws -> HistoryStage {
        let chip = try SoftwareTPM()
        let device = try await TestDevice.onChip(chip)
        let folder = device.folder
        return HistoryStage(
            device: device, files: PosixFileSystem(),
            storeFiles: {
                let paths = ["store/credentials.sst", "store/.ledger.sst"]
                return Dictionary(uniqueKeysWithValues: try paths.map { ($0, try folder.bytes(of: $0)) })
            },
            replaceStoreFiles: { old in for (path, bytes) in old { try folder.overwrite(path, with: bytes) } },
            tellsOlderFiles: true, restartChip: { try chip.restart() })
    }
}

extension TestDevice {
    /// A device with keys in a TPM.
    static func onChip(_ chip: SoftwareTPM) async throws -> TestDevice {
        let folder = try TemporaryFolder()
        let path = folder.path + "/vault"
        let connection = chip.connection
        _ = try await TPMKeyVault.create(inDirectory: path, connection: connection)
        return try await TestDevice(in: folder) {
            try await TPMKeyVault.open(inDirectory: path, connection: connection, of: $0)
        }
    }
}
