#if canImport(Security)
    import HardwareKeys
    import Security

    extension KeyVaultError {
        /// What an answer of the keychain means for the user of the vault.
        init(status: OSStatus) {
            switch status {
            case errSecInteractionNotAllowed: self = .deviceLocked
            case errSecDuplicateItem: self = .duplicateKey
            case errSecItemNotFound: self = .unknownKey
            case errSecNotAvailable: self = .hardwareUnavailable
            case errSecUserCanceled: self = .userPresence(.cancelled)
            case errSecAuthFailed: self = .userPresence(.mismatch)
            case errSecDecode: self = .damaged
            default: self = .storageFailed(code: status)
            }
        }
    }
#endif
