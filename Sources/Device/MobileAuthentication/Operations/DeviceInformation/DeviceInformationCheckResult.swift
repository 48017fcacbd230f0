/// In what this device and its servers do not agree.
public struct DeviceInformationCheckResult: Sendable {
    /// Every mismatch with the servers that answered.
    public let mismatches: [DeviceInformationMismatch]
    /// One error for each server that did not answer.
    public let errors: [DeviceInformationCheckError]

    /// Puts a result together.
    public init(mismatches: [DeviceInformationMismatch], errors: [DeviceInformationCheckError]) {
        self.mismatches = mismatches
        self.errors = errors
    }
}
