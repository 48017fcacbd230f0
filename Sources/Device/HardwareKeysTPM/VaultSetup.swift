import HardwareKeys

/// Makes or opens a vault, on the thread that the vault will use.
actor VaultSetup {
    nonisolated let access: ChipAccess
    nonisolated let files: VaultFiles
    private nonisolated let thread = BlockingThread()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(inDirectory directory: String, connection: TPMConnection, of fileSystem: any FileSystem) {
        files = VaultFiles(in: directory, of: fileSystem)
        access = ChipAccess(connection: connection, files: files, retry: .standard)
    }

    func create() throws(KeyVaultError) -> TPMKeyVault {
        try files.makeFolders()
        let record = try files.locked { () throws(KeyVaultError) in
            guard try files.vault() == nil else { throw .alreadyInitialized }
            return try access.visit(under: nil) { visit throws(KeyVaultError) in
                try VaultCreation(files: files, visit: visit).carryOut()
            }
        }
        return TPMKeyVault(record, setUp: self, thread: thread)
    }

    func open() throws(KeyVaultError) -> TPMKeyVault {
        let record = try files.vault()
        let isSettled = try files.journal() == nil
        guard record != nil || !isSettled else { throw .notInitialized }
        // Also when nothing is left to settle: it finds out whether the chip is there and the same.
        try access.visit(under: record?.parentName) { visit throws(KeyVaultError) in
            if isSettled { return }
            try files.locked { () throws(KeyVaultError) in
                try IndexJournal(files: files, visit: visit).settle()
            }
        }
        guard let settled = if let record { record } else { try files.vault() } else { throw .notInitialized }
        return TPMKeyVault(settled, setUp: self, thread: thread)
    }
}
