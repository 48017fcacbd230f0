public import HardwareKeys

/// A dialog that shows nothing and ends with the scan.
public struct SilentFingerDialog: FingerDialog {
    /// Needs nothing.
    public init() {}

    /// Waits until the sensor has decided.
    public func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer {
        // The stream goes on as long as the scan.
        for await _ in progress {}
        return .cancelled
    }
}
