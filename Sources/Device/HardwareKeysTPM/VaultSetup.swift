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
        if isSettled {
            // Finds out whether the chip is there and the same.
            try access.visit(under: record?.parentName) { (_: ChipVisit) throws(KeyVaultError) in }
        } else {
            try settle()
        }
        guard let settled = if let record { record } else { try files.vault() } else { throw .notInitialized }
        return TPMKeyVault(settled, setUp: self, thread: thread)
    }

    /// Finishes or undoes what a crash has interrupted; the lock comes before the turn, as everywhere.
    private func settle() throws(KeyVaultError) {
        try files.locked { () throws(KeyVaultError) in
            let record = try files.vault()
            try access.visit(under: record?.parentName) { visit throws(KeyVaultError) in
                try IndexJournal(files: files, visit: visit).settle()
            }
        }
    }

    /// Removes the keys, their counters and the vault; the folders stay.
    func destroy() throws(KeyVaultError) {
        let record = try files.vault()
        let isSettled = try files.journal() == nil
        guard record != nil || !isSettled else { throw .notInitialized }
        try files.locked { () throws(KeyVaultError) in
            // Under any parent: the vault of a cleared chip can be removed as well.
            try access.visit(under: nil) { visit throws(KeyVaultError) in
                try VaultDestruction(files: files, visit: visit).carryOut()
            }
        }
    }
}
