/// Observer of entries that were right on the device, before the server has answered.
@preconcurrency @MainActor
public protocol ValidCredentialsObserver {
    /// Called once for each accepted entry.
    func onValidCredentialsProvided()
}

extension ValidCredentialsObserver {
    /// Does nothing.
    public func onValidCredentialsProvided() {}
}
