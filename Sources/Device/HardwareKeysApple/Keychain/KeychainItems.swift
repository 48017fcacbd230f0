#if canImport(Security)
    import Foundation
    import HardwareKeys
    import Security

    /// The generic passwords of one service in the keychain; they stay on this device and are open after its first
    /// unlock.
    struct KeychainItems: Sendable {
        let service: String
        /// The keychain access group, for applications that share their keys; nil for the application's own.
        let accessGroup: String?

        func read(_ account: String) throws(KeyVaultError) -> [UInt8]? {
            let question: [CFString: Any] = [kSecReturnData: true, kSecMatchLimit: kSecMatchLimitOne]
            guard let found = try matching(query(account, and: question)) else { return nil }
            guard let value = found as? Data else { throw .damaged }
            return Array(value)
        }

        func count() throws(KeyVaultError) -> Int {
            let question: [CFString: Any] = [kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]
            guard let found = try matching(query(nil, and: question)) else { return 0 }
            guard let items = found as? [Any] else { throw .damaged }
            return items.count
        }

        /// Makes an item; throws `KeyVaultError.duplicateKey` when there is one of that name, also of another
        /// process.
        func add(_ account: String, value: [UInt8]) throws(KeyVaultError) {
            let content: [CFString: Any] = [
                kSecValueData: Data(value), kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            try require(SecItemAdd(query(account, and: content), nil))
        }

        func update(_ account: String, value: [UInt8]) throws(KeyVaultError) {
            try require(SecItemUpdate(query(account), [kSecValueData: Data(value)] as CFDictionary))
        }

        /// Removes one item, or all of the service; what is not there counts as removed.
        func remove(_ account: String? = nil) throws(KeyVaultError) {
            let status = SecItemDelete(query(account))
            if status != errSecItemNotFound { try require(status) }
        }

        private func matching(_ query: CFDictionary) throws(KeyVaultError) -> CFTypeRef? {
            var found: CFTypeRef?
            let status = SecItemCopyMatching(query, &found)
            guard status != errSecItemNotFound else { return nil }
            try require(status)
            return found
        }

        private func require(_ status: OSStatus) throws(KeyVaultError) {
            guard status == errSecSuccess else { throw KeyVaultError(status: status) }
        }

        private func query(_ account: String?, and more: [CFString: Any] = [:]) -> CFDictionary {
            var query: [CFString: Any] = [
                kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrSynchronizable: false,
                kSecUseDataProtectionKeychain: true,
            ]
            if let account { query[kSecAttrAccount] = account }
            if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
            return query.merging(more) { $1 } as CFDictionary
        }
    }

    extension KeyVaultError {
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
