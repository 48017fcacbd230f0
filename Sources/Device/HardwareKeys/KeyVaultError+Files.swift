extension KeyVaultError {
    /// What a trouble with a file means for the user of the vault.
    package init(_ error: FileSystemError) {
        switch error {
        case .absent: self = .notInitialized
        case .present: self = .alreadyInitialized
        case .exposed: self = .exposed
        case .tooLarge: self = .damaged
        case .busy: self = .busy
        case .failed(let code): self = .storageFailed(code: code)
        }
    }
}
