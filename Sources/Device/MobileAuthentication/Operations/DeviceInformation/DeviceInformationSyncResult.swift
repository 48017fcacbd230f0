/// What could not be mended.
public struct DeviceInformationSyncResult: Sendable {
    /// The errors; empty when everything that was handed in is mended or gone.
    public let errors: [DeviceInformationSyncError]

    /// Puts a result together.
    public init(errors: [DeviceInformationSyncError]) {
        self.errors = errors
    }
}
