/// The keychain of the current device: the rules that generic passwords follow there.
enum Keychain {
    static func add(_ attributes: [String: Any]) -> OSStatus {
        guard let service = attributes[kSecAttrService] as? String,
            let account = attributes[kSecAttrAccount] as? String, let value = attributes[kSecValueData] as? Data,
            let accessibility = attributes[kSecAttrAccessible] as? String, isWellFormed(attributes)
        else { return errSecParam }
        return write { items in
            guard !items.contains(where: { $0.matches(attributes) }) else { return errSecDuplicateItem }
            let group = attributes[kSecAttrAccessGroup] as? String ?? ""
            items.append(
                StubItem(
                    service: service, account: account, accessGroup: group, accessibility: accessibility, value: value))
            return errSecSuccess
        }
    }

    static func update(_ query: [String: Any], _ attributes: [String: Any]) -> OSStatus {
        guard let value = attributes[kSecValueData] as? Data, isWellFormed(query) else { return errSecParam }
        return write { items in
            let found = items.indices.filter { items[$0].matches(query) }
            for index in found { items[index].value = value }
            return found.isEmpty ? errSecItemNotFound : errSecSuccess
        }
    }

    static func delete(_ query: [String: Any]) -> OSStatus {
        guard isWellFormed(query) else { return errSecParam }
        return write { items in
            let count = items.count
            items.removeAll { $0.matches(query) }
            return items.count == count ? errSecItemNotFound : errSecSuccess
        }
    }

    static func find(_ query: [String: Any]) -> (status: OSStatus, found: Any?) {
        guard isWellFormed(query) else { return (errSecParam, nil) }
        let (refusal, items) = StubDevice.current.with { device in (device.refusal, device.items) }
        guard refusal == nil else { return (refusal ?? errSecParam, nil) }
        let found = items.filter { $0.matches(query) }
        guard let first = found.first else { return (errSecItemNotFound, nil) }
        guard query[kSecMatchLimit] as? String == kSecMatchLimitAll else { return (errSecSuccess, first.value) }
        return (errSecSuccess, found.map { [kSecAttrAccount: $0.account] })
    }

    private static func write(_ body: (inout [StubItem]) -> OSStatus) -> OSStatus {
        StubDevice.current.with { device in
            if let refusal = device.refusal { return refusal }
            let status = body(&device.items)
            if status == errSecSuccess, let left = device.writesLeft { device.writesLeft = left - 1 }
            return status
        }
    }

    /// Only this-device-only items of the data protection keychain are what the adapter may ask for.
    private static func isWellFormed(_ query: [String: Any]) -> Bool {
        query[kSecClass] as? String == kSecClassGenericPassword && query[kSecUseDataProtectionKeychain] as? Bool == true
            && query[kSecAttrSynchronizable] as? Bool == false
    }
}

extension StubItem {
    fileprivate func matches(_ query: [String: Any]) -> Bool {
        let account = query[kSecAttrAccount] as? String
        return service == query[kSecAttrService] as? String && (account == nil || account == self.account)
            && accessGroup == query[kSecAttrAccessGroup] as? String ?? ""
    }
}

extension StubDevice.State {
    /// Status that keeps the keychain from answering now.
    fileprivate var refusal: OSStatus? {
        if isBeforeFirstUnlock { return errSecInteractionNotAllowed }
        return writesLeft.map { $0 <= 0 } == true ? errSecNotAvailable : nil
    }
}
