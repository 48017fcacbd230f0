import ArgumentParser

/// `signet storage`: secure storages on the command line, to try them.
struct StorageCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "storage",
        abstract: "Keeps values in encrypted files that are bound to this device.",
        discussion: "Values come from a file or from standard input, never as arguments.",
        subcommands: [
            StorageCreate.self, StoragePut.self, StorageGet.self, StorageList.self, StorageWrite.self,
            StorageInspect.self, StorageDelete.self, StorageDestroy.self,
        ])
}
