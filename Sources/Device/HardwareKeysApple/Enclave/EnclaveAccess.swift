#if canImport(Security)
    import HardwareKeys
    import Security

    /// Access control of the keys of the Secure Enclave.
    enum EnclaveAccess {
        /// The access control that makes the Enclave keep a gate; a key without one is open after the first unlock, or,
        /// when it ends with the passcode, while the device is unlocked.
        ///
        /// A key behind a gate always ends with the passcode of the device.
        static func control(
            behind gate: UserGate?, endingWithPasscode endsWithPasscode: Bool = false
        ) throws(KeyVaultError) -> SecAccessControl {
            let accessibility =
                gate == nil && !endsWithPasscode
                ? kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly : kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly
            let flags = gate.map { $0.flags.union(.privateKeyUsage) } ?? .privateKeyUsage
            guard let control = SecAccessControlCreateWithFlags(nil, accessibility, flags, nil) else {
                throw .unsupportedRequirements
            }
            return control
        }
    }

    extension UserGate {
        fileprivate var flags: SecAccessControlCreateFlags {
            switch self {
            case .devicePasscode: .devicePasscode
            case .biometryAny: .biometryAny
            case .biometryCurrentSet: .biometryCurrentSet
            case .userPresence: .userPresence
            }
        }
    }
#endif
