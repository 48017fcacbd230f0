import HardwareKeys

extension CredentialStoreError {
    /// What a trouble with a file means for the user of the store.
    init(_ error: FileSystemError) {
        switch error {
        case .absent, .present, .tooLarge: self = .damaged
        case .exposed: self = .exposed
        case .busy: self = .busy
        case .failed(let code): self = .storageFailed(code: code)
        @unknown default: self = .damaged
        }
    }
}
