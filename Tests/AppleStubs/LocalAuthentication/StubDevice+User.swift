public import Security

extension StubDevice {
    /// Gives the device another sensor, with one finger or face enrolled.
    public func install(_ sensor: LABiometryType) {
        with { $0.biometryType = sensor.rawValue }
    }

    /// Sets what the user does when he is asked; nil lets him pass.
    public func answer(with code: LAError.Code?) {
        with { $0.answer = code?.rawValue }
    }
}

extension StubDevice.State {
    /// Reason why the user cannot pass on this device as it is.
    func obstacle(_ flags: SecAccessControlCreateFlags) -> LAError.Code? {
        guard hasPasscode else { return .passcodeNotSet }
        guard flags.contains(.biometryAny) || flags.contains(.biometryCurrentSet) else { return nil }
        if biometryType == LABiometryType.none.rawValue || forbidsBiometry { return .biometryNotAvailable }
        if fingers.isEmpty { return .biometryNotEnrolled }
        return isBiometryLockedOut ? .biometryLockout : nil
    }

    /// Asks the user; nil means that he passed.
    mutating func ask(_ flags: SecAccessControlCreateFlags) -> LAError.Code? {
        if let obstacle = obstacle(flags) { return obstacle }
        questions.append(flags.rawValue)
        return answer.flatMap { LAError.Code(rawValue: $0) }
    }
}
