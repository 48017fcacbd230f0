extension VerificationOptions {
    /// The options as bits: fallback 1, invalidation 2, class 2 sensors 4.
    var bits: UInt8 {
        (allowsDevicePasscodeFallback ? 1 : 0) | (invalidatesOnNewBiometrics ? 2 : 0) | (allowsClass2Sensors ? 4 : 0)
    }

    /// Reads what ``bits`` made; nil for other bits.
    init?(bits: UInt8) {
        guard bits < 8 else { return nil }
        self.init(
            allowsDevicePasscodeFallback: bits & 1 != 0, invalidatesOnNewBiometrics: bits & 2 != 0,
            allowsClass2Sensors: bits & 4 != 0)
    }
}
